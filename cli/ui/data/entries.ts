import type { Api } from '../../api/api.ts';
import type { Asker } from './listing.ts';

/** As many as the service gives without being asked for more; older ones go. */
export const maxEntries = 1_000;

/** Events, timelines and the audit log only grow: once the latest are here, only what follows is asked for. */
export function entriesOf<T extends { seq: number }>(
  askAfter: (api: Api, after: number | undefined) => Promise<{ body: { items: readonly T[] } }>,
) {
  return async (ask: Asker, before: readonly T[] | undefined): Promise<readonly T[]> => {
    let entries = before ?? [];
    for (;;) {
      const { items } = (await ask((api) => askAfter(api, entries.at(-1)?.seq))).body;
      if (items.length === 0 && before !== undefined) return entries;
      entries = [...entries, ...items].slice(-maxEntries);
      if (before === undefined || items.length < maxEntries) return entries;
    }
  };
}
