import { safeCell } from '../../output/safe.ts';
import { messageLines } from '../../live/topics/text.ts';
import type { Echo } from '../data/data.ts';
import { cutLine, lineOf, failureLines, type Line } from '../components/line.ts';
import type { Ui } from '../ui.ts';

/** Messages of a topic, newest at the bottom, in readable form: as many of the last as fit. */
export function echoLines(ui: Ui, topic: string, echo: Echo, columns: number, rows: number): Line[] {
  const { ellipsis } = ui.theme.signs;
  const { lines, perSecond, failure } = echo.get();
  const title: Line = {
    segments: [
      { text: ` ${safeCell(topic)}`, tone: 'strong' },
      { text: `  ${perSecond.toFixed(1)}/s`, tone: perSecond > 0 ? 'good' : 'quiet' },
      { text: '  esc ends it', tone: 'quiet' },
    ],
  };
  const notes = failure ? failureLines(failure) : lines.length === 0 ? [lineOf(' No messages yet.')] : [];
  const room = Math.max(0, rows - 1 - notes.length);
  const shown: string[] = [];
  for (const line of [...lines].reverse()) {
    if (shown.length >= room) break;
    shown.unshift(...readable(line), '---');
  }
  const texts = shown.slice(-room).map((text) => lineOf(` ${text}`, text === '---' ? 'quiet' : undefined));
  return [title, ...notes, ...(room > 0 ? texts : [])].slice(0, rows).map((line) => cutLine(line, columns, ellipsis));
}

/** A robot may send anything: an unreadable message is shown as received. */
function readable(line: string): string[] {
  try {
    const record = JSON.parse(line) as { msg?: unknown };
    return messageLines(record.msg ?? record);
  } catch {
    return [safeCell(line)];
  }
}
