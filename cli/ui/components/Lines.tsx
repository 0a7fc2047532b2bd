import type { Theme } from '../theme.ts';
import type { Line } from './line.ts';
import { painted } from './paint.ts';
import { PaintedLines } from './PaintedLines.tsx';

/** Paints lines of plain data in the theme. Each must fit the available width. */
export function Lines({ lines, theme }: { lines: readonly Line[]; theme: Theme }) {
  return <PaintedLines lines={lines.map((line) => paint(line, theme))} />;
}

function paint({ segments, isCursor, isDim }: Line, theme: Theme): string {
  if (isCursor) return painted(segments.map(({ text }) => text).join(''), { bold: true, inverse: true });
  return segments
    .map(({ text, tone, isInverse }) =>
      painted(text, { ...theme.look(isDim ? 'quiet' : tone), ...(isInverse && { inverse: true }) }),
    )
    .join('');
}
