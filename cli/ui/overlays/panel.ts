import { safeCell } from '../../output/safe.ts';
import { fitTo, wrap } from '../../output/text-width.ts';
import type { Line } from '../components/line.ts';
import type { Tone } from '../theme.ts';

/** The content of a dialog, the same for every kind. */
export interface Panel {
  title: string;
  tone?: Tone;
  lines: readonly Line[];
  /** Index of the line that stays visible if there is no room for all. Default: the first. */
  focus?: number;
  /** What its keys do, shown below it. */
  footer: string;
  /** In the middle, or a single line at the bottom without a frame. Default: in the middle. */
  place?: 'middle' | 'foot';
}

export const blank: Line = { segments: [] };

/** The label, with the wrapped text beside it. */
export function labelledLines(
  label: string,
  text: string,
  { labelWidth, width }: { labelWidth: number; width: number },
): Line[] {
  const room = Math.max(8, width - labelWidth - 2);
  return wrap(safeCell(text), room).map((piece, index) => ({
    segments: [{ text: `${fitTo(index === 0 ? label : '', labelWidth, '')}  `, tone: 'quiet' }, { text: piece }],
  }));
}

/** The `rows` items around the focused one. */
export function visibleAround<T>(items: readonly T[], focus: number, rows: number): readonly T[] {
  const begin = Math.max(0, Math.min(focus - Math.floor(rows / 2), items.length - rows));
  return items.slice(begin, begin + rows);
}
