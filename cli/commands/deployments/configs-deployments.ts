import { apiOf, type ConfigDeployment } from '../../api/api.ts';
import { answeredFieldsHelp, type Column, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { configIdOf, namespaceOf } from '../configs/configs.ts';
import { targetFilter } from './target-filter.ts';
import { commonColumns, orderOf, orderText, targetNameColumn, waitingFilter, wholeView } from './deployments.ts';
import { listEventsOf } from './deployments-events.ts';
import { configDeployments } from './deployment-operations.ts';
import { listTargetsOf, showOf, watchOf } from './deployment-commands.ts';
import { noteFreeze } from './deployment-freeze.ts';
import { controlsOf } from './deployment-controls.ts';
import { printList } from '../lists.ts';
import { nameLookup, noNames, type Names } from '../name-lookup.ts';

export const configDeploymentView = (names: Names = noNames): View<ConfigDeployment> => ({
  columns: [
    { field: 'id', shown: 'table' },
    { field: 'namespace', shown: 'wide' },
    { field: 'key', shown: 'table' },
    { field: 'revision', shown: 'wide' },
    ...(commonColumns(names) as Column<ConfigDeployment>[]),
    { field: 'config_id', header: 'CONFIG', shown: 'asked' },
    targetNameColumn(names),
  ],
  name: (deployment) => deployment.id,
});

export async function listConfigDeployments(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, configDeploymentView())) return;
  const { flags } = call;
  const [target, key] = [targetFilter(call), flags.text('key')];
  const api = await apiOf(call);
  const filter = {
    status: flags.text('status'),
    order: orderOf(call),
    cause_kind: flags.text('cause'),
    rollback_of: flags.text('rollback-of'),
    retry_of: flags.text('retry-of'),
    waiting_on: waitingFilter(call),
    ...(await target(api)),
    config_id: key === undefined ? undefined : await configIdOf(api, key, namespaceOf(call)),
  };
  const names = nameLookup(api);
  await printList(call, {
    what: 'config deployments',
    whenEmpty: 'Create one: cli configs deploy <key> --fleet <fleet>',
    ask: (page) => api.get('/api/configs/deployments', { query: { ...page, ...filter } }),
    view: () => configDeploymentView(names),
    names: (deployments) => names.load(deployments.flatMap(configDeployments.references)),
    key: 'id',
    summary: ({ length }) => `${length} of configs${orderText(call)} · of releases: cli deployments list`,
  });
  await noteFreeze(call, api);
}

const whole = (names?: Names) => wholeView(configDeploymentView(names));

export const showConfigDeployment = (call: Invocation) => showOf(call, configDeployments, whole);
export const controls = controlsOf(configDeployments, whole());
export const watchConfigDeployment = (call: Invocation) => watchOf(call, configDeployments);
export const listConfigEvents = (call: Invocation) => listEventsOf(call, configDeployments);
export const listConfigTargets = (call: Invocation) => listTargetsOf(call, configDeployments);
