import type { Role } from '../data/mutations.ts';
import type { Moment } from '../actions/action.ts';

const order: readonly string[] = ['viewer', 'operator', 'admin'] satisfies Role[];

/** Why whoever is signed in may not do what takes this role; undefined: may, or nobody knows yet. */
export function lacks({ ui }: Moment, role: Role): string | undefined {
  const own = ui.data.whoami.get().value?.role;
  const rank = order.indexOf(own ?? '');
  // A role that this client does not know is for the service to judge.
  return rank === -1 || rank >= order.indexOf(role) ? undefined : `it takes the role ${role}, and yours is ${own}`;
}

/** Why nothing may be changed here, nor a shell be opened, by ui.toml. */
export function isReadOnly({ ui: { settings, data } }: Moment): string | undefined {
  if (!settings.readOnlyProfiles) return 'ui.toml cannot be used: read-only';
  const { profile } = data.place;
  return settings.readOnlyProfiles.includes(profile) ? `the profile ${profile} is read-only by ui.toml` : undefined;
}

/** Why whoever is signed in may change nothing here at all; what is allowed already can be ended. */
export const mayNotWrite = (moment: Moment): string | undefined =>
  moment.ui.writes.get() ? undefined : (isReadOnly(moment) ?? lacks(moment, 'operator'));

/** Why nothing can be changed now, whoever it is. */
export function isAway({ ui }: Moment): string | undefined {
  const { kind } = ui.data.connection.get();
  if (kind === 'signedOut') return 'nobody is signed in';
  return kind === 'reconnecting' ? 'the service does not answer' : undefined;
}
