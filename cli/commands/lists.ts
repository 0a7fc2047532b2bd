import { listWriter } from '../output/list.ts';
import { safeText } from '../output/safe.ts';
import { wrap } from '../output/text-width.ts';
import { isForPeople, needsNames, type View } from '../output/view.ts';
import { emptyText } from './empty-list.ts';
import { inOrder } from './list-order.ts';
import type { List } from './list-spec.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { pagesOf } from './pages.ts';

/**
 * Prints a list, through a pager if it is longer than the screen. For people, stderr says if it is empty or if more
 * items exist.
 */
export async function printList<T extends object>(call: Invocation, list: List<T>): Promise<void> {
  if (call.flags.has('watch') && call.flags.on('watch')) {
    const { watchList } = await import('./watch/watch.ts');
    return watchList(call, list);
  }
  const { flags, io } = call;
  const items: T[] = [];
  let nextCursor: string | undefined;
  await throughPager(
    call,
    async (inner) => {
      const [view, pages] = [list.view(), pagesOf(flags, list)];
      const first = await pages.next();
      const writer = await listWriter(inner, await view);
      const named = needsNames(call, await view);
      for (let next = first; !next.done; next = await pages.next()) {
        if (named) await list.names?.(next.value.body.items);
        inOrder(call, list, next.value);
        await writer.page(next.value);
        if (isForPeople(call)) for (const item of next.value.body.items) items.push(item);
        nextCursor = next.value.body.next_cursor;
      }
      await writer.end();
    },
    list.isLog === true && !(flags.has('after') && flags.isGiven('after')),
  );
  if (nextCursor !== undefined) {
    const more = safeText(`More ${list.what} exist. Next page: --cursor ${nextCursor}`);
    // With `--limit` the caller knows that the list is partial. With `--no-paginate` the first page could look
    // complete.
    if (flags.has('paginate') && !flags.on('paginate')) io.note(more);
    else if (isForPeople(call)) io.aside(more);
  }
  if (!isForPeople(call)) return;
  if (items.length === 0) io.aside(emptyText(call, list));
  else if (list.summary) for (const line of wrap(list.summary(items), io.out.columns)) io.aside(line);
}

/** Prints a list that needs no request. */
export async function printLocalList<T extends object>(call: Invocation, items: T[], view: View<T>): Promise<void> {
  const body = { items };
  await throughPager(call, async (inner) => {
    const writer = await listWriter(inner, view);
    await writer.page({ raw: Buffer.from(JSON.stringify(body)), body });
    await writer.end();
  });
}

/** Only on a terminal, and never for `--json`. */
async function throughPager(
  call: Invocation,
  print: (inner: Invocation) => Promise<void>,
  atEnd = false,
): Promise<void> {
  const { environment, flags, io } = call;
  if (!io.out.tty || environment.pager === undefined || flags.on('json') || !flags.on('pager')) return print(call);
  const { paged } = await import('../output/pager.ts');
  const { out, end } = paged(io.out, environment.pager, atEnd);
  try {
    await print({ ...call, io: { ...io, out } });
  } finally {
    // Also after a failure: the error follows what was read, and is not drawn under the pager.
    await end();
  }
}
