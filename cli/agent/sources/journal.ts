import type { ChildProcess } from 'node:child_process';
import { lineSplitter } from '../logs/lines.ts';
import { cutMessage, cutName } from '../logs/parse.ts';
import type { Level, LogRecord } from '../spool/record.ts';
import { restartingChild } from './child.ts';
import { watchUnits } from './journal-units.ts';
import type { Source, SourceContext } from './source.ts';

interface JournalSettings {
  /** Only these units; default: all. */
  units: readonly string[];
  environment: Readonly<Record<string, string>>;
}

const source = 'journal';
const fields = 'MESSAGE,PRIORITY,_SYSTEMD_UNIT,_PID,SYSLOG_IDENTIFIER';
/** An entry in journalctl's JSON; a message that is not UTF-8 takes up to four times its bytes. */
const maxEntryBytes = 1024 * 1024;
/** An entry as recent as this was read when it was written. */
const recentMs = 1000;
/** Time after which a journal that is read more slowly than it grows is no longer caught up with. */
const catchUpMs = 60_000;
/** After this many failures of journalctl without output, the cursor is dropped: the journal was cleared. */
const maxCursorFaults = 3;

/**
 * The systemd journal, from where the agent left off; at the first start, from now on. Entries written while the agent
 * or journalctl was down, and while it reads those, wait for room.
 */
export function journalSource({ units, environment }: JournalSettings, context: SourceContext): Source {
  const { intake, spool, tell, troubles } = context;
  const began = Date.now();
  let cursor = textOf(spool.positionOf(source));
  let faults = 0;

  const unitWatch = watchUnits(units, environment, troubles);
  const child = restartingChild({
    command: 'journalctl',
    args: () => [
      ...['--follow', '--output=json', '--all', '--quiet', `--output-fields=${fields}`],
      ...(cursor === undefined ? ['--lines=1'] : ['--no-tail', `--after-cursor=${cursor}`]),
      ...units.map((unit) => `--unit=${unit}`),
    ],
    environment,
    async read({ stdout, stderr }: ChildProcess) {
      const hadCursor = cursor;
      // Its error output is not used, but must be read.
      stderr?.resume();
      const lines = lineSplitter(maxEntryBytes);
      const isBehind = catchingUp();
      try {
        for await (const chunk of stdout ?? []) {
          for (const { text, isCut } of lines.push(chunk as Buffer)) {
            const entry = isCut ? undefined : entryOf(text);
            if (!entry) continue;
            // The last entry before the first start is where the next start continues, even if no entry arrives until
            // then. Only that one is skipped: the clock may be set back later.
            if (cursor === undefined && entry.atMs < began) spool.note(source, entry.cursor);
            else {
              if (isBehind(entry.atMs)) await intake.room(source);
              intake.offer(source, () => entry.record, entry.cursor);
            }
            cursor = entry.cursor ?? cursor;
          }
        }
      } catch {
        // Its output was destroyed: the child is being stopped.
      }
      faults = cursor === hadCursor ? faults + 1 : 0;
    },
    onEnd(how, waitMs) {
      if (faults >= maxCursorFaults && cursor !== undefined) {
        tell('the journal no longer has the last entry that was read; reading continues from now');
        cursor = undefined;
        faults = 0;
      }
      troubles.is(source, `journalctl ${how}; restarting it in ${Math.round(waitMs / 1000)} s`);
    },
    onRunning: () => troubles.over(source, 'the journal is read again'),
  });
  return {
    stop() {
      unitWatch.stop();
      return child.stop();
    },
  };
}

/** Whether entries are still from before; called with the time of each, in ms. The clock may be set at any time. */
function catchingUp(): (atMs: number) => boolean {
  const [began, beganAtMs] = [performance.now(), Date.now()];
  let firstAtMs: number | undefined;
  let isBehind = true;
  return (atMs) => {
    firstAtMs ??= atMs;
    const tookMs = performance.now() - began;
    const isRecent = atMs >= beganAtMs && Math.abs(Date.now() - atMs) < recentMs;
    const isGaining = tookMs < catchUpMs || atMs - firstAtMs > tookMs;
    isBehind &&= isGaining && !isRecent;
    return isBehind;
  };
}

/** By syslog priority, 0 to 7. */
const levels: readonly Level[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'];

/** Undefined for text that is not an entry. */
export function entryOf(text: string): { record: LogRecord; cursor: string | undefined; atMs: number } | undefined {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const micros = Number(entry['__REALTIME_TIMESTAMP'] ?? Number.NaN);
  const { message, isLong } = cutMessage(messageOf(entry['MESSAGE']));
  const [unit, pid, program] = [entry['_SYSTEMD_UNIT'], entry['_PID'], entry['SYSLOG_IDENTIFIER']].map(textOf);
  const record: LogRecord = {
    ts: instantOf(micros),
    level: levels[Number(textOf(entry['PRIORITY']) ?? 6)] ?? 'info',
    source,
    message,
    ...(isLong && { truncated: true }),
    ...(unit !== undefined && { unit }),
    ...(pid !== undefined && Number.isSafeInteger(Number(pid)) && { pid: Number(pid) }),
    ...(program !== undefined && { fields: { program: cutName(program) } }),
  };
  return { record, cursor: textOf(entry['__CURSOR']), atMs: micros / 1000 };
}

/** A field that occurs more than once is an array of its values; one that is not UTF-8 is an array of its bytes. */
function messageOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  const isBytes = value.every((byte) => typeof byte === 'number');
  return isBytes ? Buffer.from(value).toString('utf8') : value.map(messageOf).join('\n');
}

/** RFC 3339 to the microsecond. */
function instantOf(micros: number): string {
  if (!Number.isSafeInteger(micros) || micros < 0) return new Date().toISOString();
  const fraction = String(micros % 1000).padStart(3, '0');
  return new Date(Math.floor(micros / 1000)).toISOString().replace('Z', `${fraction}Z`);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
