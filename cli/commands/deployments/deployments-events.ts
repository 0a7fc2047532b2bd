import { apiOf, type DeploymentEvent } from '../../api/api.ts';
import { answeredFieldsHelp, drawsScreen, nameColumn, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { deploymentIdOf } from './deployment-id.ts';
import type { DeploymentOperations } from './deployment-operations.ts';
import { toneOf } from '../../output/deployment-format.ts';
import { printList } from '../lists.ts';
import { nameLookup, noNames, type Names, type Reference } from '../name-lookup.ts';

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
      header: 'ROBOT STATUS',
      shown: 'table',
      whole: true,
      tone: (event) => toneOf(event.target_status),
    },
    { field: 'reason', shown: 'table', whole: true },
    { field: 'message', shown: 'table' },
    { field: 'id', shown: 'asked' },
    nameColumn('robot_name', ({ robot_id: id = '' }) => robots.get(id)),
  ],
  name: (event) => String(event.seq),
});

/** `deployments events` and `configs events`. */
export async function listEventsOf(call: Invocation, operations: DeploymentOperations): Promise<void> {
  if (answeredFieldsHelp(call, eventView())) return;
  const { flags } = call;
  let after = flags.integer('after');
  // Lines follow the events by sequence number and miss none; a screen shows their end.
  const follows = flags.on('watch') && !drawsScreen(call);
  const api = await apiOf(call);
  const id = await deploymentIdOf(call, api, operations);
  const names = nameLookup(api);
  await printList(call, {
    what: 'events',
    whenEmpty: 'The first one is its creation.',
    async ask({ limit }) {
      const reply = await operations.events(api, id, { limit, after });
      if (follows) after = reply.body.items.at(-1)?.seq ?? after;
      return reply;
    },
    view: () => eventView(names),
    names: (events) => names.load(robotsIn(events)),
    key: 'seq',
    isLog: true,
  });
}

/** The robots that these events or targets are about. */
export const robotsIn = (items: readonly { robot_id?: string }[]): Reference[] =>
  items.map(({ robot_id: id }) => ['robots', id]);
