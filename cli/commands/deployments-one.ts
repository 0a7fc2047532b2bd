import { apiOf, type AnyDeployment, type Api, type DeploymentTarget } from '../api.ts';
import { listTable } from '../output/table.ts';
import { answeredFieldsHelp, isForPeople, type View } from '../output/view.ts';
import { safeCell } from '../output/safe.ts';
import type { Invocation } from '../spec.ts';
import { saidLines, watchView } from './deployments-display.ts';
import { eventView, robotsOf } from './deployments-events.ts';
import type { Face } from './deployments-face.ts';
import { checkWatchFlags, watchDeployment } from './deployments-watch.ts';
import { isTerminal, spoken, toneOf, waitOf } from './deployments-words.ts';
import { printList } from './lists.ts';
import { namesOf, noNames, type NameKind, type Names } from './owners.ts';
import { printObject } from './shared.ts';

/** How many robots that went wrong, and how many of the last events, one deployment is shown with. */
const maxShown = 10;

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
      text: ({ status }) => spoken(status),
      tone: ({ status }) => toneOf(status),
    },
    { field: 'reason', shown: 'table', whole: true },
    {
      field: 'waiting_on',
      header: 'WAITS FOR',
      shown: 'table',
      text: ({ waiting_on: wait }) => (wait ? waitOf(wait) : ''),
    },
    { field: 'message', shown: 'table' },
    { field: 'updated_at', header: 'SINCE', shown: 'table', time: true },
    { field: 'dispatched_at', header: 'DISPATCHED', shown: 'wide', time: true },
    { field: 'deadline_at', header: 'DEADLINE', shown: 'wide', time: true },
  ],
  name: (target) => target.robot_id,
});

/** `deployments targets` and `configs targets`. */
export async function listTargetsOf(call: Invocation, face: Face): Promise<void> {
  if (answeredFieldsHelp(call, targetView())) return;
  const [id = ''] = call.args;
  const status = call.flags.text('status');
  const api = await apiOf(call);
  await printList(call, {
    what: 'robots',
    whenEmpty: 'They are fixed when the deployment starts.',
    ask: (page) => face.targets(api, id, { ...page, status }),
    view: async () => targetView(isForPeople(call) ? await robotsOf(api, face, id) : noNames),
    key: 'robot_id',
  });
}

/** `deployments show` and `configs deployment`: people get the robots that went wrong or are not done, and the last events too. */
export async function showOf<D extends AnyDeployment>(
  call: Invocation,
  face: Face<D>,
  view: (names?: Names) => View<D>,
  kinds: readonly NameKind[],
): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const [id = ''] = call.args;
  const api = await apiOf(call);
  const [reply, names] = await Promise.all([face.get(api, id), isForPeople(call) ? namesOf(api, kinds) : noNames]);
  await printObject(call, reply, view(names));
  if (!isForPeople(call) || call.flags.text('fields') !== undefined) return;
  const { counts } = reply.body.data;
  const open = counts.total - counts.applied - counts.failed - counts.rolled_back - counts.cancelled;
  for (const [status, count] of [
    ['failed', counts.failed],
    ['rolled_back', counts.rolled_back],
    // What is not done is shown where it is little: of many the counts say it.
    ...(open > 0 && open <= maxShown ? openStatuses.map((each) => [each, counts[each]] as const) : []),
  ] as const)
    if (count > 0) await printTargets(call, api, face, id, status, count, names);
  const { body } = await face.events(api, id, { limit: maxShown });
  section(call, 'Last events', listLines(call, eventView(names), body.items));
}

const openStatuses = [
  'waiting',
  'dispatched',
  'downloading',
  'installing',
  'verifying',
  'cancelling',
  'rolling_back',
] as const;

async function printTargets(
  call: Invocation,
  api: Api,
  face: Face,
  id: string,
  status: string,
  count: number,
  names: Names,
): Promise<void> {
  const { body } = await face.targets(api, id, { status, limit: maxShown });
  const shown = body.items.length < count ? ` (the first ${body.items.length} of ${count})` : '';
  const title = `${spoken(status).replace(/^./, (letter) => letter.toUpperCase())}${shown}`;
  const [header = '', ...rows] = listLines(call, withoutMessage(targetView(names)), body.items);
  const lines = rows.flatMap((row, index) => [row, ...saidLines(body.items[index]?.message, '  ')]);
  section(call, title, [header, ...lines]);
}

/** It stands below its robot, whole: it is why people look. */
const withoutMessage = <T extends { message?: string }>({ columns, name }: View<T>): View<T> => ({
  name,
  columns: columns.filter(({ field }) => field !== 'message'),
});

function listLines<T extends object>(call: Invocation, { columns }: View<T>, items: readonly T[]): string[] {
  const { out } = call.io;
  const used = columns.filter(
    ({ field, shown }) => shown === 'table' && items.some((item) => item[field] !== undefined),
  );
  return listTable(used, out.columns, (text, tone) => out.paint(text, tone)).lines(items);
}

function section({ io: { out } }: Invocation, title: string, lines: readonly string[]): void {
  if (lines.length > 0) out.write(`\n${out.paint(safeCell(title), 'strong')}\n${lines.join('\n')}\n`);
}

/** `deployments cancel` and `configs cancel`. */
export async function cancelOf<D extends AnyDeployment>(call: Invocation, face: Face<D>, view: View<D>): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const [id = ''] = call.args;
  const reply = await face.cancel(await apiOf(call), id);
  const done = isTerminal(reply.body.data.status)
    ? 'Cancelled before any robot got it.'
    : `Robots that have it are asked to stop. Watch it: ${face.commands.watch} ${id}`;
  await printObject(call, reply, view, done);
}

/** `deployments watch` and `configs watch`. */
export async function watchOf(call: Invocation, face: Face): Promise<number | undefined> {
  if (answeredFieldsHelp(call, watchView)) return undefined;
  checkWatchFlags(call);
  const [id = ''] = call.args;
  const api = await apiOf(call);
  const { status, reason, target_id, target_kind } = (await face.get(api, id)).body.data;
  const after = call.flags.integer('after');
  return await watchDeployment(call, api, {
    face,
    id,
    status,
    reason,
    target: { target_id, target_kind },
    after,
  });
}
