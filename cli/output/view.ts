import { usage } from '../command-line/errors.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import type { Tone } from '../command-line/colour.ts';
import type { formats } from '../command-line/output-formats.ts';
import { safeJson } from './safe.ts';

/** One field of an API object, and its form for people. */
export interface Column<T> {
  field: (keyof T & string) | NameField;
  /** The value of a field that the API does not have, such as a `NameField`. Default: the field of the item. */
  value?: (item: T) => string | undefined;
  /** Default: the field in upper case. */
  header?: string;
  /** table: always; wide: with `-o wide` and in TSV; lines: in TSV and key-value lines; asked: only with `--fields`. */
  shown: 'table' | 'wide' | 'lines' | 'asked';
  /** Added after others: last in lines, where scripts rely on positions. Default: in the order of the view. */
  late?: boolean;
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

/** The name of an object that another field has the ID of, such as `fleet_name`. The client looks it up. */
type NameField = `${string}_name`;

/** The column of a name beside an ID. It comes last: scripts rely on the positions of those before it. */
export const nameColumn = <T>(field: NameField, value: (item: T) => string | undefined): Column<T> => ({
  field,
  value,
  shown: 'lines',
});

/** The form of a list or an object of the API. The order of columns is that of TSV, on which scripts depend. */
export interface View<T> {
  columns: readonly Column<T>[];
  /** What `-o name` prints. */
  name: (item: T) => string;
}

type Format = (typeof formats)[number] | 'raw';

export function formatOf({ command, flags, io }: Invocation): Format {
  if (flags.on('json')) return 'raw';
  // The parser accepts only these values.
  const asked = flags.text('output') as Format | undefined;
  if (asked !== undefined) return asked;
  if (io.out.tty) return 'table';
  return command.prints === 'details' && flags.text('fields') === undefined ? 'kv' : 'tsv';
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
  for (const { field } of inLineOrder(columns)) call.io.out.write(`${field}\n`);
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
  const format = formatOf(call);
  const also: readonly string[] = isForPeople(call) ? [format] : ['wide', 'lines'];
  const found = columns.filter(({ shown }) => shown === 'table' || also.includes(shown));
  return isForPeople(call) ? found : inLineOrder(found);
}

/** Columns in the order of lines: what was added later comes last, before the names of other objects. */
function inLineOrder<T>(columns: readonly Column<T>[]): readonly Column<T>[] {
  const rank = ({ late, shown }: Column<T>) => (shown === 'lines' ? 2 : late === true ? 1 : 0);
  return [...columns].sort((one, other) => rank(one) - rank(other));
}

/** Whether the output has names of other objects, which a list then loads. */
export function needsNames<T>(call: Invocation, view: View<T>): boolean {
  if (call.flags.text('fields') === undefined && ['raw', 'json', 'jsonl', 'yaml', 'name'].includes(formatOf(call)))
    return false;
  return isForPeople(call) || columnsOf(call, view).some(({ value }) => value !== undefined);
}

/** The field of the item, or the name that the client looked up. */
export const valueOf = <T>(item: T, { field, value }: Column<T>): unknown =>
  value ? value(item) : item[field as keyof T];

/** The object, or only its fields of `--fields`. */
export function chosen<T extends object>(call: Invocation, item: T, columns: readonly Column<T>[]): unknown {
  if (call.flags.text('fields') === undefined) return item;
  return Object.fromEntries(columns.map((column) => [column.field, valueOf(item, column)]));
}

/** A value as text, for a cell. */
export function plain(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** JSON, safe on a terminal. */
export const onTerminal = ({ io }: Invocation, json: string) => (io.out.tty ? safeJson(json) : json);
