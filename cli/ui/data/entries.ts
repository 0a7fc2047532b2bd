import type { Api } from '../../api/api.ts';
import type { Asker } from './listing.ts';

/** Default page size of the service; older entries are discarded. */
export const maxEntries = 1_000;

/** Events, timelines and the audit log only grow: after the first read, only later entries are requested. */
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
