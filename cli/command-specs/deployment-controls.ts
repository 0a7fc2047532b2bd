import type { ArgumentSpec, CommandSpec, Run } from '../command-line/command-spec.ts';
import { controlReason, signKeyFlags } from './deploy-flags.ts';

type Control = 'pause' | 'resume' | 'advance' | 'rollback' | 'cancel';

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

/** The commands that pause, resume, advance, roll back and cancel a deployment. */
export function controlCommands({ group, what, noun, deployment, id, load }: Controlled): readonly CommandSpec[] {
  const command = (
    control: Exclude<Control, 'rollback'>,
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
  return [
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

interface Texts extends Required<Pick<CommandSpec, 'summary' | 'description' | 'changes'>> {
  /** Of the example; undefined: the command takes none. */
  reason?: string;
  /** Further operations that it calls. */
  operations?: NonNullable<CommandSpec['operations']>;
}
