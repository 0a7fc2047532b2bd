import type { Invocation } from '../command-line/command-spec.ts';
import { safeField } from './safe.ts';
import { chosen, onTerminal, plain, valueOf, type Column, type View } from './view.ts';

/** Formats of whole lines; all but `kv` have one line per item. */
type LineFormat = 'jsonl' | 'kv' | 'name' | 'tsv';

/** An item as one line, or as lines, without the last line feed. */
export function lineOf<T extends object>(
  call: Invocation,
  format: LineFormat,
  item: T,
  { name }: View<T>,
  columns: readonly Column<T>[],
): string {
  switch (format) {
    case 'jsonl':
      return onTerminal(call, JSON.stringify(chosen(call, item, columns)));
    case 'name':
      return safeField(name(item));
    case 'tsv':
      return columns.map((column) => safeField(plain(valueOf(item, column)))).join('\t');
    case 'kv':
      return keyValueLines(call, item, columns);
  }
}

/**
 * `key<TAB>value` lines: first the columns in their order, then the item's other fields by name. A nested value has one
 * line per part: `labels.line`, `disk.0.path`. Parts of an object are in alphabetical order.
 */
function keyValueLines<T extends object>(call: Invocation, item: T, columns: readonly Column<T>[]): string {
  const shown = columns.map((column): [string, unknown] => [column.field, valueOf(item, column)]);
  const known = new Set<string>(columns.map(({ field }) => field));
  const others = call.flags.text('fields') === undefined ? byName(item).filter(([key]) => !known.has(key)) : [];
  return [...shown, ...others].flatMap(([key, value]) => partsOf(key, value)).join('\n');
}

function partsOf(key: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [`${safeField(key)}\t${safeField(plain(value))}`];
  const parts = Array.isArray(value) ? Object.entries(value) : byName(value);
  return parts.flatMap(([name, part]) => partsOf(`${key}.${name}`, part));
}

const byName = (item: object): [string, unknown][] =>
  Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1));
