import type { CommandSpec } from '../command-line/command-spec.ts';
import { labelForPeople, pageFlags } from '../command-line/global-flags.ts';

const org = { name: 'org', description: 'Id of the org' };

export const adminCommands: readonly CommandSpec[] = [
  {
    path: 'admin orgs list',
    summary: 'List the orgs of the service',
    prints: 'list',
    flags: [
      {
        name: 'status',
        type: 'text',
        value: 'status',
        choices: ['pending', 'approved', 'suspended'],
        description: 'Only orgs of this status',
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
    summary: 'Create an org, which waits for approval',
    prints: 'object',
    arguments: [{ name: 'name', description: 'Name of the org' }],
    examples: ['cli admin orgs create "Acme Robotics"', 'org=$(cli admin orgs create Acme --fields id)'],
    operations: ['createOrg'],
    load: async () => (await import('../commands/admin.ts')).createOrg,
  },
  {
    path: 'admin orgs approve',
    summary: 'Approve an org and issue its token',
    description: 'The token is shown this once. In a pipe it is all that is printed.',
    prints: 'object',
    arguments: [org],
    examples: [
      'cli admin orgs approve 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01',
      'cli admin orgs approve 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01 | cli login --token -',
    ],
    operations: ['approveOrg'],
    load: async () => (await import('../commands/admin.ts')).approveOrg,
  },
  {
    path: 'admin orgs token',
    summary: 'Issue an org another token, for one that is lost',
    description: 'The token is shown this once. In a pipe it is all that is printed.',
    prints: 'object',
    arguments: [org],
    flags: [labelForPeople],
    examples: [
      'cli admin orgs token 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01',
      'cli admin orgs token 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01 --label "replaces the lost one"',
      'cli admin orgs token 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01 | cli login --token -',
    ],
    operations: ['createOrgToken'],
    load: async () => (await import('../commands/tokens.ts')).newOrgToken,
  },
  {
    path: 'admin orgs suspend',
    summary: 'Refuse every token of an org; nothing is deleted',
    prints: 'object',
    arguments: [org],
    examples: ['cli admin orgs suspend 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01'],
    operations: ['suspendOrg'],
    load: async () => (await import('../commands/admin.ts')).suspendOrg,
  },
  {
    path: 'admin orgs resume',
    summary: 'Take the tokens of a suspended org again',
    prints: 'object',
    arguments: [org],
    examples: ['cli admin orgs resume 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01'],
    operations: ['resumeOrg'],
    load: async () => (await import('../commands/admin.ts')).resumeOrg,
  },
  {
    path: 'admin stats',
    summary: 'Show counts over all orgs',
    prints: 'object',
    examples: ['cli admin stats', 'cli admin stats --fields robots,database_bytes', 'cli admin stats --json'],
    operations: ['getStats'],
    load: async () => (await import('../commands/admin.ts')).showStats,
  },
];
