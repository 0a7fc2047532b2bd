import { usage } from '../command-line/errors.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import type { Tone } from '../command-line/colour.ts';
import type { formats } from '../command-line/output-formats.ts';
import { safeJson } from './safe.ts';

/** One field of an API object, and its form for people. */
export interface Column<T> {
  field: keyof T & string;
  /** Default: the field in upper case. */
  header?: string;
  /** table: always; wide: with `-o wide` and in TSV; asked: only with `--fields`. */
  shown: 'table' | 'wide' | 'asked';
  /** An RFC 3339 instant, relative in a table. */
  time?: boolean;
  /** Never cut to fit a table to the screen; ids never are. Default: false. */
  whole?: boolean;
  /** Omitted from a table that is too wide for the terminal; the lowest number first. Default: never. */
  dropped?: number;
  /** Text in a table; default: the value. */
  text?: (item: T) => string;
  tone?: (item: T) => Tone | undefined;
}

/** The form of a list or an object of the API. The order of columns is that of TSV, on which scripts depend. */
export interface View<T> {
  columns: readonly Column<T>[];
  /** What `-o name` prints. */
  name: (item: T) => string;
}

type Format = (typeof formats)[number] | 'raw';

export function formatOf({ flags, io }: Invocation): Format {
  if (flags.on('json')) return 'raw';
  // The parser accepts only these values.
  const asked = flags.text('output') as Format | undefined;
  return asked ?? (io.out.tty ? 'table' : 'tsv');
}

/** True if the output is for people, who then get more on stderr. */
export const isForPeople = (call: Invocation) => formatOf(call) === 'table' || formatOf(call) === 'wide';

/** True if `--watch` redraws the terminal; it writes lines otherwise. */
export const drawsScreen = (call: Invocation) => call.io.out.tty && !call.environment.dumb && isForPeople(call);

/** True if no flag selects a format. */
export const isPlain = ({ flags }: Invocation) =>
  !flags.on('json') && flags.text('output') === undefined && flags.text('fields') === undefined;

/** True if `--fields help` was handled: then no request is needed. */
export function answeredFieldsHelp<T>(call: Invocation, { columns }: View<T>): boolean {
  if (call.flags.text('fields') !== 'help') {
    checkFields(call, columns);
    checkWatch(call);
    return false;
  }
  for (const { field } of columns) call.io.out.write(`${field}\n`);
  return true;
}

function checkFields<T>({ flags }: Invocation, columns: readonly Column<T>[]): void {
  if (flags.on('json') && flags.text('output') !== undefined)
    throw usage('--json and --output exclude each other', '--json prints the unchanged body. Use one of the two');
  const fields = flags.text('fields');
  if (fields === undefined) return;
  if (flags.on('json'))
    throw usage(
      '--json and --fields exclude each other',
      '--json prints the unchanged body. Select fields with: -o json --fields <a,b>',
    );
  for (const field of fields.split(',')) {
    if (columns.some((column) => column.field === field)) continue;
    throw usage(`unknown field "${field}"`, `Fields: ${columns.map((column) => column.field).join(', ')}`);
  }
}

function checkWatch(call: Invocation): void {
  const { flags } = call;
  const output = flags.text('output');
  if (!flags.has('watch') || !flags.on('watch') || output === undefined || output === 'jsonl') return;
  if (!drawsScreen(call))
    throw usage(`--watch prints jsonl here, not ${output}`, 'Use -o jsonl; table and wide require a terminal');
}

/** The columns of `--fields`, else those of the format. */
export function columnsOf<T>(call: Invocation, { columns }: View<T>): readonly Column<T>[] {
  const fields = call.flags.text('fields')?.split(',');
  if (fields) return fields.flatMap((field) => columns.filter((column) => column.field === field));
  return columns.filter(({ shown }) => shown === 'table' || (shown === 'wide' && formatOf(call) !== 'table'));
}

/** The object, or only its fields of `--fields`. */
export function chosen<T extends object>(call: Invocation, item: T, columns: readonly Column<T>[]): unknown {
  if (call.flags.text('fields') === undefined) return item;
  return Object.fromEntries(columns.map(({ field }) => [field, item[field]]));
}

/** A value as text, for a cell. */
export function plain(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** JSON, safe on a terminal. */
export const onTerminal = ({ io }: Invocation, json: string) => (io.out.tty ? safeJson(json) : json);
