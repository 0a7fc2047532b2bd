import type { AnyDeployment, DeploymentEvent, DeploymentTarget, WaitingOn } from '../../api/api.ts';
import { deploymentWait } from '../../output/approval-text.ts';
import { lineOf } from '../../output/lines.ts';
import { safeCell, safeText } from '../../output/safe.ts';
import { statusLine } from '../../output/status-line.ts';
import { columnsOf, formatOf, isForPeople, onTerminal, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { FleetSummary } from './deployments-summary.ts';
import { eventView, robotsIn } from './deployments-events.ts';
import { faultKind } from './deployments-faults.ts';
import { percentOf, progressOf, humanize, robotWaitOf, toneOf, waitOf } from '../../output/deployment-format.ts';
import type { NameLookup, Names } from '../name-lookup.ts';

/** Output of a watched deployment: each event once to stdout, everything else to stderr. */
interface EventDisplay {
  show(events: readonly DeploymentEvent[]): Promise<void>;
  /** The current state; `wait` after a quiet period. `robot`: the only target, if there is one. */
  state(deployment: AnyDeployment, wait: WaitingOn | undefined, robot?: DeploymentTarget): Promise<void>;
  /** A request failed. */
  fail(message: string, waitMs: number): void;
  /** Releases the terminal. */
  end(): void;
}

type NamedEvent = DeploymentEvent & { robot_name?: string };

/** The event's own fields, then the robot's name. */
export const watchView: View<NamedEvent> = {
  ...eventView(),
  columns: [
    ...eventView().columns.filter(({ value }) => value === undefined),
    { field: 'robot_name', header: 'ROBOT', shown: 'table' },
  ],
};

/** `summary`: for a fleet whose robots have no lines of their own. */
export function eventDisplay(call: Invocation, names: NameLookup, summary?: FleetSummary): EventDisplay {
  const { io } = call;
  const line = statusLine(call);
  const write = writer(call, names);
  let lastWait: string | undefined;
  let isFailing = false;
  return {
    async show(all) {
      const events = summary ? all.filter(({ robot_id: robot }) => robot === undefined) : all;
      if (isFailing) note('The service responds again.');
      isFailing = false;
      if (events.length === 0) return;
      lastWait = undefined;
      if (formatOf(call) !== 'raw') await names.load(robotsIn(events));
      const text = write(events);
      line.clear();
      io.out.write(text);
    },
    async state(deployment, wait, robot) {
      const ofRobot = robot?.waiting_on && robot.waiting_on === wait ? robotWaitOf(robot) : wait && waitOf(wait);
      const waits = robot ? ofRobot : wait && deploymentWait(deployment);
      if (robot) await names.load(robotsIn([robot]));
      const parts = summary
        ? [await summary.line(deployment), waits]
        : robot?.progress
          ? [
              `${names.get(robot.robot_id) ?? robot.robot_id} ${humanize(robot.status)} ${robot.gate ? robotWaitOf(robot) : percentOf(robot)}`,
            ]
          : [humanize(deployment.status), progressOf(deployment), waits];
      if (redraws(call)) line.show(io.err.paint(safeCell(parts.filter(Boolean).join(' · ')), 'quiet'));
      else if (wait && wait.code !== lastWait) note(`Still ${humanize(deployment.status)}: ${waits ?? ''}`);
      lastWait = wait?.code;
    },
    fail(message, waitMs) {
      const again = `Retrying in ${Math.round(waitMs / 1000)} s.`;
      if (redraws(call)) line.show(io.err.paint(safeCell(`No response: ${message}. ${again}`), 'bad'));
      else if (!isFailing) note(`No response: ${message}. ${again}`);
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

function writer(call: Invocation, names: Names) {
  const format = formatOf(call);
  const teller = faultTeller();
  const named = (event: DeploymentEvent): NamedEvent =>
    event.robot_id === undefined ? event : { ...event, robot_name: names.get(event.robot_id) ?? event.robot_id };
  return (events: readonly DeploymentEvent[]): string => {
    const lines: string[] = [];
    for (const event of events) {
      if (format === 'raw') lines.push(onTerminal(call, JSON.stringify(event)));
      else if (isForPeople(call)) lines.push(...peopleLines(call, named(event), teller));
      else lines.push(lineOf(call, format as 'jsonl' | 'kv' | 'tsv', named(event), watchView, columns(call)));
    }
    // Key-value lines of several events have an empty line between them.
    return lines.map((line) => `${line}${format === 'kv' ? '\n\n' : '\n'}`).join('');
  };
}

const columns = (call: Invocation) => columnsOf(call, watchView);

/** Columns before the text of a line. */
const indent = ' '.repeat(10);
/** A robot's message usually has the error first and the details at its end; more per robot is too long to read. */
const lastMessageLines = 20;

/** If several robots fail alike, the first is shown in full; the others refer to it. */
function faultTeller(): (event: NamedEvent) => string | undefined {
  const first = new Map<string, string>();
  return (event) => {
    const [kind, robot] = [`${event.target_status ?? ''} ${faultKind(event)}`, event.robot_name ?? ''];
    const like = first.get(kind);
    if (like === undefined) first.set(kind, robot);
    return like;
  };
}

/**
 * `12:04:31  downloading   amr-007`. The robot's message follows on the same line, or below if it has several lines
 * that no other robot sent.
 */
function peopleLines({ io }: Invocation, event: NamedEvent, likeOf: ReturnType<typeof faultTeller>): string[] {
  const { at, status, target_status: ofRobot, reason = '', message, robot_name: robot = '' } = event;
  const time = io.out.paint(new Date(at).toTimeString().slice(0, 8), 'quiet');
  const word = safeCell(humanize(robot === '' ? status : (ofRobot ?? status)));
  const tone = toneOf(ofRobot ?? status);
  const painted = tone ? io.out.paint(word, tone) : word;
  const said = saidLines(message, indent);
  const like = said.length > 1 ? likeOf(event) : undefined;
  const behind = like !== undefined ? `as ${safeCell(like)}` : said.length === 1 ? (said[0] ?? '').trim() : '';
  const why = safeCell(robot === '' ? humanize(reason) : reason);
  const texts = [safeCell(robot), why, like === robot ? '' : behind];
  const head = `${time}  ${painted}${' '.repeat(Math.max(0, 12 - word.length))}  ${texts.filter((text) => text !== '').join('  ')}`;
  return [head.trimEnd(), ...(said.length > 1 && like === undefined ? said : [])];
}

/** A robot's message by line, safe for a terminal: all of it, or the first line and the end. */
export function saidLines(message: string | undefined, before: string, isWhole = false): string[] {
  if (message === undefined || message.trim() === '') return [];
  const [first = '', ...rest] = safeText(message.trimEnd()).split('\n');
  const end = isWhole ? rest : rest.slice(-lastMessageLines);
  const lines = end.length < rest.length ? [first, '…', ...end] : [first, ...end];
  return lines.map((text) => `${before}${safeCell(text)}`);
}
