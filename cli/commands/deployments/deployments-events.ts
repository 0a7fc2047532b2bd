import { apiOf, type Api, type DeploymentEvent } from '../../api/api.ts';
import { answeredFieldsHelp, drawsScreen, isForPeople, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { DeploymentOperations } from './deployment-operations.ts';
import { toneOf } from '../../output/deployment-format.ts';
import { printList } from '../lists.ts';
import { noNames, type Names } from '../name-lookup.ts';

export const eventView = (robots: Names = noNames): View<DeploymentEvent> => ({
  columns: [
    { field: 'seq', shown: 'table' },
    { field: 'at', shown: 'table', time: true },
    { field: 'status', shown: 'table', whole: true, tone: ({ status }) => toneOf(status) },
    {
      field: 'robot_id',
      header: 'ROBOT',
      shown: 'table',
      text: ({ robot_id: id = '' }) => robots.get(id) ?? id,
    },
    {
      field: 'target_status',
      header: 'ROBOT TIME',
      shown: 'table',
      whole: true,
      tone: (event) => toneOf(event.target_status),
    },
    { field: 'reason', shown: 'table', whole: true },
    { field: 'message', shown: 'table' },
    { field: 'id', shown: 'asked' },
  ],
  name: (event) => String(event.seq),
});

/** `deployments events` and `configs events`. */
export async function listEventsOf(call: Invocation, operations: DeploymentOperations): Promise<void> {
  if (answeredFieldsHelp(call, eventView())) return;
  const { args, flags } = call;
  const [id = ''] = args;
  let after = flags.integer('after');
  // Lines follow the events by sequence number and miss none; a screen shows their end.
  const follows = flags.on('watch') && !drawsScreen(call);
  const api = await apiOf(call);
  await printList(call, {
    what: 'events',
    whenEmpty: 'The first one is its creation.',
    async ask({ limit }) {
      const reply = await operations.events(api, id, { limit, after });
      if (follows) after = reply.body.items.at(-1)?.seq ?? after;
      return reply;
    },
    view: async () => eventView(isForPeople(call) ? await robotsOf(api, operations, id) : noNames),
    key: 'seq',
    isLog: true,
  });
}

/** Names of a deployment's target robots; names that cannot be read are omitted. */
export async function robotsOf(api: Api, operations: DeploymentOperations, id: string): Promise<Names> {
  try {
    return await namesOfTarget(api, (await operations.get(api, id)).body.data);
  } catch {
    return noNames;
  }
}

/** The same for a deployment that is already loaded. A robot that has since left the fleet is not included. */
export async function namesOfTarget(
  api: Api,
  { target_kind: kind, target_id: id }: { target_kind: string; target_id: string },
): Promise<Names> {
  if (kind !== 'robot') {
    const { body } = await api.get('/api/robots', { query: { fleet_id: id } });
    return new Map(body.items.map((robot) => [robot.id, robot.name]));
  }
  const { body } = await api.get('/api/robots/{id}', { path: { id } });
  return new Map([[id, body.data.name]]);
}
