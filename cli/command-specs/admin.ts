import type { CommandSpec } from '../command-line/command-spec.ts';
import { labelForPeople, pageFlags } from '../command-line/global-flags.ts';

const org = { name: 'org', description: 'ID or name of the org' };

export const adminCommands: readonly CommandSpec[] = [
  {
    path: 'admin orgs list',
    summary: 'List orgs',
    prints: 'list',
    flags: [
      {
        name: 'status',
        type: 'text',
        value: 'status',
        choices: ['pending', 'approved', 'suspended'],
        description: 'List only orgs with this status',
      },
      ...pageFlags,
    ],
    examples: [
      'cli admin orgs list',
      'cli admin orgs list --status pending',
      'SERVICE_ADMIN_TOKEN=… cli admin orgs list -o wide',
    ],
    operations: ['listOrgs'],
    load: async () => (await import('../commands/admin.ts')).listOrgs,
  },
  {
    path: 'admin orgs create',
    summary: 'Create an org that awaits approval',
    prints: 'object',
    arguments: [{ name: 'name', description: 'Name of the org' }],
    examples: ['cli admin orgs create "Acme Robotics"', 'org=$(cli admin orgs create Acme --fields id)'],
    operations: ['createOrg'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/admin.ts')).createOrg,
  },
  {
    path: 'admin orgs approve',
    summary: 'Approve an org and issue its token',
    description: 'The token is shown only once. In a pipe, only the token is printed.',
    prints: 'object',
    arguments: [org],
    examples: [
      'cli admin orgs approve 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01',
      'cli admin orgs approve 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01 | cli login --token -',
    ],
    operations: ['approveOrg', 'listOrgs'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/admin.ts')).approveOrg,
  },
  {
    path: 'admin orgs token',
    summary: 'Issue another token for an org, such as for a lost one',
    description: 'The token is shown only once. In a pipe, only the token is printed.',
    prints: 'object',
    arguments: [org],
    flags: [labelForPeople],
    examples: [
      'cli admin orgs token 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01',
      'cli admin orgs token 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01 --label "replaces the lost one"',
      'cli admin orgs token 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01 | cli login --token -',
    ],
    operations: ['createOrgToken', 'listOrgs'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/tokens.ts')).newOrgToken,
  },
  {
    path: 'admin orgs suspend',
    summary: 'Suspend an org: refuse its tokens, delete nothing',
    prints: 'object',
    arguments: [org],
    examples: ['cli admin orgs suspend 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01', 'cli admin orgs suspend "Acme Robotics"'],
    operations: ['suspendOrg', 'listOrgs'],
    changes: 'confirmed',
    load: async () => (await import('../commands/admin.ts')).suspendOrg,
  },
  {
    path: 'admin orgs resume',
    summary: 'Resume a suspended org: accept its tokens again',
    prints: 'object',
    arguments: [org],
    examples: ['cli admin orgs resume 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01'],
    operations: ['resumeOrg', 'listOrgs'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/admin.ts')).resumeOrg,
  },
  {
    path: 'admin stats',
    summary: 'Show counts across all orgs',
    prints: 'object',
    examples: ['cli admin stats', 'cli admin stats --fields robots,database_bytes', 'cli admin stats --json'],
    operations: ['getStats'],
    load: async () => (await import('../commands/admin.ts')).showStats,
  },
  {
    path: 'admin status',
    summary: 'Show what needs attention, and the state of the service',
    description:
      'Shows replicas, lags, queues, the last backup, disk space and quotas near their limit. What needs attention comes first, the worst on top. With --check, exits with 1 if there is any.',
    prints: 'details',
    flags: [{ name: 'check', type: 'boolean', description: 'Exit with 1 if something needs attention' }],
    examples: ['cli admin status', 'cli admin status --check', 'cli admin status --json'],
    operations: ['getStatus'],
    load: async () => (await import('../commands/admin-status.ts')).showStatus,
  },
];
