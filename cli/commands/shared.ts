import type { Reply } from '../api.ts';
import { usage } from '../errors.ts';
import { isForPeople, render, type View } from '../output/render.ts';
import { safeText } from '../output/safe.ts';
import type { Invocation } from '../spec.ts';

/** `limit` and `cursor` of a list command. */
export function pageOf({ flags }: Invocation): { limit?: number; cursor?: string } {
  const [limit, cursor] = [flags.integer('limit'), flags.text('cursor')];
  if (cursor !== undefined && limit === undefined) throw usage('--cursor goes with --limit');
  return { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
}

interface ListTexts {
  /** What is listed, in the plural. */
  what: string;
  /** What to do when there is none. */
  whenEmpty: string;
}

/** Prints a list; people are told on stderr that it is empty, or that more exist. */
export async function printList<T extends object>(
  call: Invocation,
  reply: Reply<{ items: T[]; next_cursor?: string }>,
  view: View<T>,
  { what, whenEmpty }: ListTexts,
): Promise<void> {
  const { items, next_cursor: nextCursor } = reply.body;
  await render(call, { ...reply, items }, view);
  if (!isForPeople(call)) return;
  if (items.length === 0) call.io.aside(`No ${what}. ${whenEmpty}`);
  if (nextCursor !== undefined) call.io.aside(safeText(`More ${what} exist. Next page: --cursor ${nextCursor}`));
}

/** Prints an object; people are told on stderr what became of it. */
export async function printObject<T extends object>(
  call: Invocation,
  reply: Reply<{ data: T }>,
  view: View<T>,
  done?: string,
): Promise<void> {
  await render(call, { ...reply, items: [reply.body.data] }, view);
  if (done !== undefined && isForPeople(call)) call.io.aside(done);
}
