import type { ArgumentSpec, CommandSpec, Run } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { controlReason, signKeyFlags } from './deploy-flags.ts';

type Control =
  'approve' | 'reject' | 'pause' | 'resume' | 'advance' | 'skip' | 'waves' | 'retry' | 'rollback' | 'cancel';

/** Deployments of releases or of configs: the same commands. */
interface Controlled {
  /** First word of the commands. */
  group: 'deployments' | 'configs';
  /** As in `Pause a deployment`. */
  what: string;
  /** As operation IDs have it. */
  noun: 'Deployment' | 'ConfigDeployment';
  deployment: ArgumentSpec;
  /** ID of the examples. */
  id: string;
  load: () => Promise<Readonly<Record<Control, Run>>>;
}

/** The commands that control a deployment. */
export function controlCommands({ group, what, noun, deployment, id, load }: Controlled): readonly CommandSpec[] {
  const command = (
    control: Exclude<Control, 'approve' | 'reject' | 'skip' | 'waves' | 'retry' | 'rollback'>,
    { reason, operations = [], ...texts }: Texts,
  ): CommandSpec => ({
    ...texts,
    path: `${group} ${control}`,
    prints: 'object',
    arguments: [deployment],
    ...(reason !== undefined && { flags: [controlReason] }),
    examples: [`cli ${group} ${control} ${id}${reason === undefined ? '' : ` --reason "${reason}"`}`],
    operations: [`${control}${noun}`, `list${noun}s`, ...operations],
    load: async () => (await load())[control],
  });
  const decision = (
    decides: 'approve' | 'reject',
    reason: string,
    texts: Pick<CommandSpec, 'summary' | 'description'>,
  ): CommandSpec => ({
    ...texts,
    path: `${group} ${decides}`,
    prints: 'object',
    arguments: [deployment],
    flags: [controlReason, planHash, wave],
    examples: [
      `cli ${group} ${decides} ${id} --reason "${reason}" --plan-hash ${hash}`,
      `cli ${group} ${decides} ${id} --reason "${reason}"`,
    ],
    operations: [
      ...([`create${noun}Approval`, `get${noun}Approvals`, `get${noun}`, `list${noun}s`, 'getDeploymentPlan'] as const),
      ...(noun === 'Deployment' ? (['listReleases'] as const) : []),
      ...(['listFleets', 'listRobots'] as const),
    ],
    changes: 'confirmed',
    load: async () => (await load())[decides],
  });
  return [
    decision('approve', 'tested on the bench', {
      summary: `Approve a ${what} that waits for it, or its next wave`,
      description:
        'Shows the plan and asks. Without a question, --plan-hash says what was read, and --wave which wave is meant. The author of a deployment cannot approve it.',
    }),
    decision('reject', 'not on a Friday', {
      summary: `Reject a ${what} that waits for approval, or its next wave`,
      description:
        'One that has not begun is cancelled. Before a further wave it stays paused; a resume requests approvals again.',
    }),
    command('pause', {
      summary: `Pause a ${what}`,
      description:
        'No other robot receives it, and one that has not begun does not begin. Robots that have received it finish it.',
      reason: 'crashes on the second floor',
      changes: 'unconfirmed',
    }),
    command('resume', {
      summary: `Continue a ${what} that is paused`,
      description:
        'Robots that wait receive it. One whose scheduled time has passed begins at once. In a rollout, failures until now no longer count; if the wave had ended, the next one begins.',
      reason: 'fixed',
      changes: 'unconfirmed',
    }),
    command('advance', {
      summary: `Begin the next wave of the rollout of a ${what} now`,
      description: 'Whatever the current wave waits for. Its robots continue.',
      reason: 'the robots that are left are in repair',
      changes: 'unconfirmed',
    }),
    {
      path: `${group} skip`,
      summary: `Skip a wave of the rollout of a ${what}`,
      description:
        'Its robots that wait do not receive it; those that have received it finish it. Then the next wave begins. The last wave cannot be skipped.',
      prints: 'object',
      arguments: [deployment],
      flags: [skippedWave, controlReason],
      examples: [`cli ${group} skip ${id} --reason "its robots are in repair"`, `cli ${group} skip ${id} --wave 3`],
      operations: [`skip${noun}Wave`, `get${noun}`, `list${noun}s`],
      changes: 'confirmed',
      load: async () => (await load()).skip,
    },
    {
      path: `${group} waves`,
      summary: `Change the waves of the rollout of a ${what} that have not begun`,
      description:
        'The robots of these waves are assigned to the new ones. Robots in none of them form the last wave. Percentages are of all robots of the deployment.',
      prints: 'object',
      arguments: [deployment],
      flags: [fromWave, newWave, controlReason],
      examples: [
        `cli ${group} waves ${id} --wave 5% --wave 20% --reason "begin with fewer robots"`,
        `cli ${group} waves ${id} --from 3 --wave "floor=2 10"`,
      ],
      operations: [`set${noun}Waves`, `get${noun}`, `list${noun}s`],
      changes: 'confirmed',
      load: async () => (await load()).waves,
    },
    {
      path: `${group} retry`,
      summary: `Send a ${what} again to the robots on which it failed`,
      description:
        'Creates a deployment for these robots. Robots that have something newer are left out. The deployment must have ended.',
      prints: 'object',
      arguments: [deployment],
      flags: [...retryFlags, controlReason],
      examples: [
        `cli ${group} retry ${id} --reason "the access points are repaired"`,
        `cli ${group} retry ${id} --failed-as timed_out,unreached --attempts 3 --backoff 10m`,
      ],
      operations: [`create${noun}Retry`, `get${noun}Retry`, `list${noun}s`],
      changes: 'confirmed',
      load: async () => (await load()).retry,
    },
    {
      path: `${group} rollback`,
      summary: `Cancel a ${what} and return its robots to what they ran before`,
      description:
        'Each robot returns to what it applied last before, newest wave first. Robots that never applied the deployment are not touched.',
      prints: 'object',
      arguments: [deployment],
      flags: [controlReason, ...signKeyFlags],
      examples: [
        `cli ${group} rollback ${id} --reason "robots lose their map"`,
        `cli ${group} rollback ${id} --sign release.pem`,
      ],
      operations: [
        ...([`create${noun}Rollback`, `get${noun}Rollback`, `list${noun}s`, `get${noun}`] as const),
        ...(noun === 'Deployment' ? (['listReleases'] as const) : (['listConfigs', 'listConfigRevisions'] as const)),
        'getWhoami',
      ],
      changes: 'confirmed',
      load: async () => (await load()).rollback,
    },
    command('cancel', {
      summary: `Cancel a ${what}`,
      description:
        'Robots that have not received it never do. The others are asked to stop, and report whether they could.',
      changes: 'confirmed',
      operations: [`get${noun}`],
    }),
  ];
}

