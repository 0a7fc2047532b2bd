import { apiOf, type AnyDeployment, type Deployment } from '../../api/api.ts';
import { answeredFieldsHelp, isForPeople, nameColumn, type Column, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { targetFilter } from './target-filter.ts';
import { releaseOf } from './deploy-release.ts';
import { listEventsOf } from './deployments-events.ts';
import { releaseDeployments } from './deployment-operations.ts';
import { listTargetsOf, showOf, watchOf } from './deployment-commands.ts';
import { noteFreeze } from './deployment-freeze.ts';
import { controlsOf } from './deployment-controls.ts';
import { countsOf, doneOf, humanize, toneOf, waveOf } from '../../output/deployment-format.ts';
import { approvedText, deploymentWait } from '../../output/approval-text.ts';
import { dynamicText } from '../../output/dynamic-text.ts';
import { paceText } from '../../output/pace-text.ts';
import { localMinute, relativeTime } from '../../output/time.ts';
import { printList } from '../lists.ts';
import { nameLookup, noNames, targetNameIn, targetText, type Names } from '../name-lookup.ts';

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
    text: (deployment) => targetText(deployment, names),
  },
  { field: 'target_selector', shown: 'asked' },
  { field: 'counts', header: 'DONE', shown: 'table', text: doneOf },
  {
    field: 'waiting_on',
    header: 'WAITS FOR',
    shown: 'wide',
    text: deploymentWait,
  },
  { field: 'scheduled_at', header: 'SCHEDULED', shown: 'table', text: scheduledText, dropped: 2 },
  { field: 'created_at', header: 'CREATED', shown: 'table', time: true, dropped: 1 },
  { field: 'started_at', header: 'STARTED', shown: 'wide', time: true },
  { field: 'ended_at', header: 'ENDED', shown: 'wide', time: true },
  { field: 'active_minutes', shown: 'asked' },
  { field: 'ignore_gates', shown: 'asked' },
  { field: 'allow_ungated', shown: 'asked' },
  { field: 'caused_by', header: 'CAUSED BY', shown: 'wide', text: ({ caused_by: cause }) => (cause ? cause.kind : '') },
  { field: 'signature', shown: 'asked' },
  { field: 'key_id', shown: 'asked' },
  { field: 'paused', shown: 'wide', late: true, text: pauseText },
  { field: 'rollout', shown: 'wide', late: true, text: (deployment) => rolloutText(deployment) },
  { field: 'rollback', header: 'ROLLED BACK', shown: 'wide', late: true, text: rollbackText },
  { field: 'rollback_of', header: 'ROLLBACK OF', shown: 'wide', late: true },
  {
    field: 'approval',
    header: 'APPROVED',
    shown: 'asked',
    late: true,
    text: ({ approval }) => (approval ? approvedText(approval) : ''),
  },
  {
    field: 'blocked_by',
    header: 'BLOCKED BY',
    shown: 'wide',
    late: true,
    text: ({ blocked_by: ids = [] }) => ids.join(' '),
  },
  { field: 'retry_of', header: 'RETRY OF', shown: 'wide', late: true },
  { field: 'retry', shown: 'wide', late: true, text: retryText },
  { field: 'dynamic_until', header: 'DYNAMIC', shown: 'wide', late: true, text: dynamicText },
  { field: 'dynamic', shown: 'asked', late: true },
  { field: 'urgent', shown: 'wide', late: true, text: ({ urgent }) => (urgent ? 'yes' : '') },
  {
    field: 'ignore_windows',
    header: 'IGNORES WINDOWS',
    shown: 'wide',
    late: true,
    text: ({ ignore_windows: ignored }) => (ignored ? 'yes' : ''),
  },
];

export const targetNameColumn = (names: Names): Column<AnyDeployment> =>
  nameColumn('target_name', (deployment) => targetNameIn(deployment, names));

/** People get the newest first; scripts rely on the order of the API, which is the oldest first. */
export function orderOf(call: Invocation): 'asc' | 'desc' | undefined {
  const asked = call.flags.text('order') as 'asc' | 'desc' | undefined;
  return asked ?? (call.io.out.tty && isForPeople(call) ? 'desc' : undefined);
}

