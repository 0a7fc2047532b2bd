import type { LogRecord } from '../../api/api.ts';
import type { LogGap } from '../../client/streams/logs.ts';
import type { Tone } from '../../command-line/colour.ts';
import { lineOf } from '../../output/lines.ts';
import { safeCell, safeJson } from '../../output/safe.ts';
import { logTime } from '../../output/time.ts';
import { columnsOf, formatOf, isForPeople, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/** A gap has a record's fields too, except its number. */
export type LiveRecord = LogRecord & Partial<Pick<LogGap, 'from_seq' | 'to_seq'>>;

/** Assigned to robots in turn, so that their lines are easy to distinguish. */
const robotTones: readonly Tone[] = ['cyan', 'magenta', 'blue', 'good'];

export const levelTones: Partial<Record<string, Tone>> = { debug: 'quiet', warn: 'warn', error: 'bad', fatal: 'bad' };

/** Writes records as they arrive, one per line. `isOfMany`: each line names its robot. */
export function logLines(call: Invocation, view: View<LogRecord>, isOfMany: boolean) {
  const { out, err } = call.io;
  const format = formatOf(call);
  const columns = columnsOf(call, view);
  const tones = new Map<string, Tone>();
  let width = 0;

  function names(more: readonly string[]): void {
    for (const name of more) {
      width = Math.max(width, safeCell(name).length);
      if (!tones.has(name)) tones.set(name, robotTones[tones.size % robotTones.length] ?? 'cyan');
    }
  }

  function write(record: LiveRecord, text: string, name: string): void {
    if (format === 'raw') return out.write(`${out.tty ? safeJson(text) : text}\n`);
    if (record.type === 'gap' && record.from_seq !== undefined) {
      const lost = `── ${isOfMany ? `${safeCell(name)}: ` : ''}gap: ${safeCell(record.message)} ──`;
      return err.write(`${err.paint(lost, 'warn')}\n`);
    }
    if (!isForPeople(call)) {
      const line = lineOf(call, format as 'jsonl' | 'kv' | 'tsv' | 'name', record, view, columns);
      return out.write(`${line}${format === 'kv' ? '\n\n' : '\n'}`);
    }
    const tone = levelTones[record.level];
    const paint = (line: string) => (tone ? out.paint(line, tone) : line);
    const who = isOfMany ? [out.paint(safeCell(name).padEnd(width), tones.get(name) ?? 'quiet')] : [];
    const parts = [
      out.paint(timeOf(record.ts ?? record.received_at), 'quiet'),
      ...who,
      paint(safeCell(record.level).padEnd(5)),
      out.paint(safeCell(record.source), 'quiet'),
      paint(safeCell(record.message)),
    ];
    out.write(`${parts.join('  ')}\n`);
  }

  return { names, write };
}

const timeOf = (instant: string) => (Number.isNaN(Date.parse(instant)) ? safeCell(instant) : logTime(instant));