const hash = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';

const planHash: FlagSpec = {
  name: 'plan-hash',
  type: 'text',
  value: 'hash',
  description: 'Hash of the plan that was read; required where nothing is asked',
};

const wave: FlagSpec = {
  name: 'wave',
  type: 'integer',
  value: 'n',
  min: 0,
  max: 21,
  description:
    'Number of the wave that is meant, 0 for the beginning; with --plan-hash, required once the deployment has begun',
};
const skippedWave: FlagSpec = {
  name: 'wave',
  type: 'integer',
  value: 'n',
  min: 1,
  max: 21,
  description: 'Number of the wave',
  whenAbsent: 'the current wave, or the next one once that has ended',
};
const fromWave: FlagSpec = {
  name: 'from',
  type: 'integer',
  value: 'n',
  min: 2,
  max: 21,
  description: 'Number of the first wave to replace; those before stay',
  whenAbsent: 'the first that has not begun',
};
const newWave: FlagSpec = {
  name: 'wave',
  type: 'text',
  value: 'wave',
  multiple: true,
  required: true,
  description: 'Robots of the next new wave: 10%, 5, tier=canary, "floor in (1,2) 5" or "canaries: tier=canary"',
};
const retryFlags: readonly FlagSpec[] = [
  {
    name: 'failed-as',
    type: 'text',
    value: 'reasons',
    description: 'Retry only these: failed, timed_out, rejected, rolled_back, unreached, separated by commas',
    whenAbsent: 'any',
  },
  {
    name: 'attempts',
    type: 'integer',
    value: 'n',
    min: 1,
    max: 5,
    description: 'Maximum number of attempts, 1 to 5',
    whenAbsent: '1',
  },
  {
    name: 'backoff',
    type: 'text',
    value: 'span',
    description: 'Time before the first attempt, such as 10m; it doubles with each attempt',
    whenAbsent: '0s',
  },
];

interface Texts extends Required<Pick<CommandSpec, 'summary' | 'description' | 'changes'>> {
  /** Of the example; undefined: the command takes none. */
  reason?: string;
  /** Further operations that it calls. */
  operations?: NonNullable<CommandSpec['operations']>;
}
