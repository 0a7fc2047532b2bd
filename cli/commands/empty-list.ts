import { logFlags, pageFlags } from '../command-line/global-flags.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import type { List } from './list-spec.ts';

/** What to say to people in place of a list without items. */
export const emptyText = <T>(call: Invocation, { what, whenEmpty }: List<T>): string =>
  `No ${what}${isFiltered(call) ? ' match these filters.' : `. ${whenEmpty}`}`;

/**
 * Whether a flag of the command itself narrows the list. A boolean flag selects another list, with a name of its own.
 * `tail` is a page of logs.
 */
function isFiltered({ command, flags }: Invocation): boolean {
  const paging = new Set([...pageFlags, ...logFlags].map(({ name }) => name).concat('tail', 'order'));
  return (command.flags ?? []).some(({ name, type }) => type !== 'boolean' && !paging.has(name) && flags.isGiven(name));
}
