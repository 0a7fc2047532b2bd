import { badRequest } from './errors.ts';
import { isId } from './ids.ts';

/** Where a page begins: behind the row of this time and id. */
export interface PageStart {
  createdAt: Date;
  id: string;
}

/** A slice of a list in the order of `created_at, id`. */
export interface Page {
  after?: PageStart;
  limit: number;
}

export const encodeCursor = (row: PageStart): string =>
  Buffer.from(`${row.createdAt.getTime()}.${row.id}`).toString('base64url');

/** @throws bad_request for a text that is no cursor of ours */
export function decodeCursor(cursor: string): PageStart {
  const [ms = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  // 16 digits reach past the year 275760, the end of what a Date holds.
  if (!/^\d{1,15}$/.test(ms) || !isId(id)) throw badRequest('cursor: not a next_cursor of this list');
  return { createdAt: new Date(Number(ms)), id };
}
