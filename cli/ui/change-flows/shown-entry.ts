import type { Config } from '../data/data.ts';
import { failureFrom } from '../overlays/failure.ts';
import type { Ui } from '../ui.ts';

type Named = Pick<Config, 'namespace' | 'key'>;

/** The entry as known now; undefined: missing or unknown. */
const entryNow = ({ data }: Ui, { namespace, key }: Named): Config | undefined =>
  data.configs.get().value?.items.find((entry) => entry.namespace === namespace && entry.key === key);

/**
 * An entry as a plan shows it: as it was when the plan was made. After a conflict response, the current entry replaces
 * it.
 */
export function shownEntry(ui: Ui, named: Named) {
  let shown = entryNow(ui, named);
  let isRefused = false;
  return {
    shown(): Config | undefined {
      const now = isRefused ? entryNow(ui, named) : shown;
      if (now?.revision !== shown?.revision) [shown, isRefused] = [now, false];
      return shown;
    },
    /** Runs `work`, and records a conflict response. */
    async during<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        isRefused ||= failureFrom(error).code === 'conflict';
        throw error;
      }
    },
  };
}
