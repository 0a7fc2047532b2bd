import type { Invocation } from '../command-line/command-spec.ts';
import type { ListPage } from '../output/list.ts';
import { isForPeople } from '../output/view.ts';
import type { List } from './list-spec.ts';

/** Sorts a complete list for a person, by name; pages and what scripts read keep the order of the API. */
export function inOrder<T>(call: Invocation, { sortedBy }: List<T>, { body }: ListPage<T>): void {
  const { flags, io } = call;
  const isPart = ['limit', 'cursor', 'page-size'].some((name) => flags.has(name) && flags.isGiven(name));
  if (!sortedBy || !io.out.tty || !isForPeople(call) || isPart || body.next_cursor !== undefined) return;
  const key = new Map(body.items.map((item) => [item, sortedBy(item)]));
  // `amr-9` before `amr-10`. Made here: it takes milliseconds, and most lists are not sorted.
  const { compare } = new Intl.Collator('en', { numeric: true });
  body.items.sort((one, other) => compare(key.get(one) ?? '', key.get(other) ?? ''));
}
