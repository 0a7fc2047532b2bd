import { badRequest } from './errors.ts';
import { isId } from './ids.ts';

/** Where a page begins: behind the row of this time and id, or, in a list that goes by one column alone, of this key. */
export type PageStart = { createdAt: Date; id: string } | { key: string | number };

/** A slice of a list in its order, which is that of `created_at, id` unless it says otherwise. */
export interface Page {
  after?: PageStart;
  limit: number;
  newestFirst?: boolean; // goes the other way; default: in its order
}

export const encodeCursor = (row: PageStart): string =>
  Buffer.from('key' in row ? String(row.key) : `${row.createdAt.getTime()}.${row.id}`).toString('base64url');

/** A cursor of another list, or none at all. */
export const foreignCursor = () => badRequest('cursor: not a next_cursor of this list');

/** @throws bad_request for a text that is no cursor of ours */
export function decodeCursor(cursor: string): PageStart {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  // 16 digits reach past the year 275760, the end of what a Date holds.
  if (/^\d{1,15}$/.test(text)) return { key: Number(text) };
  if (isId(text)) return { key: text };
  const [ms = '', id = ''] = text.split('.');
  if (!/^\d{1,15}$/.test(ms) || !isId(id)) throw foreignCursor();
  return { createdAt: new Date(Number(ms)), id };
}
