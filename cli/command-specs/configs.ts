import type { ArgumentSpec, CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { logFlags, pageFlags } from '../command-line/global-flags.ts';
import {
  followFlags,
  deployFlags,
  planFlag,
  policyFlag,
  signKeyFlags,
  targetFlags,
  watchOnlyFlags,
} from './deploy-flags.ts';
import { controlCommands } from './deployment-controls.ts';
import { deploymentFilters, targetFilters } from './list-flags.ts';

const namespace: FlagSpec = {
  name: 'namespace',
  type: 'text',
  value: 'name',
  takes: 'namespace',
  description: 'Namespace of the key',
  whenAbsent: 'default',
};
const key: ArgumentSpec = { name: 'key', takes: 'config', description: 'Key of the entry, or its ID' };
const deployment: ArgumentSpec = {
  name: 'id',
  takes: 'config deployment',
  description: 'ID of the config deployment, or latest',
};
const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9ca1';

export const configCommands: readonly CommandSpec[] = [
  {
    path: 'configs list',
    summary: 'List config entries with their newest values',
    prints: 'list',
    flags: [
      {
        name: 'key',
        type: 'text',
        value: 'key',
        takes: 'config',
        description: 'List only the entry of exactly this key',
      },
      { ...namespace, description: 'List only entries of this namespace', whenAbsent: 'all' },
      { name: 'deleted', type: 'boolean', description: 'List only deleted entries' },
      ...pageFlags,
    ],
    examples: [
      'cli configs list',
      'cli configs list --namespace nav',
      'cli configs list --fields key,value -o jsonl',
      'cli configs list --deleted',
    ],
    operations: ['listConfigs'],
    load: async () => (await import('../commands/configs/configs.ts')).listConfigs,
  },
  {
    path: 'configs set',
    summary: 'Set a config value and, with --fleet, --robot or --selector, deploy it',
    description:
      'A value that is valid JSON is stored as JSON, any other value as text. Put a value that starts with a dash after --.',
    prints: 'object',
    arguments: [
      { name: 'key', takes: 'config', description: 'Key of the entry' },
      { name: 'value', description: 'JSON or text', mayBeEmpty: true },
    ],
    flags: [namespace, ...targetFlags, policyFlag, ...followFlags, ...signKeyFlags],
    examples: [
      'cli configs set nav.max_speed 1.2 --fleet pickers',
      'cli configs set nav.dock "Hall 3" --namespace nav',
      'cli configs set nav.limits \'{"speed":1.2}\' --robot amr-007 --watch',
      'cli configs set nav.max_speed 1.2 --fleet pickers --policy careful --watch',
    ],
    operations: [
      'setConfig',
      'createConfigDeployment',
      'listRobots',
      'listFleets',
      'getWhoami',
      'getRobot',
      'listRolloutPolicies',
      'getRolloutPolicy',
    ],
    changes: 'confirmed',
    load: async () => (await import('../commands/deployments/configs-deploy.ts')).setConfig,
  },
  {
    path: 'configs show',
    summary: 'List the current and earlier values of a key',
    description:
      'Each value has a revision number, with which cli configs deploy --revision deploys it. Works for deleted keys too.',
    prints: 'list',
    arguments: [key],
    flags: [namespace, ...pageFlags],
    examples: ['cli configs show nav.max_speed', 'cli configs show nav.dock --namespace nav -o jsonl'],
    operations: ['listConfigRevisions', 'listConfigs'],
    load: async () => (await import('../commands/configs/configs.ts')).showConfig,
  },
  {
    path: 'configs deploy',
    summary: 'Deploy a value of a key to a robot, a fleet or a selector',
    description:
      'Deploys the newest value, or the one of --revision. Robots that join the fleet later get the same revision, until you deploy another. With --dry-run, plans the deployment: which robots get it in which wave.',
    prints: 'object',
    arguments: [{ ...key, optional: true }],
    flags: [
      ...targetFlags,
      planFlag,
      namespace,
      {
        name: 'revision',
        type: 'integer',
        value: 'n',
        min: 1,
        description: 'Deploy this revision; list them with cli configs show',
        whenAbsent: 'the newest',
      },
      ...deployFlags,
    ],
    examples: [
      'cli configs deploy nav.max_speed --fleet pickers --watch',
      'cli configs deploy nav.max_speed --revision 3 --fleet pickers',
      'cli configs deploy nav.max_speed --selector tier=canary',
      'cli configs deploy nav.max_speed --robot amr-007 --scheduled-at 22:00',
    ],
    operations: [
      'createConfigDeployment',
      'listConfigs',
      'listConfigRevisions',
      'listRobots',
      'listFleets',
      'getWhoami',
      'getRobot',
      'listRolloutPolicies',
      'getRolloutPolicy',
      'createDeploymentPlan',
      'getDeploymentPlan',
      'listDeploymentPlanRobots',
    ],
    changes: 'confirmed',
    load: async () => (await import('../commands/deployments/configs-deploy.ts')).deployConfig,
  },
  {
    path: 'configs delete',
    summary: 'Delete a config entry, without a change on robots',
    description:
      'Robots that enroll or move to another fleet no longer get the value. Robots that have it keep it until a deployment sets the key again. Revisions and deployments stay readable, and setting the key again restores the entry.',
    prints: 'object',
    arguments: [key],
    flags: [
      namespace,
      {
        name: 'cancel-deployments',
        type: 'boolean',
        description: 'Also cancel its active deployments; without it, a key with any is not deleted',
      },
    ],
    examples: ['cli configs delete nav.max_speed', 'cli configs delete nav.dock --namespace nav --cancel-deployments'],
    operations: ['deleteConfig', 'listConfigs'],
    changes: 'confirmed',
    load: async () => (await import('../commands/configs/configs.ts')).deleteConfig,
  },
  {
    path: 'configs deployments',
    summary: 'List config deployments',
    prints: 'list',
    flags: [
      ...deploymentFilters,
      {
        name: 'key',
        type: 'text',
        value: 'key',
        takes: 'config',
        description: 'List only deployments of this key, or entry ID',
      },
      namespace,
      ...pageFlags,
    ],
    examples: ['cli configs deployments', 'cli configs deployments --key nav.max_speed --fleet pickers'],
    operations: ['listConfigDeployments', 'listConfigs', 'listFleets', 'listRobots', 'getDeploymentFreeze'],
    load: async () => (await import('../commands/deployments/configs-deployments.ts')).listConfigDeployments,
  },
  {
    path: 'configs deployment',
    summary: 'Show a config deployment: its counts, what it waits for, its failures',
    prints: 'details',
    arguments: [deployment],
    examples: [`cli configs deployment ${id}`],
    operations: [
      'getConfigDeployment',
      'getConfigDeploymentRollback',
      'listConfigDeploymentTargets',
      'listConfigDeploymentEvents',
      'listConfigDeployments',
      'listFleets',
      'listRobots',
    ],
    load: async () => (await import('../commands/deployments/configs-deployments.ts')).showConfigDeployment,
  },
  {
    path: 'configs events',
    summary: 'List the events of a config deployment, oldest first',
    prints: 'list',
    arguments: [deployment],
    flags: logFlags,
    examples: [`cli configs events ${id}`, `cli configs events ${id} --after 4 -o jsonl`],
    operations: ['listConfigDeploymentEvents', 'listConfigDeployments', 'listRobots'],
    load: async () => (await import('../commands/deployments/configs-deployments.ts')).listConfigEvents,
  },
  {
    path: 'configs targets',
    summary: 'List the robots of a config deployment',
    prints: 'list',
    arguments: [deployment],
    flags: [...targetFilters, ...pageFlags],
    examples: [
      `cli configs targets ${id}`,
      `cli configs targets ${id} --status failed`,
      `cli configs targets ${id} --robot amr-007`,
    ],
    operations: ['listConfigDeploymentTargets', 'listConfigDeployments', 'listRobots'],
    load: async () => (await import('../commands/deployments/configs-deployments.ts')).listConfigTargets,
  },
  {
    path: 'configs watch',
    summary: 'Follow a config deployment until it ends',
    description: 'Exits with 0 if it was applied, else with 7. Ctrl-C stops only the watching.',
    prints: 'object',
    arguments: [deployment],
    flags: watchOnlyFlags,
    examples: [`cli configs watch ${id}`, `cli configs watch ${id} --timeout 5m`],
    operations: [
      'getConfigDeployment',
      'listConfigDeploymentEvents',
      'listConfigDeploymentTargets',
      'listConfigDeployments',
    ],
    load: async () => (await import('../commands/deployments/configs-deployments.ts')).watchConfigDeployment,
  },
  ...controlCommands({
    group: 'configs',
    what: 'config deployment',
    noun: 'ConfigDeployment',
    deployment,
    id,
    load: async () => (await import('../commands/deployments/configs-deployments.ts')).controls,
  }),
];
