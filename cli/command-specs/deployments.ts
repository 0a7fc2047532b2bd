import type { ArgumentSpec, CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { logFlags, pageFlags } from '../command-line/global-flags.ts';
import { deployFlags, planFlag, targetFlags, watchOnlyFlags } from './deploy-flags.ts';
import { controlCommands } from './deployment-controls.ts';
import { freezeCommands } from './deployment-freeze.ts';
import { byKind, deploymentFilters, targetFilters } from './list-flags.ts';

const deployment: ArgumentSpec = { name: 'id', takes: 'deployment', description: 'ID of the deployment, or latest' };
const release: ArgumentSpec = {
  name: 'release',
  takes: 'release',
  description: 'ID or tag of the release; latest is the newest one',
};
const oneOf: FlagSpec = { ...byKind, description: 'Kind of the release, if several have this tag' };
const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81';

export const deploymentCommands: readonly CommandSpec[] = [
  {
    path: 'deploy',
    summary: 'Deploy a release to a robot, a fleet or a selector',
    description:
      'With --watch, prints events until the deployment ends, and exits with 0 if it was applied, else with 7. Ctrl-C stops only the watching. With --dry-run, plans the deployment: which robots get it in which wave.',
    prints: 'object',
    arguments: [{ ...release, optional: true }],
    flags: [
      ...targetFlags,
      planFlag,
      oneOf,
      ...deployFlags,
      {
        name: 'allow-downgrade',
        type: 'boolean',
        description:
          'Deploy also if robots run a newer release of this kind: required with --policy, and for one robot it skips the question',
      },
      {
        name: 'sign-artifact',
        type: 'text',
        value: 'file',
        takes: 'file',
        description:
          'Sign only if the artifact of the release is exactly this file; without it, the values that the service reports are signed',
      },
    ],
    examples: [
      'cli deploy nav-1.8.2 --fleet pickers --watch',
      'cli deploy nav-1.8.2 --robot amr-007',
      'cli deploy nav-1.8.2 --fleet pickers --policy careful --watch',
      "cli deploy nav-1.8.2 --selector 'tier in (canary,spare),@site=Osaka'",
      'cli deploy nav-1.8.2 --fleet pickers --policy careful --dry-run',
      'cli deploy --plan 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9dc1 --watch',
      'cli deploy latest --kind container_image --fleet pickers',
      "cli deploy nav-1.8.2 --fleet pickers --scheduled-at 'tomorrow 06:00'",
      'cli deploy maps-7 --kind file --fleet pickers --watch --timeout 30m',
      'cli deploy nav-1.8.2 --fleet pickers --sign release.pem --sign-artifact nav-1.8.2.tar',
      'id=$(cli deploy nav-1.8.2 --fleet pickers --fields id)',
    ],
    operations: [
      'createDeployment',
      'listReleases',
      'listRobots',
      'listFleets',
      'listDeploymentEvents',
      'getWhoami',
      'getRobot',
      'listRolloutPolicies',
      'getRolloutPolicy',
      'createDeploymentPlan',
      'getDeploymentPlan',
      'listDeploymentPlanRobots',
    ],
    changes: 'confirmed',
    load: async () => (await import('../commands/deployments/deploy.ts')).deploy,
  },
  {
    path: 'deployments list',
    summary: 'List deployments',
    prints: 'list',
    flags: [
      ...deploymentFilters,
      {
        name: 'release',
        type: 'text',
        value: 'id|tag',
        takes: 'release',
        description: 'List only deployments of this release',
      },
      oneOf,
      ...pageFlags,
    ],
    examples: [
      'cli deployments list',
      'cli deployments list --status in_progress --watch',
      'cli deployments list --release nav-1.8.2 --fleet pickers',
    ],
    operations: ['listDeployments', 'listReleases', 'listFleets', 'listRobots', 'getDeploymentFreeze'],
    load: async () => (await import('../commands/deployments/deployments.ts')).listDeployments,
  },
  {
    path: 'deployments show',
    summary: 'Show a deployment: its counts, what it waits for, its failures',
    prints: 'details',
    arguments: [deployment],
    examples: [`cli deployments show ${id}`, `cli deployments show ${id} --fields status,counts -o json`],
    operations: [
      'getDeployment',
      'getDeploymentRollback',
      'listDeploymentTargets',
      'listDeploymentEvents',
      'listDeployments',
      'listReleases',
      'listFleets',
      'listRobots',
    ],
    load: async () => (await import('../commands/deployments/deployments.ts')).showDeployment,
  },
  {
    path: 'deployments watch',
    summary: 'Follow a deployment until it ends',
    description: 'Exits with 0 if it was applied, else with 7. Ctrl-C stops only the watching.',
    prints: 'object',
    arguments: [deployment],
    flags: watchOnlyFlags,
    examples: [`cli deployments watch ${id}`, `cli deployments watch ${id} --timeout 30m`],
    operations: ['getDeployment', 'listDeploymentEvents', 'listDeploymentTargets', 'listDeployments', 'listRobots'],
    load: async () => (await import('../commands/deployments/deployments.ts')).watchDeploymentById,
  },
  ...controlCommands({
    group: 'deployments',
    what: 'deployment',
    noun: 'Deployment',
    deployment,
    id,
    load: async () => (await import('../commands/deployments/deployments.ts')).controls,
  }),
  ...freezeCommands,
  {
    path: 'deployments targets',
    summary: 'List the robots of a deployment',
    prints: 'list',
    arguments: [deployment],
    flags: [...targetFilters, ...pageFlags],
    examples: [
      `cli deployments targets ${id}`,
      `cli deployments targets ${id} --status failed`,
      `cli deployments targets ${id} --robot amr-007`,
    ],
    operations: ['listDeploymentTargets', 'listDeployments', 'listRobots'],
    load: async () => (await import('../commands/deployments/deployments.ts')).listDeploymentTargets,
  },
  {
    path: 'deployments events',
    summary: 'List the events of a deployment, oldest first',
    prints: 'list',
    arguments: [deployment],
    flags: logFlags,
    examples: [`cli deployments events ${id}`, `cli deployments events ${id} --after 41 -o jsonl`],
    operations: ['listDeploymentEvents', 'listDeployments', 'listRobots'],
    load: async () => (await import('../commands/deployments/deployments.ts')).listDeploymentEvents,
  },
];
