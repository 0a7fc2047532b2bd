import type { AnyDeployment, DeploymentEvent, WaitingOn } from '../api.ts';
import { lineOf } from '../output/lines.ts';
import { safeCell, safeText } from '../output/safe.ts';
import { statusLine } from '../output/status-line.ts';
import { columnsOf, formatOf, isForPeople, onTerminal, type View } from '../output/view.ts';
import type { Invocation } from '../spec.ts';
import { eventView } from './deployments-events.ts';
import { progressOf, spoken, toneOf, waitOf } from './deployments-words.ts';
import type { Names } from './owners.ts';

/** Where the events of a watched deployment go: to stdout, each once. All else is for stderr. */
interface EventDisplay {
  show(events: readonly DeploymentEvent[]): Promise<void>;
  /** What it is doing now; `wait` once nothing has happened for a while. */
  state(deployment: AnyDeployment, wait: WaitingOn | undefined): void;
  /** A question got no answer. */
  fail(message: string, waitMs: number): void;
  /** Leaves the terminal to others. */
  end(): void;
}

type NamedEvent = DeploymentEvent & { robot_name?: string };

/** The events' own fields, and behind them the name of the robot. */
export const watchView: View<NamedEvent> = {
  ...eventView(),
  columns: [...eventView().columns, { field: 'robot_name', header: 'ROBOT', shown: 'table' }],
};

/** `names` is asked for once, when the first robot is seen. */
export function eventDisplay(call: Invocation, names: () => Promise<Names>): EventDisplay {
  const { io } = call;
  const line = statusLine(call);
  const write = writer(call, names);
  let toldWait: string | undefined;
  let isFailing = false;
  return {
    async show(events) {
      if (isFailing) note('The service answers again.');
      isFailing = false;
      if (events.length === 0) return;
      toldWait = undefined;
      const text = await write(events);
      line.clear();
      io.out.write(text);
    },
    state(deployment, wait) {
      const waits = wait && waitOf(wait);
      const parts = [spoken(deployment.status), progressOf(deployment), waits].filter((part) => part !== undefined);
      if (redraws(call)) line.show(io.err.paint(safeCell(parts.filter((part) => part !== '').join(' · ')), 'quiet'));
      else if (wait && wait.code !== toldWait) note(`Still ${spoken(deployment.status)}: ${waits ?? ''}`);
      toldWait = wait?.code;
    },
    fail(message, waitMs) {
      const again = `Trying again in ${Math.round(waitMs / 1000)} s.`;
      if (redraws(call)) line.show(io.err.paint(safeCell(`No answer: ${message}. ${again}`), 'bad'));
      else if (!isFailing) note(`No answer: ${message}. ${again}`);
      isFailing = true;
    },
    end: () => line.clear(),
  };

  function note(text: string): void {
    line.clear();
    io.note(safeText(text));
  }
}

/** True if one line of stderr is rewritten in place. */
export const redraws = (call: Invocation) => isForPeople(call) && call.io.err.tty && !call.environment.dumb;

function writer(call: Invocation, names: () => Promise<Names>) {
  const format = formatOf(call);
  let known: Promise<Names> | undefined;
  const named = async (event: DeploymentEvent): Promise<NamedEvent> => {
    const id = event.robot_id;
    if (id === undefined) return event;
    known ??= names().catch(() => new Map());
    return { ...event, robot_name: (await known).get(id) ?? id };
  };
  return async (events: readonly DeploymentEvent[]): Promise<string> => {
    const lines: string[] = [];
    for (const event of events) {
      if (format === 'raw') lines.push(onTerminal(call, JSON.stringify(event)));
      else if (isForPeople(call)) lines.push(...peopleLines(call, await named(event)));
      else lines.push(lineOf(call, format === 'jsonl' ? 'jsonl' : 'tsv', await named(event), watchView, columns(call)));
    }
    return lines.map((line) => `${line}\n`).join('');
  };
}

const columns = (call: Invocation) => columnsOf(call, watchView);

/** Columns up to where the text of a line begins. */
const indent = ' '.repeat(10);
/** The end of what a robot said tells most. */
const maxMessageLines = 20;

/** `12:04:31  downloading   amr-007`; what the robot said stands behind it, or below it if it has several lines. */
function peopleLines({ io }: Invocation, event: NamedEvent): string[] {
  const { at, status, target_status: ofRobot, reason = '', message, robot_name: robot = '' } = event;
  const time = io.out.paint(new Date(at).toTimeString().slice(0, 8), 'quiet');
  const word = safeCell(spoken(robot === '' ? status : (ofRobot ?? status)));
  const tone = toneOf(ofRobot ?? status);
  const painted = tone ? io.out.paint(word, tone) : word;
  const said = saidLines(message, indent);
  const texts = [safeCell(robot), safeCell(reason), said.length === 1 ? (said[0] ?? '').trim() : ''];
  const head = `${time}  ${painted}${' '.repeat(Math.max(0, 12 - word.length))}  ${texts.filter((text) => text !== '').join('  ')}`;
  return [head.trimEnd(), ...(said.length > 1 ? said : [])];
}

/** What a robot said, line by line, harmless on a terminal. */
export function saidLines(message: string | undefined, before: string): string[] {
  const lines = safeText((message ?? '').trimEnd()).split('\n');
  return message === undefined || message.trim() === ''
    ? []
    : lines.slice(-maxMessageLines).map((text) => `${before}${safeCell(text)}`);
}
