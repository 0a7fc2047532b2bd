import type { Api, LogRecord } from '../api.ts';
import { usage } from '../errors.ts';
import { followRobot, type LiveRecord } from '../live/log-stream.ts';
import { openViewer } from '../live/viewer-socket.ts';
import type { Tone } from '../output/colour.ts';
import { lineOf } from '../output/lines.ts';
import { safeCell, safeJson, safeText } from '../output/safe.ts';
import { statusLine } from '../output/status-line.ts';
import { columnsOf, formatOf, isForPeople, type View } from '../output/view.ts';
import type { Invocation } from '../spec.ts';

/** Whose logs. */
export interface Followed {
  id: string;
  name: string;
}

/** As the service takes it; a type, so that it can be read name by name. */
type FollowFilter = {
  level?: string | undefined;
  source?: string | undefined;
  q?: string | undefined;
  since?: string | undefined;
  tail: number;
};

/** Each robot has one of them, in turn: told apart before they are read. */
const robotTones: readonly Tone[] = ['cyan', 'magenta', 'blue', 'good', 'warn'];
const levelTones: Partial<Record<string, Tone>> = { debug: 'quiet', warn: 'warn', error: 'bad', fatal: 'bad' };

/** Prints the logs of robots as they come, until Ctrl-C. Ends with the CliError of a robot that cannot be followed. */
export async function followLogs(
  call: Invocation,
  api: Api,
  robots: readonly Followed[],
  filter: FollowFilter,
  view: View<LogRecord>,
): Promise<void> {
  const format = formatOf(call);
  if (format === 'json' || format === 'yaml') throw usage(`--follow writes lines: use -o jsonl, not ${format}`);
  const status = statusLine(call);
  const write = writerOf(call, robots, view);
  const waiting = new Map<string, string>();
  const showWaiting = () => {
    const [first] = waiting.values();
    if (first === undefined) status.clear();
    else status.show(call.io.err.paint(waiting.size > 1 ? `${first}, and ${waiting.size - 1} more` : first, 'quiet'));
  };
  await Promise.all(
    robots.map(({ id, name }) =>
      followRobot({
        open: (after) =>
          openViewer(
            call,
            api,
            pathOf(id, after === undefined ? filter : { ...filter, tail: 0, since: undefined, after }),
          ),
        onOpen() {
          if (waiting.delete(id)) call.io.note(`${safeCell(name)}: connected again`);
          showWaiting();
        },
        onRecord(record, text) {
          status.clear();
          write(record, text, name);
        },
        onWaiting({ error }, waitMs, attempt) {
          if (!waiting.has(id)) {
            status.clear();
            call.io.note(safeText(`${name}: ${error.message}`));
          }
          waiting.set(id, safeCell(`${name}: reconnecting in ${Math.ceil(waitMs / 1000)} s (attempt ${attempt})`));
          showWaiting();
        },
      }),
    ),
  );
}

function pathOf(id: string, query: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `/api/robots/${encodeURIComponent(id)}/logs/ws?${search.toString()}`;
}

function writerOf(call: Invocation, robots: readonly Followed[], view: View<LogRecord>) {
  const { out, err } = call.io;
  const format = formatOf(call);
  const columns = columnsOf(call, view);
  const width = Math.max(...robots.map(({ name }) => safeCell(name).length));
  const toneOf = new Map(robots.map(({ name }, index) => [name, robotTones[index % robotTones.length] as Tone]));
  return (record: LiveRecord, text: string, name: string): void => {
    if (format === 'raw') return out.write(`${out.tty ? safeJson(text) : text}\n`);
    if (record.type === 'gap' && record.from_seq !== undefined) {
      const lost = `── ${robots.length > 1 ? `${safeCell(name)}: ` : ''}gap: ${safeCell(record.message)} ──`;
      return err.write(`${err.paint(lost, 'warn')}\n`);
    }
    if (!isForPeople(call))
      return out.write(`${lineOf(call, format as 'jsonl' | 'tsv' | 'name', record, view, columns)}\n`);
    const tone = levelTones[record.level];
    const paint = (line: string) => (tone ? out.paint(line, tone) : line);
    const who = robots.length > 1 ? `${out.paint(safeCell(name).padEnd(width), toneOf.get(name) ?? 'quiet')}  ` : '';
    const when = out.paint(timeOf(record.ts ?? record.received_at), 'quiet');
    const line = `${when}  ${who}${paint(record.level.padEnd(5))}  ${out.paint(safeCell(record.source), 'quiet')}  ${paint(safeCell(record.message))}`;
    out.write(`${line}\n`);
  };
}

/** The time of day here, to the millisecond: what came yesterday is not live. */
function timeOf(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return safeCell(instant);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}
