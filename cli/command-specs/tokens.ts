import type { CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { expiresInHours, labelForPeople, pageFlags } from '../command-line/global-flags.ts';
import { usualLifetimes } from '../command-line/usual-lifetimes.ts';
import { robot } from './robots.ts';

const byUser: FlagSpec = {
  name: 'user',
  type: 'text',
  value: 'id|email',
  takes: 'user',
  description: 'List only tokens of this user',
};

export const tokenCommands: readonly CommandSpec[] = [
  {
    path: 'tokens list',
    summary: 'List the tokens of the org, including revoked ones',
    prints: 'list',
    flags: [
      {
        name: 'kind',
        type: 'text',
        value: 'kind',
        choices: ['org', 'user', 'robot'],
        description: 'List only tokens of this kind',
      },
      byUser,
      { name: 'robot', type: 'text', value: 'id|name', takes: 'robot', description: 'List only tokens of this robot' },
      ...pageFlags,
    ],
    examples: [
      'cli tokens list',
      'cli tokens list --user kim@example.com',
      'cli tokens list --kind robot --robot amr-007',
    ],
    operations: ['listTokens', 'listUsers', 'listRobots'],
    load: async () => (await import('../commands/tokens.ts')).listTokens,
  },
  {
    path: 'tokens new',
    summary: 'Issue a token for a user',
    description: 'The token is shown only once. In a pipe, only the token is printed.',
    prints: 'object',
    flags: [
      {
        name: 'user',
        type: 'text',
        value: 'id|email',
        takes: 'user',
        required: true,
        description: 'User of the token',
      },
      labelForPeople,
      expiresInHours(usualLifetimes.token),
    ],
    examples: [
      'cli tokens new --user kim@example.com',
      'cli tokens new --user kim@example.com --label laptop --expires-in-hours 720',
      'cli tokens new --user kim@example.com | cli login --token -',
    ],
    operations: ['createUserToken', 'listUsers'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/tokens.ts')).newToken,
  },
  {
    path: 'tokens ticket',
    summary: 'Create a ticket that opens one live stream of a robot, once and within 30 s',
    description:
      'For programs that cannot send headers, such as browsers: put the ticket in the address in place of the token.',
    prints: 'object',
    arguments: [
      robot,
      { name: 'stream', choices: ['shell', 'logs', 'camera', 'topic'], description: 'Stream that the ticket opens' },
    ],
    examples: ['cli tokens ticket amr-007 logs', 'cli tokens ticket amr-007 shell --json'],
    operations: ['createStreamTicket', 'listRobots'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/tickets.ts')).newTicket,
  },
  {
    path: 'tokens revoke',
    summary: 'Revoke a token',
    prints: 'object',
    arguments: [{ name: 'id', takes: 'token', description: 'ID of the token' }],
    examples: [
      'cli tokens revoke 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51',
      'cli tokens revoke 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51 --json',
    ],
    operations: ['revokeToken', 'listTokens', 'listUsers', 'listRobots'],
    changes: 'confirmed',
    load: async () => (await import('../commands/tokens.ts')).revokeToken,
  },
];
