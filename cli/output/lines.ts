import type { Invocation } from '../command-line/command-spec.ts';
import { safeCell } from './safe.ts';
import { chosen, onTerminal, plain, type Column, type View } from './view.ts';

/** Formats with one line per item. */
type LineFormat = 'jsonl' | 'name' | 'tsv';

/** An item as one line, without the line feed. */
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
      return safeCell(name(item));
    case 'tsv':
      return columns.map(({ field }) => safeCell(plain(item[field]))).join('\t');
  }
}
