import type { CommandSpec } from '../command-line/command-spec.ts';
import { logFlags } from '../command-line/global-flags.ts';

export const auditCommands: readonly CommandSpec[] = [
  {
    path: 'audit list',
    summary: 'List changes and who made them, oldest first',
    prints: 'list',
    flags: [
      ...logFlags,
      {
        name: 'operation',
        type: 'text',
        value: 'operation',
        description: 'List only entries of this operation, such as createSite',
      },
      {
        name: 'actor',
        type: 'text',
        value: 'id|email',
        takes: 'user',
        description: 'List only changes by this user, org or enrollment key',
      },
      { name: 'object', type: 'text', value: 'id', description: 'List only changes to this object' },
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
    summary: 'Verify the audit chain: no entry was changed, removed or inserted',
    description:
      'Reads the log and computes the hash of each entry, which covers the previous hash. Exits with 1 and names the first entry that does not match. Prints the head of the log: keep it, and pass it to the next call with --from. In a pipe, only the head is printed. If the operator of the service exported and deleted old entries, the log begins after them, and one of its entries must record that.',
    prints: 'object',
    flags: [
      {
        name: 'from',
        type: 'text',
        value: 'seq:hash',
        description: 'Start at the head that an earlier call printed',
        whenAbsent: 'the first entry',
      },
      {
        name: 'files',
        type: 'text',
        value: 'folder',
        takes: 'file',
        description:
          'Verify exported files first: a folder of fleet-control-service audit export, or one with several of them',
      },
      { name: 'offline', type: 'boolean', description: 'Verify only the files, without the service' },
    ],
    examples: [
      'cli audit verify',
      'cli audit verify > head.txt',
      'cli audit verify --from "$(cat head.txt)"',
      'cli audit verify --json',
      'cli audit verify --files exports',
      'cli audit verify --files exports --offline',
    ],
    operations: ['listAuditEntries'],
    load: async () => (await import('../commands/audit-verify.ts')).verifyAudit,
  },
];
