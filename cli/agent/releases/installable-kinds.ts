import type { Troubles } from '../troubles.ts';
import { kindsOf } from './kinds.ts';
import type { ReleaseSettings } from './release.ts';

/** The kinds of releases that this robot can install. */
export interface InstallableKinds {
  /** Sorted, as of the last check; undefined before the first one. */
  readonly kinds: readonly string[] | undefined;
  /** Checks again: an engine or an executable may have been added or removed. Reports changes. Never rejects. */
  look(): Promise<void>;
}

export function releaseOffer(
  settings: ReleaseSettings,
  tell: (message: string) => void,
  troubles: Troubles,
): InstallableKinds {
  let kinds: readonly string[] | undefined;
  let faults: readonly string[] = [];
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const found = await kindsOf(settings);
    if (found.kinds.join() !== kinds?.join()) tell(`installs releases of the kinds ${found.kinds.join(', ')}`);
    for (const fault of found.faults) troubles.is(fault, fault);
    for (const fault of faults) if (!found.faults.includes(fault)) troubles.over(fault, `No longer so: ${fault}`);
    ({ kinds, faults } = found);
  }

  return {
    get kinds() {
      return kinds;
    },
    // One at a time: on a disk that does not respond, each check would block one more of Node's few threads.
    look: () => (looking ??= look().finally(() => (looking = undefined))),
  };
}
