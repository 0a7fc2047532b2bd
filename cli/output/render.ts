import { usage } from '../errors.ts';
import type { Invocation } from '../spec.ts';
import type { Tone } from './colour.ts';
import type { formats } from './render-formats.ts';
import { safeCell, safeJson } from './safe.ts';
import { relativeTime } from './time.ts';

/** One field of a wire object and how people see it. */
export interface Column<T> {
  field: keyof T & string;
  /** Default: the field in upper case. */
  header?: string;
  /** table: always; wide: with `-o wide` and in TSV; asked: by `--fields` alone. */
  shown: 'table' | 'wide' | 'asked';
  /** An RFC 3339 instant: relative in a table. */
  time?: boolean;
  /** What a table shows; default: the value. */
  text?: (item: T) => string;
  tone?: (item: T) => Tone | undefined;
}

/** What a list or an object of the API looks like; the columns' order is the order of TSV, which scripts depend on. */
export interface View<T> {
  columns: readonly Column<T>[];
  /** What `-o name` prints. */
  name: (item: T) => string;
}

export interface Rendered<T> {
  raw: Buffer;
  /** The whole body. */
  body: object;
  items: readonly T[];
}

type Format = (typeof formats)[number] | 'raw';

/** Writes to stdout what the reply holds, in the format the flags ask for: a table on a terminal, TSV elsewhere. */
export async function render<T extends object>(call: Invocation, reply: Rendered<T>, view: View<T>): Promise<void> {
  const { out } = call.io;
  const format = formatOf(call);
  const columns = columnsOf(call, view, format);
  switch (format) {
    case 'raw':
      writeRaw(call, reply.raw);
      break;
    case 'json':
      out.write(`${await pretty(call, picked(call, reply, columns))}\n`);
      break;
    case 'yaml':
      out.write((await import('./yaml.ts')).toYaml(picked(call, reply, columns)));
      break;
    case 'jsonl':
      out.write(linesOf(reply.items, (item) => onTerminal(call, JSON.stringify(chosen(call, item, columns)))));
      break;
    case 'name':
      out.write(linesOf(reply.items, (item) => safeCell(view.name(item))));
      break;
    case 'tsv':
      out.write(linesOf(reply.items, (item) => columns.map(({ field }) => safeCell(plain(item[field]))).join('\t')));
      break;
    case 'table':
    case 'wide': {
      const { layOut } = await import('./table.ts');
      const isList = 'items' in reply.body;
      const rows = isList ? listRows(reply.items, columns) : objectRows(reply.items, columns);
      out.write(layOut(rows, out.columns, (text, tone) => out.paint(text, tone)));
      break;
    }
  }
}

/** The body as it came and one line feed; on a terminal the characters it would obey are escaped, which leaves the value as it is. */
export function writeRaw(call: Invocation, raw: Buffer): void {
  const { out } = call.io;
  out.write(out.tty ? safeJson(raw.toString('utf8')) : raw);
  out.write('\n');
}

/** True if the output is meant for people, who then are told more on stderr. */
export const isForPeople = (call: Invocation) => formatOf(call) === 'table' || formatOf(call) === 'wide';

/** True if no flag asks for a format. */
export const isPlain = ({ flags }: Invocation) =>
  !flags.on('json') && flags.text('output') === undefined && flags.text('fields') === undefined;

/** True if `--fields help` was answered: then nothing is to be called. */
export function answeredFieldsHelp<T>(call: Invocation, { columns }: View<T>): boolean {
  if (call.flags.text('fields') !== 'help') {
    checkFields(call, columns);
    return false;
  }
  for (const { field } of columns) call.io.out.write(`${field}\n`);
  return true;
}

const linesOf = <T>(items: readonly T[], line: (item: T) => string) => items.map((item) => `${line(item)}\n`).join('');

function formatOf({ flags, io }: Invocation): Format {
  if (flags.on('json')) return 'raw';
  // Parsing let nothing else through.
  const asked = flags.text('output') as Format | undefined;
  return asked ?? (io.out.tty ? 'table' : 'tsv');
}

function checkFields<T>({ flags }: Invocation, columns: readonly Column<T>[]): void {
  if (flags.on('json') && flags.text('output') !== undefined)
    throw usage('--json is the body as it came; it goes without --output');
  const fields = flags.text('fields');
  if (fields === undefined) return;
  if (flags.on('json')) throw usage('--json is the body as it came; pick fields with -o json --fields …');
  for (const field of fields.split(',')) {
    if (columns.some((column) => column.field === field)) continue;
    throw usage(`unknown field "${field}"`, `Fields: ${columns.map((column) => column.field).join(', ')}`);
  }
}

function columnsOf<T>(call: Invocation, { columns }: View<T>, format: Format): readonly Column<T>[] {
  const fields = call.flags.text('fields')?.split(',');
  if (fields) return fields.flatMap((field) => columns.filter((column) => column.field === field));
  return columns.filter(({ shown }) => shown === 'table' || (shown === 'wide' && format !== 'table'));
}

function listRows<T>(items: readonly T[], columns: readonly Column<T>[]) {
  if (items.length === 0) return [];
  const header = columns.map((column) => ({ text: headerOf(column), tone: 'quiet' as const }));
  return [header, ...items.map((item) => columns.map((column) => cell(item, column)))];
}

/** One line a field; what the object does not have is left out. */
function objectRows<T>(items: readonly T[], columns: readonly Column<T>[]) {
  return items.flatMap((item) =>
    columns
      .map((column) => [{ text: headerOf(column), tone: 'quiet' as const }, cell(item, column)])
      .filter(([, value]) => value?.text !== ''),
  );
}

function cell<T>(item: T, column: Column<T>) {
  const value = plain(item[column.field]);
  const text = column.text?.(item) ?? (column.time && value !== '' ? relativeTime(value) : value);
  return { text: safeCell(text), tone: column.tone?.(item) };
}

const headerOf = <T>({ header, field }: Column<T>) => header ?? field.replaceAll('_', ' ').toUpperCase();

function plain(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function pretty(call: Invocation, value: unknown): Promise<string> {
  const { paintJson } = await import('./json.ts');
  return paintJson(onTerminal(call, JSON.stringify(value, undefined, 2)), (text, tone) =>
    call.io.out.paint(text, tone),
  );
}

const onTerminal = ({ io }: Invocation, json: string) => (io.out.tty ? safeJson(json) : json);

/** The body, or with `--fields` the same shape with these fields only. */
function picked<T extends object>(
  call: Invocation,
  { body, items }: Rendered<T>,
  columns: readonly Column<T>[],
): unknown {
  if (call.flags.text('fields') === undefined) return body;
  const parts = items.map((item) => chosen(call, item, columns));
  return 'items' in body ? { ...body, items: parts } : { ...body, data: parts[0] };
}

function chosen<T extends object>(call: Invocation, item: T, columns: readonly Column<T>[]): unknown {
  if (call.flags.text('fields') === undefined) return item;
  return Object.fromEntries(columns.map(({ field }) => [field, item[field]]));
}
