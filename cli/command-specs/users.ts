import type { ArgumentSpec, CommandSpec } from '../command-line/command-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';

const roles = ['viewer', 'operator', 'admin'] as const;
const user: ArgumentSpec = { name: 'user', takes: 'user', description: 'ID or email address of the user' };

export const userCommands: readonly CommandSpec[] = [
  {
    path: 'users list',
    summary: 'List the users of the org',
    prints: 'list',
    flags: [
      {
        name: 'email',
        type: 'text',
        value: 'address',
        description: 'List only the user of exactly this email address',
      },
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
    arguments: [{ name: 'email', description: 'Email address of the user' }],
    flags: [
      {
        name: 'role',
        type: 'text',
        value: 'role',
        choices: roles,
        description: 'Role of the user',
        whenAbsent: 'viewer',
      },
      { name: 'name', type: 'text', value: 'name', description: 'Name of the user', whenAbsent: 'none' },
    ],
    examples: [
      'cli users create kim@example.com',
      'cli users create kim@example.com --role operator --name Kim',
      'cli users create kim@example.com --role admin --json',
    ],
    operations: ['createUser'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/users.ts')).createUser,
  },
  {
    path: 'users role',
    summary: 'Change the role of a user',
    prints: 'object',
    arguments: [user, { name: 'role', choices: roles, description: 'New role, effective from the next request' }],
    examples: ['cli users role kim@example.com operator', 'cli users role 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41 viewer'],
    operations: ['updateUser', 'listUsers'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/users.ts')).changeRole,
  },
  {
    path: 'users remove',
    summary: 'Remove a user and revoke the user’s tokens',
    prints: 'object',
    arguments: [user],
    examples: ['cli users remove kim@example.com', 'cli users remove 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41'],
    operations: ['deleteUser', 'listUsers', 'listTokens'],
    changes: 'confirmed',
    load: async () => (await import('../commands/users.ts')).removeUser,
  },
];
