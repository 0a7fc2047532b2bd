import type { CommandSpec } from '../command-line/command-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';

const session = { name: 'id', description: 'Id of the session' };
const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1';

/** The org's settings, and shell sessions with their output. */
export const shellCommands: readonly CommandSpec[] = [
  {
    path: 'org show',
    summary: 'Show the org and its settings',
    prints: 'object',
    examples: ['cli org show', 'cli org show --fields record_shells'],
    operations: ['getOrg'],
    load: async () => (await import('../commands/org.ts')).showOrg,
  },
  {
    path: 'org update',
    summary: 'Change the settings of the org',
    prints: 'object',
    flags: [
      {
        name: 'record-shells',
        type: 'text',
        value: 'on|off',
        choices: ['on', 'off'],
        required: true,
        description: 'Whether the service keeps what shells show, never what is typed',
      },
    ],
    examples: ['cli org update --record-shells on', 'cli org update --record-shells off'],
    operations: ['updateOrg'],
    load: async () => (await import('../commands/org.ts')).updateOrg,
  },
  {
    path: 'sessions list',
    summary: 'List who had a shell on which robot, oldest first',
    prints: 'list',
    flags: [{ name: 'robot', type: 'text', value: 'id|name', description: 'Only shells on this robot' }, ...pageFlags],
    examples: ['cli sessions list', 'cli sessions list --robot amr-007', 'cli sessions list -o wide'],
    operations: ['listShellSessions', 'listRobots', 'listUsers'],
    load: async () => (await import('../commands/shell-sessions.ts')).listSessions,
  },
  {
    path: 'sessions play',
    summary: 'Play the recording of a shell; q or Ctrl-C leaves',
    description:
      'On another screen of the terminal, without what would act beyond it: setting the clipboard or the title, and questions that the terminal answers.',
    arguments: [session],
    flags: [
      {
        name: 'speed',
        type: 'text',
        value: 'n',
        description: 'So many times as fast, as in 2 or 0.5',
        whenAbsent: '1',
      },
      {
        name: 'idle-limit',
        type: 'text',
        value: 'seconds',
        description: 'Wait no longer than this',
        whenAbsent: 'as long as it was',
      },
      { name: 'raw', type: 'boolean', description: 'Tell the terminal everything' },
    ],
    examples: [`cli sessions play ${id}`, `cli sessions play ${id} --speed 2 --idle-limit 1`],
    operations: ['downloadShellRecording'],
    load: async () => (await import('../commands/shell-sessions.ts')).playSession,
  },
  {
    path: 'sessions download',
    summary: 'Print the recording of a shell as it is, which asciinema plays',
    arguments: [session],
    examples: [`cli sessions download ${id} > shell.cast`],
    operations: ['downloadShellRecording'],
    load: async () => (await import('../commands/shell-sessions.ts')).downloadSession,
  },
];
