import { formats } from './output-formats.ts';
import type { CommandSpec } from './command-spec.ts';
import type { FlagSpec } from './flag-spec.ts';

/** Accepted by every command. */
export const globalFlags: readonly FlagSpec[] = [
  { name: 'json', type: 'boolean', description: 'Print the unchanged body of the API’s response' },
  {
    name: 'base-url',
    type: 'text',
    value: 'url',
    description: 'Address of the service',
    whenAbsent: 'address of login, else http://127.0.0.1:8080',
  },
  {
    name: 'profile',
    type: 'text',
    value: 'name',
    takes: 'profile',
    description: 'Use the token and address of this profile',
    whenAbsent: 'SERVICE_PROFILE, else the profile of context use',
  },
  {
    name: 'org',
    type: 'text',
    value: 'org',
    takes: 'org',
    description: 'Use this org of the token, by ID or name',
    whenAbsent: 'the only org of the token',
  },
  {
    name: 'ca-file',
    type: 'text',
    value: 'file',
    takes: 'file',
    description: 'Also trust the certificates in this file',
    whenAbsent: 'NODE_EXTRA_CA_CERTS',
  },
  { name: 'color', type: 'boolean', on: true, description: 'Print without colors' },
  { name: 'debug', type: 'boolean', description: 'Print requests and error stacks on stderr' },
  { name: 'help', type: 'boolean', short: 'h', description: 'Show help for the command' },
];

const output: FlagSpec = {
  name: 'output',
  type: 'text',
  short: 'o',
  value: 'format',
  choices: formats,
  description: 'Output format',
  whenAbsent: 'table on a terminal; elsewhere tsv, or kv of one object that is read',
};
const fields: FlagSpec = {
  name: 'fields',
  type: 'text',
  value: 'a,b',
  description: 'Print only these fields, in this order; "help" lists them',
  whenAbsent: 'the usual fields',
};
const jq: FlagSpec = {
  name: 'jq',
  type: 'text',
  value: 'expression',
  description: 'Print the results of this jq expression on the JSON of --json, texts without quotes',
};
const pager: FlagSpec = {
  name: 'pager',
  type: 'boolean',
  on: true,
  description: 'Print long lists without a pager; CLI_PAGER or PAGER selects the pager',
};
const limit: FlagSpec = {
  name: 'limit',
  type: 'integer',
  value: 'n',
  min: 1,
  description: 'List at most this many entries',
  whenAbsent: 'all',
};
/** For lists that are not paged; `pageFlags` has it too. */
export const watchFlag: FlagSpec = {
  name: 'watch',
  type: 'boolean',
  description: 'Refresh every 2 s until Ctrl-C: redraw a terminal, else print changed rows as JSON lines',
};

/** Page of a list, for lists with a cursor. */
export const pageFlags: readonly FlagSpec[] = [
  limit,
  {
    name: 'cursor',
    type: 'text',
    value: 'cursor',
    description: 'Start after a page: its next_cursor',
    whenAbsent: 'the first page',
  },
  {
    name: 'page-size',
    type: 'integer',
    value: 'n',
    min: 1,
    max: 1000,
    description: 'Read pages of this size, 1 to 1000, and print each on arrival',
    whenAbsent: 'one complete list; 1000 with --limit or --cursor',
  },
  { name: 'paginate', type: 'boolean', on: true, description: 'Print the first page only' },
  watchFlag,
];

/** For the audit log, which has no end. */
export const logFlags: readonly FlagSpec[] = [
  { ...limit, max: 1000, description: 'List at most this many entries, 1 to 1000', whenAbsent: '1000' },
  {
    name: 'after',
    type: 'integer',
    value: 'seq',
    description: 'List only entries after this number',
    whenAbsent: 'the latest entries',
  },
  watchFlag,
];

/** Label of a key or a token. */
export const labelForPeople: FlagSpec = {
  name: 'label',
  type: 'text',
  value: 'text',
  description: 'Free-text label',
  whenAbsent: 'none',
};

/** Lifetime of a key or a token; the limit is the contract's. `usualDays`: the default in a terminal. */
export const expiresInHours = (usualDays: number): FlagSpec => ({
  name: 'expires-in-hours',
  type: 'integer',
  value: 'n',
  min: 0,
  max: 87_600,
  description: 'Lifetime in hours; 0 means it never expires',
  whenAbsent: `${24 * usualDays} (${usualDays} days) in a terminal; elsewhere 0, with a warning`,
});

/** Accepted before the command's words too. A command that does not declare one of them rejects it there as well. */
const leadingFlags: readonly FlagSpec[] = [...globalFlags, output, fields, jq, pager];

/** True for a flag before the command's words whose value is the next word, such as `-o` in `-o json robots list`. */
export const hasSeparateValue = (token: string): boolean =>
  leadingFlags.some(
    ({ name, short, type }) =>
      type !== 'boolean' && (token === `--${name}` || (short !== undefined && token === `-${short}`)),
  );

const dryRun: FlagSpec = {
  name: 'dry-run',
  type: 'boolean',
  description: 'Show the effect and the request, and send nothing',
};
const yes: FlagSpec = {
  name: 'yes',
  type: 'boolean',
  short: 'y',
  description: 'Skip the question that a terminal asks first',
};

/**
 * A command's flags: its own, those of its change, those of its output, and the global ones whose names it does not
 * redefine.
 */
export function flagsOf({ flags = [], prints, program, changes }: CommandSpec): readonly FlagSpec[] {
  const ofChange = changes === undefined ? [] : changes === 'confirmed' ? [yes, dryRun] : [dryRun];
  // Only the client itself has jq: the agent alone is one small file.
  const json = prints === undefined || program !== undefined ? [] : [jq];
  const formatted = prints === undefined || prints === 'json' ? [] : [output, fields];
  const ofOutput = [...formatted, ...json, ...(prints === 'list' ? [pager] : [])];
  return [
    ...flags,
    ...ofChange,
    ...ofOutput,
    ...globalFlags.filter(({ name }) => !flags.some((flag) => flag.name === name)),
  ];
}

export const enrollmentKey: FlagSpec = {
  name: 'enrollment-key',
  type: 'text',
  value: 'key',
  description: 'Enroll with this key on the first run',
  whenAbsent: 'SERVICE_ENROLLMENT_KEY',
};
