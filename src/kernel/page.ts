import { badRequest } from './errors.ts';
import { isId } from './ids.ts';

/** Start of a page: after the row with this time and id, or, in a list sorted by a single column, after this key. */
export type PageStart = { createdAt: Date; id: string } | { key: string | number };

/** A slice of a list in its order, which is `created_at, id` by default. */
export interface Page {
  after?: PageStart;
  limit: number;
  ids?: readonly string[]; // only these objects; default: any
  idEnd?: string; // only objects whose ID ends with these hexadecimal digits, 12 at most; default: any
  newestFirst?: boolean; // reverse order; default: the list's order
}

export const encodeCursor = (row: PageStart): string =>
  Buffer.from('key' in row ? String(row.key) : `${row.createdAt.getTime()}.${row.id}`).toString('base64url');

/** A cursor of another list, or an invalid one. */
export const foreignCursor = () => badRequest('cursor: not a next_cursor of this list');

/** @throws bad_request for an invalid cursor */
export function decodeCursor(cursor: string): PageStart {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  // 16 digits exceed the year 275760, the maximum of a Date.
  if (/^\d{1,15}$/.test(text)) return { key: Number(text) };
  if (isId(text)) return { key: text };
  const [ms = '', id = ''] = text.split('.');
  if (!/^\d{1,15}$/.test(ms) || !isId(id)) throw foreignCursor();
  return { createdAt: new Date(Number(ms)), id };
}
