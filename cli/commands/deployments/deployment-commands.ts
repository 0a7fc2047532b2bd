import { apiOf, type AnyDeployment, type Api, type DeploymentTarget } from '../../api/api.ts';
import { listTable, usedColumns } from '../../output/table.ts';
import { relativeTime } from '../../output/time.ts';
import { answeredFieldsHelp, isForPeople, nameColumn, needsNames, type View } from '../../output/view.ts';
import { safeCell } from '../../output/safe.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { saidLines, watchView } from './deployments-display.ts';
import { eventView, robotsIn } from './deployments-events.ts';
import { deploymentIdOf } from './deployment-id.ts';
import type { DeploymentOperations } from './deployment-operations.ts';
import { faultsOf } from './deployments-faults.ts';
import { checkWatchFlags, watchDeployment } from './deployments-watch.ts';
import { openStatuses, percentOf, humanize, robotWaitOf, toneOf } from '../../output/deployment-format.ts';
import { excludedTexts } from '../../output/rollback-text.ts';
import { waveView } from '../../output/wave-view.ts';
import { decisionView } from './deployments-approval.ts';
import { returnReferences, returnView } from './deployments-rollback.ts';
import { offlineNow } from './deployments-waves.ts';
import { printList } from '../lists.ts';
import { idOf } from '../../api/names.ts';
import { nameLookup, noNames, type NameLookup, type Names } from '../name-lookup.ts';
import { printObject } from '../shared.ts';

/** Maximum number of unfinished robots, and of last events, shown with one deployment. */
const maxShown = 10;
/** Failed robots that are read to group their faults: 2 MB of messages at most. */
const maxGrouped = 500;
/** Robots named per fault. */
const maxNamed = 3;

const targetView = (robots: Names = noNames): View<DeploymentTarget> => ({
  columns: [
    {
      field: 'robot_id',
      header: 'ROBOT',
      shown: 'table',
      whole: true,
      text: ({ robot_id: id }) => robots.get(id) ?? id,
    },
    {
      field: 'status',
      shown: 'table',
      whole: true,
      text: ({ status }) => humanize(status),
      tone: ({ status }) => toneOf(status),
    },
    { field: 'reason', shown: 'table', whole: true },
    {
      field: 'waiting_on',
      header: 'WAITS FOR',
      shown: 'table',
      text: robotWaitOf,
    },
    { field: 'message', shown: 'table' },
    { field: 'updated_at', header: 'SINCE', shown: 'table', time: true },
    { field: 'dispatched_at', header: 'DISPATCHED', shown: 'wide', time: true },
    { field: 'deadline_at', header: 'DEADLINE', shown: 'wide', time: true },
    { field: 'progress', shown: 'table', text: percentOf },
    { field: 'gate', shown: 'asked' },
    { field: 'wave', shown: 'table', late: true },
    nameColumn('robot_name', ({ robot_id: id }) => robots.get(id)),
  ],
  name: (target) => target.robot_id,
});

/** `deployments targets` and `configs targets`. */
export async function listTargetsOf(call: Invocation, operations: DeploymentOperations): Promise<void> {
  if (answeredFieldsHelp(call, targetView())) return;
  const [status, robot] = [call.flags.text('status'), call.flags.text('robot')];
  const api = await apiOf(call);
  const id = await deploymentIdOf(call, api, operations);
  const robotId = robot === undefined ? undefined : await idOf(api, 'robot', robot);
  const isWhole = robotId !== undefined && isForPeople(call);
  let said: string | undefined;
  const names = nameLookup(api);
  await printList(call, {
    what: 'robots',
    whenEmpty: robotId === undefined ? 'They are selected when the deployment starts.' : 'It is not for this robot.',
    async ask(page) {
      const reply = await operations.targets(api, id, { ...page, status, robot_id: robotId });
      said = reply.body.items[0]?.message;
      return reply;
    },
    names: (targets) => names.load(robotsIn(targets)),
    view() {
      const columns = targetView(names);
      return isWhole && call.flags.text('fields') === undefined ? withoutMessage(columns) : columns;
    },
    key: 'robot_id',
  });
  // For one robot, people want its whole message.
  if (isWhole && call.flags.text('fields') === undefined) writeLines(call, saidLines(said, '  ', true));
}

/**
 * `deployments show` and `configs deployment`. People also get the failed and unfinished robots, and the last events.
 */
export async function showOf<D extends AnyDeployment>(
  call: Invocation,
  operations: DeploymentOperations<D>,
  view: (names?: Names) => View<D>,
): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const api = await apiOf(call);
  const id = await deploymentIdOf(call, api, operations);
  const reply = await operations.get(api, id);
  const names = nameLookup(api);
  if (needsNames(call, view())) await names.load(operations.references(reply.body.data));
  await printObject(call, reply, view(names));
  if (!isForPeople(call) || call.flags.text('fields') !== undefined) return;
  const { counts, rollout, rollback } = reply.body.data;
  if (rollout) {
    const offline = await offlineNow(api, operations, id, reply.body.data);
    section(call, 'Waves', listLines(call, waveView(offline), rollout.waves));
  }
  if (rollout?.approval) {
    const { decisions } = (await operations.approvals(api, id)).body.data;
    section(call, 'Approvals', listLines(call, decisionView, decisions));
  }
  if (rollback) await printRollback(call, api, operations, id, names);
  const open = counts.total - counts.applied - counts.failed - counts.rolled_back - counts.cancelled;
  for (const status of ['failed', 'rolled_back'] as const)
    if (counts[status] > 0) await printFaults(call, api, operations, id, status, counts[status], names);
  // Unfinished robots are listed only if they are few; the counts cover many.
  for (const status of open <= maxShown ? openStatuses : [])
    if (counts[status] > 0) await printTargets(call, api, operations, id, status, names);
  const { body } = await operations.events(api, id, { limit: maxShown });
  await names.load(robotsIn(body.items));
  section(call, 'Last events', listLines(call, eventView(names), body.items));
}

