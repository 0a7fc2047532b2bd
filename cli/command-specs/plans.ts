import type { ArgumentSpec, CommandSpec } from '../command-line/command-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';

const plan: ArgumentSpec = { name: 'plan', description: 'The plan, by the ID that cli deploy --dry-run printed' };
const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9dc1';

export const planCommands: readonly CommandSpec[] = [
  {
    path: 'plans show',
    summary: 'Show a plan of a deployment: its waves, its conflicts, its first robots',
    description: 'Create one with cli deploy --dry-run. It is kept for 7 days. The numbers are those of now.',
    prints: 'details',
    arguments: [plan],
    examples: [`cli plans show ${id}`, `cli plans show ${id} --fields hash,counts -o json`],
    operations: ['getDeploymentPlan', 'listDeploymentPlanRobots', 'listRobots'],
    load: async () => (await import('../commands/plans/plans.ts')).showPlan,
  },
  {
    path: 'plans robots',
    summary: 'List the robots of a plan, each with its wave and what it runs',
    prints: 'list',
    arguments: [plan],
    flags: [
      { name: 'wave', type: 'integer', value: 'n', min: 1, max: 21, description: 'List only robots of this wave' },
      ...pageFlags,
    ],
    examples: [`cli plans robots ${id}`, `cli plans robots ${id} --wave 1`, `cli plans robots ${id} -o jsonl`],
    operations: ['listDeploymentPlanRobots', 'listRobots'],
    load: async () => (await import('../commands/plans/plans.ts')).listPlanRobots,
  },
];
