import type { CommandSpec } from '../command-line/command-spec.ts';

/** Commands about the program itself. */
export const aboutCommands: readonly CommandSpec[] = [
  {
    path: 'help',
    summary: 'Show help for a command',
    arguments: [{ name: 'command', variadic: true, optional: true, description: 'Words of the command' }],
    examples: ['cli help', 'cli help robots', 'cli help keys new'],
    load: async () => (await import('../commands/help.ts')).help,
  },
  {
    path: 'version',
    summary: 'Print the version of this client',
    examples: ['cli version', 'cli --version'],
    load: async () => (await import('../commands/help.ts')).version,
  },
];
