import type { CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { expiresInHours, logFlags, pageFlags } from '../command-line/global-flags.ts';

const roles = ['viewer', 'operator', 'admin'] as const;
const user = { name: 'user', description: 'Id or address of the user' };
const org = { name: 'org', description: 'Id of the org' };
const byUser: FlagSpec = { name: 'user', type: 'text', value: 'id|email', description: 'Only those of this user' };

export const governCommands: readonly CommandSpec[] = [
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
  {
    path: 'tokens list',
    summary: 'List the tokens of the org, revoked ones too',
    prints: 'list',
    flags: [
      {
        name: 'kind',
        type: 'text',
        value: 'kind',
        choices: ['org', 'user', 'robot'],
        description: 'Only tokens of this kind',
      },
      byUser,
      { name: 'robot', type: 'text', value: 'id|name', description: 'Only tokens of this robot' },
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
    description: 'The token is shown this once. In a pipe it is all that is printed.',
    prints: 'object',
    flags: [
      { name: 'user', type: 'text', value: 'id|email', required: true, description: 'Whose token it is' },
      { name: 'label', type: 'text', value: 'text', description: 'Label for people', whenAbsent: 'none' },
      expiresInHours,
    ],
    examples: [
      'cli tokens new --user kim@example.com',
      'cli tokens new --user kim@example.com --label laptop --expires-in-hours 720',
      'cli tokens new --user kim@example.com | cli login --token -',
    ],
    operations: ['createUserToken', 'listUsers'],
    load: async () => (await import('../commands/tokens.ts')).newToken,
  },
  {
    path: 'tokens ticket',
    summary: 'Get a ticket that opens one live stream of a robot, once and within 30 s',
    description:
      'For programs that cannot send headers, such as browsers: it goes in the address in the place of the token.',
    prints: 'object',
    arguments: [
      { name: 'robot', description: 'Id or name of the robot' },
      { name: 'stream', choices: ['shell', 'logs', 'camera', 'topic'], description: 'What it opens' },
    ],
    examples: ['cli tokens ticket amr-007 logs', 'cli tokens ticket amr-007 shell --json'],
    operations: ['createStreamTicket', 'listRobots'],
    load: async () => (await import('../commands/tickets.ts')).newTicket,
  },
  {
    path: 'tokens revoke',
    summary: 'Revoke a token',
    prints: 'object',
    arguments: [{ name: 'id', description: 'Id of the token' }],
    examples: [
      'cli tokens revoke 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51',
      'cli tokens revoke 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c51 --json',
    ],
    operations: ['revokeToken', 'listUsers', 'listRobots'],
    load: async () => (await import('../commands/tokens.ts')).revokeToken,
  },
  {
    path: 'audit list',
    summary: 'List who changed what, oldest first',
    prints: 'list',
    flags: [
      ...logFlags,
      {
        name: 'operation',
        type: 'text',
        value: 'operation',
        description: 'Only entries of this operation, as in createSite',
      },
      {
        name: 'actor',
        type: 'text',
        value: 'id|email',
        description: 'Only changes by this user, org or enrollment key',
      },
      { name: 'object', type: 'text', value: 'id', description: 'Only changes to this object' },
    ],
    examples: [
      'cli audit list',
      'cli audit list --limit 20',
      'cli audit list --after 41 -o jsonl',
      'cli audit list --operation createSite',
      'cli audit list --actor kim@example.com',
    ],
    operations: ['listAuditEntries', 'listUsers', 'listEnrollmentKeys', 'getWhoami'],
    load: async () => (await import('../commands/audit.ts')).listAudit,
  },
  {
    path: 'audit verify',
    summary: 'Prove that no entry was changed, removed or put in between',
    description:
      'Reads the log and computes each entry’s hash, which covers the one before. Ends with 1 and names the first entry that does not fit. Prints the head of the log; keep it, and give it to the next call. In a pipe the head is all that is printed.',
    prints: 'object',
    flags: [
      {
        name: 'from',
        type: 'text',
        value: 'seq:hash',
        description: 'Begin at the head that an earlier call printed',
        whenAbsent: 'the first entry',
      },
    ],
    examples: [
      'cli audit verify',
      'cli audit verify > head.txt',
      'cli audit verify --from "$(cat head.txt)"',
      'cli audit verify --json',
    ],
    operations: ['listAuditEntries'],
    load: async () => (await import('../commands/audit-verify.ts')).verifyAudit,
  },
];

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
    flags: [{ name: 'label', type: 'text', value: 'text', description: 'Label for people', whenAbsent: 'none' }],
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
