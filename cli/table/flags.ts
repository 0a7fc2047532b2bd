import { formats } from '../output/render-formats.ts';
import type { CommandSpec, FlagSpec } from '../spec.ts';

/** Taken by every command. */
export const globalFlags: readonly FlagSpec[] = [
  { name: 'json', type: 'boolean', description: 'Print the body of the API’s reply as it came' },
  {
    name: 'base-url',
    type: 'text',
    value: 'url',
    description: 'Address of the service for this call',
    whenAbsent: 'the one of login, else http://127.0.0.1:8080',
  },
  { name: 'color', type: 'boolean', on: true, description: 'Write no colours' },
  { name: 'debug', type: 'boolean', description: 'Print the stack of an error' },
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
const limit: FlagSpec = {
  name: 'limit',
  type: 'integer',
  value: 'n',
  min: 1,
  max: 1000,
  description: 'At most this many, 1 to 1000',
  whenAbsent: 'all',
};

/** A page of a list: for the lists that the service numbers by a cursor. */
export const pageFlags: readonly FlagSpec[] = [
  limit,
  {
    name: 'cursor',
    type: 'text',
    value: 'cursor',
    description: 'The next_cursor of the page before; goes with --limit',
    whenAbsent: 'the first page',
  },
];

/** For the audit log, which has no end. */
export const logFlags: readonly FlagSpec[] = [
  { ...limit, whenAbsent: '1000' },
  {
    name: 'after',
    type: 'integer',
    value: 'seq',
    description: 'Only entries after this number',
    whenAbsent: 'the latest ones',
  },
];

/** The flags a command takes: its own, those of its output, and the global ones. */
export function flagsOf({ flags = [], prints }: CommandSpec): readonly FlagSpec[] {
  return [...flags, ...(prints === undefined ? [] : [output, fields]), ...globalFlags];
}
