import type { CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';

const org = { name: 'org', description: 'ID or name of the org' };
const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01';

const limitFlags: readonly FlagSpec[] = (
  [
    ['max-robots', 'Robots that are not retired; none removes the limit'],
    ['max-artifact-bytes', 'Bytes of all stored artifacts; none removes the limit'],
    ['max-live-streams', 'Open live streams; none removes the limit'],
    ['max-log-bytes-per-day', 'Bytes of log records stored per day (UTC); none removes the limit'],
  ] as const
).map(([name, description]) => ({ name, type: 'text', value: 'n|none', description, whenAbsent: 'as it is' }));

/** For members of the org. */
export const quotaCommands: readonly CommandSpec[] = [
  {
    path: 'org quotas',
    summary: 'Show what the org may have, and what it has',
    prints: 'details',
    examples: ['cli org quotas', 'cli org quotas --fields robots'],
    operations: ['getQuotas'],
    load: async () => (await import('../commands/quotas.ts')).showQuotas,
  },
];

/** For the operator of the service. */
export const adminQuotaCommands: readonly CommandSpec[] = [
  {
    path: 'admin orgs quotas',
    summary: 'Show what an org may have, and what it has',
    prints: 'details',
    arguments: [org],
    examples: [`cli admin orgs quotas ${id}`, 'cli admin orgs quotas "Acme Robotics"'],
    operations: ['getOrgQuotas', 'listOrgs'],
    load: async () => (await import('../commands/quotas.ts')).showOrgQuotas,
  },
  {
    path: 'admin orgs set-quotas',
    summary: 'Limit what an org may have; other limits stay as they are',
    description: 'A limit below what the org has removes nothing: it refuses what would be added.',
    prints: 'object',
    arguments: [org],
    flags: limitFlags,
    examples: [
      `cli admin orgs set-quotas ${id} --max-robots 500`,
      `cli admin orgs set-quotas ${id} --max-robots none --max-artifact-bytes 107374182400`,
    ],
    operations: ['setOrgQuotas', 'getOrgQuotas', 'listOrgs'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/quotas.ts')).setOrgQuotas,
  },
];
