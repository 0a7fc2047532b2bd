import type { ArgumentSpec, CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';
import { byFleet, bySite } from './list-flags.ts';

const rule: ArgumentSpec = { name: 'rule', takes: 'log redaction rule', description: 'ID or name of the rule' };

const pattern: FlagSpec = {
  name: 'pattern',
  type: 'text',
  value: 'expression',
  description: 'Regular expression in RE2 syntax for what is replaced; quote it',
};

const replacement: FlagSpec = {
  name: 'replacement',
  type: 'text',
  value: 'text',
  mayBeEmpty: true,
  description: 'Text in place of each match; "" for none',
};

export const redactionCommands: readonly CommandSpec[] = [
  {
    path: 'redactions list',
    summary: 'List log redaction rules',
    prints: 'list',
    flags: pageFlags,
    examples: ['cli redactions list', 'cli redactions list -o wide', 'cli redactions list --json'],
    operations: ['listLogRedactions'],
    load: async () => (await import('../commands/redactions.ts')).listRedactions,
  },
  {
    path: 'redactions show',
    summary: 'Show a log redaction rule',
    prints: 'details',
    arguments: [rule],
    examples: ['cli redactions show jwt', 'cli redactions show door-code -o yaml'],
    operations: ['getLogRedaction', 'listLogRedactions'],
    load: async () => (await import('../commands/redactions.ts')).showRedaction,
  },
  {
    path: 'redactions create',
    summary: 'Create a log redaction rule; requires the role admin',
    description:
      'Within seconds, it applies to the message and the fields of all log records that arrive. Stored records stay as they are.',
    prints: 'object',
    arguments: [{ name: 'name', description: 'Name of the rule' }],
    flags: [
      { ...pattern, required: true },
      { ...replacement, whenAbsent: '[redacted: <name>]' },
    ],
    examples: [
      'cli redactions create door-code --pattern "door code: ?[0-9]{4}"',
      'cli redactions create pin --pattern "(?i)pin=[0-9]+" --replacement pin=***',
    ],
    operations: ['createLogRedaction'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/redactions.ts')).createRedaction,
  },
  {
    path: 'redactions test',
    summary: 'Test a log redaction pattern on stored log records; requires the role admin',
    description:
      'Prints the messages that a rule with this pattern would change, before and after. Nothing is stored. Fields of records are not tested.\nThe enabled rules of the org apply too, as to arriving records; stored records have passed them already.',
    prints: 'list',
    arguments: [{ name: 'pattern', description: 'Regular expression in RE2 syntax; quote it' }],
    flags: [
      { ...replacement, whenAbsent: '[redacted]' },
      {
        name: 'text',
        type: 'text',
        value: 'line',
        multiple: true,
        mayBeEmpty: true,
        description: 'Test this line in place of records; repeat for several, "-" reads lines from stdin',
      },
      { name: 'robot', type: 'text', value: 'id|name', takes: 'robot', description: 'Test only records of this robot' },
      { ...byFleet, description: 'Test only records from members of this fleet' },
      { ...bySite, description: 'Test only records from members of the fleets of this site' },
      {
        name: 'since',
        type: 'text',
        value: 'when',
        description:
          'Test only records that the service received since then: a time span before now such as 15m, a local time such as 02:13, or an RFC 3339 time',
      },
      {
        name: 'until',
        type: 'text',
        value: 'when',
        description: 'Test only records that the service received before then, in the format of --since',
      },
      {
        name: 'limit',
        type: 'integer',
        value: 'n',
        min: 1,
        max: 10_000,
        description: 'Test at most this many of the latest records, 1 to 10000',
        whenAbsent: '500',
      },
    ],
    examples: [
      'cli redactions test "door code: ?[0-9]{4}"',
      'cli redactions test "(?i)pin=[0-9]+" --replacement pin=*** --robot amr-007 --since 1h',
      'cli redactions test "door code: ?[0-9]{4}" --text "opened with door code: 1234"',
    ],
    operations: ['testLogRedaction', 'listLogs', 'listRobots', 'listFleets', 'listSites'],
    load: async () => (await import('../commands/redactions-test.ts')).testRedaction,
  },
  {
    path: 'redactions update',
    summary: 'Change a log redaction rule; requires the role admin',
    description: 'Flags that you omit change nothing. Built-in rules take only --enable and --disable.',
    prints: 'object',
    arguments: [rule],
    flags: [
      { name: 'name', type: 'text', value: 'name', description: 'New name' },
      pattern,
      replacement,
      { name: 'enable', type: 'boolean', description: 'Apply the rule' },
      { name: 'disable', type: 'boolean', description: 'Do not apply the rule, and keep it' },
    ],
    examples: ['cli redactions update door-code --disable', 'cli redactions update jwt --disable'],
    operations: ['updateLogRedaction', 'listLogRedactions'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/redactions.ts')).updateRedaction,
  },
  {
    path: 'redactions delete',
    summary: 'Delete a log redaction rule; requires the role admin',
    description: 'Built-in rules cannot be deleted; disable them.',
    prints: 'object',
    arguments: [rule],
    examples: ['cli redactions delete door-code', 'cli redactions delete door-code --fields id'],
    operations: ['deleteLogRedaction', 'getLogRedaction', 'listLogRedactions'],
    changes: 'confirmed',
    load: async () => (await import('../commands/redactions.ts')).deleteRedaction,
  },
];
