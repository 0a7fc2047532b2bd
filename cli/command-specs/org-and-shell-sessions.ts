import type { ArgumentSpec, CommandSpec } from '../command-line/command-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';

const session: ArgumentSpec = { name: 'id', takes: 'recording', description: 'ID of the session' };
const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9cf1';

/** The org's settings, and shell sessions with their output. */
export const shellCommands: readonly CommandSpec[] = [
  {
    path: 'org show',
    summary: 'Show the org and its settings',
    prints: 'details',
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
        description: 'Record the output of shells; typed input is never recorded',
      },
    ],
    examples: ['cli org update --record-shells on', 'cli org update --record-shells off'],
    operations: ['updateOrg'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/org.ts')).updateOrg,
  },
  {
    path: 'sessions list',
    summary: 'List shell sessions: who, on which robot; oldest first',
    prints: 'list',
    flags: [
      {
        name: 'robot',
        type: 'text',
        value: 'id|name',
        takes: 'robot',
        description: 'List only sessions on this robot',
      },
      ...pageFlags,
    ],
    examples: ['cli sessions list', 'cli sessions list --robot amr-007', 'cli sessions list -o wide'],
    operations: ['listShellSessions', 'listRobots', 'listUsers'],
    load: async () => (await import('../commands/shell-sessions.ts')).listSessions,
  },
  {
    path: 'sessions play',
    summary: 'Play the recording of a shell session; q or Ctrl-C quits',
    description:
      'Plays on an alternate screen of the terminal. Sequences that act beyond the screen are removed: setting the clipboard or the title, and queries to the terminal.',
    arguments: [session],
    flags: [
      {
        name: 'speed',
        type: 'text',
        value: 'n',
        description: 'Play this many times as fast, such as 2 or 0.5',
        whenAbsent: '1',
      },
      {
        name: 'idle-limit',
        type: 'text',
        value: 'seconds',
        description: 'Shorten each pause to this',
        whenAbsent: 'pauses as recorded',
      },
      { name: 'raw', type: 'boolean', description: 'Send the recording to the terminal unfiltered' },
    ],
    examples: [`cli sessions play ${id}`, `cli sessions play ${id} --speed 2 --idle-limit 1`],
    operations: ['downloadShellRecording', 'listShellSessions'],
    load: async () => (await import('../commands/shell-sessions.ts')).playSession,
  },
  {
    path: 'sessions download',
    summary: 'Print the unchanged recording of a shell session, for asciinema',
    arguments: [session],
    examples: [`cli sessions download ${id} > shell.cast`],
    operations: ['downloadShellRecording', 'listShellSessions'],
    load: async () => (await import('../commands/shell-sessions.ts')).downloadSession,
  },
];