/** The choices of the flag are those of the filter. */
export const waitingFilter = ({ flags }: Invocation): 'approval' | undefined =>
  flags.text('waiting-on') === undefined ? undefined : 'approval';

export const orderText = (call: Invocation) => (orderOf(call) === 'desc' ? ', newest first' : ', oldest first');

/** `since 5 min ago: crashes`; empty if it is not paused. */
const pauseText = ({ paused }: AnyDeployment) => (paused ? `since ${causeText(paused)}` : '');

/** `5 min ago: crashes`; empty if no rollback was requested. */
const rollbackText = ({ rollback }: AnyDeployment) => (rollback ? causeText(rollback) : '');

/** `attempt 1 of 3: repaired`; empty unless it is a retry. */
const retryText = ({ retry }: AnyDeployment) =>
  retry
    ? [`attempt ${retry.attempt} of ${retry.attempts}`, retry.reason].filter((part) => part !== undefined).join(': ')
    : '';

const causeText = ({ since, reason }: { since: string; reason?: string }) =>
  `${relativeTime(since)}${reason === undefined ? '' : `: ${reason}`}`;

/** `careful, wave 2 of 4`; empty without a rollout. */
const rolloutText = (deployment: AnyDeployment) =>
  [deployment.rollout?.policy_name ?? '', waveOf(deployment)].filter((text) => text !== '').join(', ');

/** The same with its pace: `careful, wave 2 of 4, 50 in flight`. */
const wholeRolloutText = (deployment: AnyDeployment) =>
  [rolloutText(deployment), paceText(deployment.rollout?.pace)].filter((text) => text !== '').join(', ');

/** `in 3h, 11-22 02:00 +09:00`; empty if it was to start at once. */
function scheduledText({ scheduled_at: at }: AnyDeployment): string {
  return at === undefined ? '' : `${relativeTime(at)}, ${localMinute(at)}`;
}

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
    {
      field: 'allow_downgrade',
      header: 'DOWNGRADE',
      shown: 'wide',
      late: true,
      text: ({ allow_downgrade: isAllowed }) => (isAllowed ? 'allowed' : ''),
    },
    nameColumn('release_name', ({ release_id: id }) => names.get(id)),
    targetNameColumn(names),
  ],
  name: (deployment) => deployment.id,
});

/** A single deployment is shown with all fields and all counts. */
export const wholeView = <D extends AnyDeployment>({ columns, name }: View<D>): View<D> => ({
  name,
  columns: columns.map((column): Column<D> => {
    const shown = column.shown === 'wide' ? 'table' : column.shown;
    if (column.field === 'counts') return { ...column, shown, header: 'ROBOTS', text: countsOf };
    return column.field === 'rollout' ? { ...column, shown, text: wholeRolloutText } : { ...column, shown };
  }),
});

export async function listDeployments(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const { flags } = call;
  const target = targetFilter(call);
  const release = flags.text('release');
  const api = await apiOf(call);
  const filter = {
    status: flags.text('status'),
    order: orderOf(call),
    cause_kind: flags.text('cause'),
    rollback_of: flags.text('rollback-of'),
    retry_of: flags.text('retry-of'),
    waiting_on: waitingFilter(call),
    ...(await target(api)),
    release_id: release === undefined ? undefined : (await releaseOf(call, api, release, flags.text('kind'))).id,
  };
  const names = nameLookup(api);
  await printList(call, {
    what: 'deployments',
    whenEmpty: 'Create one: cli deploy <release> --fleet <fleet>',
    ask: (page) => api.get('/api/deployments', { query: { ...page, ...filter } }),
    view: () => view(names),
    names: (deployments) => names.load(deployments.flatMap(releaseDeployments.references)),
    key: 'id',
    summary: ({ length }) => `${length} of releases${orderText(call)} · of configs: cli configs deployments`,
  });
  await noteFreeze(call, api);
}

const whole = (names?: Names) => wholeView(view(names));

export const showDeployment = (call: Invocation) => showOf(call, releaseDeployments, whole);
export const controls = controlsOf(releaseDeployments, whole());
export const watchDeploymentById = (call: Invocation) => watchOf(call, releaseDeployments);
export const listDeploymentEvents = (call: Invocation) => listEventsOf(call, releaseDeployments);
export const listDeploymentTargets = (call: Invocation) => listTargetsOf(call, releaseDeployments);
