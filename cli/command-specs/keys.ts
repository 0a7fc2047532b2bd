import type { CommandSpec } from '../command-line/command-spec.ts';
import { expiresInHours, labelForPeople, pageFlags } from '../command-line/global-flags.ts';
import { usualLifetimes } from '../command-line/usual-lifetimes.ts';
import { byFleet, bySite } from './list-flags.ts';

export const keyCommands: readonly CommandSpec[] = [
  {
    path: 'keys list',
    summary: 'List enrollment keys, including revoked ones',
    prints: 'list',
    flags: [bySite, byFleet, ...pageFlags],
    examples: ['cli keys list', 'cli keys list --fleet pickers', 'cli keys list --fields id,label,uses,revoked_at'],
    operations: ['listEnrollmentKeys', 'listSites', 'listFleets'],
    load: async () => (await import('../commands/keys.ts')).listKeys,
  },
  {
    path: 'keys new',
    summary: 'Create an enrollment key',
    description: 'The key is shown only once. In a pipe, only the key is printed.',
    prints: 'object',
    flags: [
      {
        name: 'site',
        type: 'text',
        value: 'id|name',
        takes: 'site',
        required: true,
        description: 'Site that its robots join',
      },
      {
        name: 'fleet',
        type: 'text',
        value: 'id|name',
        takes: 'fleet',
        required: true,
        description: 'Fleet that its robots join',
      },
      labelForPeople,
      {
        name: 'max-uses',
        type: 'integer',
        value: 'n',
        min: 1,
        max: 1_000_000,
        description: 'Number of robots that the key can enroll',
        whenAbsent: 'unlimited',
      },
      expiresInHours(usualLifetimes.key),
    ],
    examples: [
      'cli keys new --site Osaka --fleet pickers',
      'key=$(cli keys new --site Osaka --fleet pickers --max-uses 25 --expires-in-hours 24)',
      'cli keys new --site Osaka --fleet pickers --label "line 2" --json',
    ],
    operations: ['createEnrollmentKey', 'listSites', 'listFleets'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/keys.ts')).newKey,
  },
  {
    path: 'keys revoke',
    summary: 'Revoke an enrollment key',
    prints: 'object',
    arguments: [{ name: 'id', takes: 'enrollment key', description: 'ID of the key' }],
    examples: [
      'cli keys revoke 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71',
      'cli keys revoke 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71 --json',
    ],
    operations: ['revokeEnrollmentKey', 'listEnrollmentKeys'],
    changes: 'confirmed',
    load: async () => (await import('../commands/keys.ts')).revokeKey,
  },
];
