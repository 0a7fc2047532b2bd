import { apiOf, type AnyDeployment, type Deployment } from '../../api/api.ts';
import { answeredFieldsHelp, isForPeople, type Column, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { wantedTarget } from './deploy-request.ts';
import { releaseOf } from './deploy-release.ts';
import { listEventsOf } from './deployments-events.ts';
import { releaseDeployments } from './deployment-operations.ts';
import { cancelOf, listTargetsOf, showOf, watchOf } from './deployment-commands.ts';
import { countsOf, doneOf, humanize, toneOf, waitOf } from '../../output/deployment-format.ts';
import { printList } from '../lists.ts';
import { idOf } from '../../api/names.ts';
import { namesOf, noNames, type Names } from '../name-lookup.ts';

/** Columns common to release and config deployments; `names` are those of fleets and robots. */
export const commonColumns = (names: Names): Column<AnyDeployment>[] => [
  {
    field: 'status',
    shown: 'table',
    whole: true,
    tone: ({ status }) => toneOf(status),
    text: ({ status }) => humanize(status),
  },
  { field: 'reason', shown: 'wide' },
  { field: 'target_kind', header: 'KIND', shown: 'wide' },
  {
    field: 'target_id',
    header: 'TARGET',
    shown: 'table',
    text: ({ target_id: id }) => names.get(id) ?? id,
  },
  { field: 'counts', header: 'DONE', shown: 'table', text: doneOf },
  {
    field: 'waiting_on',
    header: 'WAITS FOR',
    shown: 'wide',
    text: ({ waiting_on: wait }) => (wait ? waitOf(wait) : ''),
  },
  { field: 'scheduled_at', header: 'SCHEDULED', shown: 'wide', time: true },
  { field: 'created_at', header: 'CREATED', shown: 'table', time: true, dropped: 1 },
  { field: 'started_at', header: 'STARTED', shown: 'wide', time: true },
  { field: 'ended_at', header: 'ENDED', shown: 'wide', time: true },
  { field: 'active_minutes', shown: 'asked' },
  { field: 'caused_by', header: 'CAUSED BY', shown: 'wide', text: ({ caused_by: cause }) => (cause ? cause.kind : '') },
  { field: 'signature', shown: 'asked' },
  { field: 'key_id', shown: 'asked' },
];

export const view = (names: Names = noNames): View<Deployment> => ({
  columns: [
    { field: 'id', shown: 'table' },
    {
      field: 'release_id',
      header: 'RELEASE',
      shown: 'table',
      text: ({ release_id: id }) => names.get(id) ?? id,
    },
    ...(commonColumns(names) as Column<Deployment>[]),
  ],
  name: (deployment) => deployment.id,
});

/** A single deployment is shown with all fields and all counts. */
export const wholeView = <D extends AnyDeployment>({ columns, name }: View<D>): View<D> => ({
  name,
  columns: columns.map((column): Column<D> => {
    const shown = column.shown === 'wide' ? 'table' : column.shown;
    return column.field === 'counts' ? { ...column, shown, header: 'ROBOTS', text: countsOf } : { ...column, shown };
  }),
});

export async function listDeployments(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const { flags } = call;
  const wanted = wantedTarget(call);
  const release = flags.text('release');
  const api = await apiOf(call);
  const filter = {
    status: flags.text('status'),
    cause_kind: flags.text('cause'),
    target_id: wanted && (await idOf(api, wanted.kind, wanted.text)),
    release_id: release === undefined ? undefined : await releaseOf(api, release, flags.text('kind')),
  };
  await printList(call, {
    what: 'deployments',
    whenEmpty: 'Create one: cli deploy <release> --fleet <fleet>',
    ask: (page) => api.get('/api/deployments', { query: { ...page, ...filter } }),
    view: async () => view(isForPeople(call) ? await namesOf(api, ['releases', 'fleets', 'robots']) : noNames),
    key: 'id',
  });
}

const whole = (names?: Names) => wholeView(view(names));

export const showDeployment = (call: Invocation) =>
  showOf(call, releaseDeployments, whole, ['releases', 'fleets', 'robots']);
export const cancelDeployment = (call: Invocation) => cancelOf(call, releaseDeployments, whole());
export const watchDeploymentById = (call: Invocation) => watchOf(call, releaseDeployments);
export const listDeploymentEvents = (call: Invocation) => listEventsOf(call, releaseDeployments);
export const listDeploymentTargets = (call: Invocation) => listTargetsOf(call, releaseDeployments);
