import type { Account } from './account.ts';
import type { StreamOpener } from '../streams/opener.ts';
import { createShellManager, type ShellLimits } from './shell-manager.ts';
import { availableStarters } from './starters.ts';

/** Allows operators to open shells, as this account. */
export interface ShellOffer {
  account: Account;
  killsAll?: boolean;
  limits?: Partial<ShellLimits>;
}

/** The shells of this robot, or the reason why it has none. `language`: `LANG` of the agent. */
export async function openShells(
  offer: ShellOffer | undefined,
  language: string | undefined,
  tell: (message: string) => void,
): Promise<StreamOpener | string> {
  if (!offer) return 'shells are off on this robot';
  const starters = await availableStarters();
  if (!starters) return 'no shells on this robot: it has no @lydell/node-pty and no script (util-linux)';
  return createShellManager({ ...offer, starters, language }, tell);
}
