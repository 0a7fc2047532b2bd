import { formats } from './output-formats.ts';
import type { CommandSpec } from './command-spec.ts';
import type { FlagSpec } from './flag-spec.ts';

/** Accepted by every command. */
export const globalFlags: readonly FlagSpec[] = [
  { name: 'json', type: 'boolean', description: 'Print the body of the API’s reply as it came' },
  {
    name: 'base-url',
    type: 'text',
    value: 'url',
    description: 'Address of the service for this call',
    whenAbsent: 'the one of login, else http://127.0.0.1:8080',
  },
  {
    name: 'profile',
    type: 'text',
    value: 'name',
    description: 'Token and address of this profile',
    whenAbsent: 'SERVICE_PROFILE, else the one of context use',
  },
  {
    name: 'org',
    type: 'text',
    value: 'org',
    description: 'Id or name of one of the token’s orgs',
    whenAbsent: 'the only one it has',
  },
  {
    name: 'ca-file',
    type: 'text',
    value: 'file',
    description: 'Trust the certificates of this file too',
    whenAbsent: 'NODE_EXTRA_CA_CERTS',
  },
  { name: 'color', type: 'boolean', on: true, description: 'Write no colours' },
  { name: 'debug', type: 'boolean', description: 'Print each request on stderr, and the stack of an error' },
  { name: 'help', type: 'boolean', short: 'h', description: 'Show help for the command' },
];

const output: FlagSpec = {
  name: 'output',
  type: 'text',
  short: 'o',
  value: 'format',
  choices: formats,
  description: 'Format of the output',
  whenAbsent: 'table on a terminal, tsv elsewhere',
};
const fields: FlagSpec = {
  name: 'fields',
  type: 'text',
  value: 'a,b',
  description: 'Only these fields, in this order; "help" lists them',
  whenAbsent: 'the usual ones',
};
const pager: FlagSpec = {
  name: 'pager',
  type: 'boolean',
  on: true,
  description: 'Print a long list without a pager; CLI_PAGER and PAGER choose one',
};
const limit: FlagSpec = {
  name: 'limit',
  type: 'integer',
  value: 'n',
  min: 1,
  description: 'At most this many in all',
  whenAbsent: 'all',
};
const watch: FlagSpec = {
  name: 'watch',
  type: 'boolean',
  description: 'Ask every 2 s: a terminal is redrawn, elsewhere changed rows come as JSON lines; Ctrl-C ends it',
};

/** Page of a list, for lists with a cursor. */
export const pageFlags: readonly FlagSpec[] = [
  limit,
  {
    name: 'cursor',
    type: 'text',
    value: 'cursor',
    description: 'Begin after a page: its next_cursor',
    whenAbsent: 'the first page',
  },
  {
    name: 'page-size',
    type: 'integer',
    value: 'n',
    min: 1,
    max: 1000,
    description: 'Ask page by page of this size and print each as it comes, 1 to 1000',
    whenAbsent: 'one complete list; 1000 where a limit or a cursor is given',
  },
  { name: 'paginate', type: 'boolean', on: true, description: 'Print the first page only' },
  watch,
];

/** For the audit log, which has no end. */
export const logFlags: readonly FlagSpec[] = [
  { ...limit, max: 1000, description: 'At most this many, 1 to 1000', whenAbsent: '1000' },
  {
    name: 'after',
    type: 'integer',
    value: 'seq',
    description: 'Only entries after this number',
    whenAbsent: 'the latest ones',
  },
  watch,
];

/** Label of a key or a token. */
export const labelForPeople: FlagSpec = {
  name: 'label',
  type: 'text',
  value: 'text',
  description: 'Label for people',
  whenAbsent: 'none',
};

/** Lifetime of a key or a token; the limit is the contract's. */
export const expiresInHours: FlagSpec = {
  name: 'expires-in-hours',
  type: 'integer',
  value: 'n',
  min: 0,
  max: 87_600,
  description: 'Life in hours; 0 means it never expires',
  whenAbsent: '0',
};

/** Accepted before the command's words too. A command that does not declare one of them rejects it there as well. */
const leadingFlags: readonly FlagSpec[] = [...globalFlags, output, fields, pager];

/** True for a flag before the command's words whose value is the next word, such as `-o` in `-o json robots list`. */
export const hasSeparateValue = (token: string): boolean =>
  leadingFlags.some(
    ({ name, short, type }) =>
      type !== 'boolean' && (token === `--${name}` || (short !== undefined && token === `-${short}`)),
  );

/** A command's flags: its own, those of its output, and the global ones whose names it does not redefine. */
export function flagsOf({ flags = [], prints }: CommandSpec): readonly FlagSpec[] {
  const ofOutput = prints === undefined ? [] : prints === 'list' ? [output, fields, pager] : [output, fields];
  return [...flags, ...ofOutput, ...globalFlags.filter(({ name }) => !flags.some((flag) => flag.name === name))];
}

export const enrollmentKey: FlagSpec = {
  name: 'enrollment-key',
  type: 'text',
  value: 'key',
  description: 'Key to enroll with on the first run',
  whenAbsent: 'SERVICE_ENROLLMENT_KEY',
};
