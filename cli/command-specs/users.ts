import type { CommandSpec } from '../command-line/command-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';

const roles = ['viewer', 'operator', 'admin'] as const;
const user = { name: 'user', description: 'Id or address of the user' };

export const userCommands: readonly CommandSpec[] = [
  {
    path: 'users list',
    summary: 'List the users of the org',
    prints: 'list',
    flags: [
      { name: 'email', type: 'text', value: 'address', description: 'Only the user of exactly this address' },
      ...pageFlags,
    ],
    examples: ['cli users list', 'cli users list --email kim@example.com', 'cli users list --fields email,role'],
    operations: ['listUsers'],
    load: async () => (await import('../commands/users.ts')).listUsers,
  },
  {
    path: 'users create',
    summary: 'Add a user to the org',
    prints: 'object',
    arguments: [{ name: 'email', description: 'Address of the user' }],
    flags: [
      {
        name: 'role',
        type: 'text',
        value: 'role',
        choices: roles,
        description: 'What the user may do',
        whenAbsent: 'viewer',
      },
      { name: 'name', type: 'text', value: 'name', description: 'Name for people', whenAbsent: 'none' },
    ],
    examples: [
      'cli users create kim@example.com',
      'cli users create kim@example.com --role operator --name Kim',
      'cli users create kim@example.com --role admin --json',
    ],
    operations: ['createUser'],
    load: async () => (await import('../commands/users.ts')).createUser,
  },
  {
    path: 'users role',
    summary: 'Change the role of a user',
    prints: 'object',
    arguments: [user, { name: 'role', choices: roles, description: 'What the user may do from the next request on' }],
    examples: ['cli users role kim@example.com operator', 'cli users role 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41 viewer'],
    operations: ['updateUser', 'listUsers'],
    load: async () => (await import('../commands/users.ts')).changeRole,
  },
  {
    path: 'users remove',
    summary: 'Remove a user, and refuse the user’s tokens from then on',
    prints: 'object',
    arguments: [user],
    examples: ['cli users remove kim@example.com', 'cli users remove 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41'],
    operations: ['deleteUser', 'listUsers'],
    load: async () => (await import('../commands/users.ts')).removeUser,
  },
];