async function printRollback(
  call: Invocation,
  api: Api,
  operations: DeploymentOperations,
  id: string,
  names: NameLookup,
) {
  const rollback = (await operations.rollback(api, id)).body.data;
  await names.load(returnReferences(rollback));
  section(call, 'Rollback', [
    ...listLines(call, returnView(names), rollback.returns),
    ...excludedTexts(rollback).map((text) => `keep it: ${text}`),
  ]);
}

async function printTargets(
  call: Invocation,
  api: Api,
  operations: DeploymentOperations,
  id: string,
  status: string,
  names: NameLookup,
) {
  const { body } = await operations.targets(api, id, { status, limit: maxShown });
  await names.load(robotsIn(body.items));
  const [header = '', ...rows] = listLines(call, withoutMessage(targetView(names)), body.items);
  const lines = rows.flatMap((row, index) => [row, ...saidLines(body.items[index]?.message, '  ')]);
  section(call, titleOf(status), [header, ...lines]);
}

const titleOf = (status: string) => humanize(status).replace(/^./, (letter) => letter.toUpperCase());

/** Failed robots, grouped by fault: their names, the reason, and the first one's message. */
async function printFaults(
  call: Invocation,
  api: Api,
  operations: DeploymentOperations,
  id: string,
  status: string,
  count: number,
  names: NameLookup,
) {
  const { body } = await operations.targets(api, id, { status, limit: maxGrouped });
  const { out } = call.io;
  const nameOf = ({ robot_id: robot }: DeploymentTarget) => names.get(robot) ?? robot;
  const { faults, others } = faultsOf(body.items);
  const another = faults[0]?.targets[1] ?? body.items.at(-1);
  const named = [...faults.flatMap(({ targets }) => targets.slice(0, maxNamed)), ...(another ? [another] : [])];
  await names.load(robotsIn(named));
  const lines = faults.flatMap(({ reason = '', targets }) => {
    const [first] = targets;
    const shown = targets.slice(0, maxNamed).map((target) => safeCell(nameOf(target)));
    const rest = targets.length - shown.length;
    const who = `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
    const since = out.paint(safeCell(relativeTime(first.updated_at)), 'quiet');
    return [
      [who, out.paint(safeCell(reason), 'bad'), since].filter((text) => text !== '').join('  '),
      ...saidLines(first.message, '  '),
    ];
  });
  if (others > 0) lines.push(`and ${others} more, each for its own reason`);
  const isGrouped = faults.some(({ targets }) => targets.length > 1) || others > 0;
  if (isGrouped) {
    const words = `${operations.commands.targets} ${id} --robot ${another ? nameOf(another) : '<robot>'}`;
    lines.push(out.paint(`Message of another robot: ${safeCell(words)}`, 'quiet'));
  }
  const part = body.items.length < count ? `, the first ${body.items.length} of them` : '';
  section(call, `${titleOf(status)}: ${count}${part}`, lines);
}

/** The message follows below its robot, in full: it is the most wanted part. */
const withoutMessage = <T extends { message?: string }>({ columns, name }: View<T>): View<T> => ({
  name,
  columns: columns.filter(({ field }) => field !== 'message'),
});

function listLines<T extends object>(call: Invocation, { columns }: View<T>, items: readonly T[]): string[] {
  const { out } = call.io;
  return listTable(usedColumns(columns, items), out.columns, (text, tone) => out.paint(text, tone)).lines(items);
}

function writeLines({ io: { out } }: Invocation, lines: readonly string[]): void {
  if (lines.length > 0) out.write(`${lines.join('\n')}\n`);
}

function section({ io: { out } }: Invocation, title: string, lines: readonly string[]): void {
  if (lines.length > 0) out.write(`\n${out.paint(safeCell(title), 'strong')}\n${lines.join('\n')}\n`);
}

/** `deployments watch` and `configs watch`. */
export async function watchOf(call: Invocation, operations: DeploymentOperations): Promise<number | undefined> {
  if (answeredFieldsHelp(call, watchView)) return undefined;
  checkWatchFlags(call);
  const api = await apiOf(call);
  const id = await deploymentIdOf(call, api, operations);
  const { status, reason, target_kind: kind } = (await operations.get(api, id)).body.data;
  const after = call.flags.integer('after');
  return await watchDeployment(call, api, {
    operations,
    id,
    isOneRobot: kind === 'robot',
    status,
    reason,
    after,
  });
}
