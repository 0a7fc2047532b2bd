import type { Role } from '../data/mutations.ts';
import type { ActionContext } from '../actions/action.ts';

const order: readonly string[] = ['viewer', 'operator', 'admin'] satisfies Role[];

/** Why the signed-in user may not do what requires this role; undefined: allowed, or the role is not known yet. */
export function missingRole({ ui }: ActionContext, role: Role): string | undefined {
  const own = ui.data.whoami.get().value?.role;
  const rank = order.indexOf(own ?? '');
  // A role unknown to this client is checked by the service.
  return rank === -1 || rank >= order.indexOf(role) ? undefined : `requires the role ${role}; yours is ${own}`;
}

/** Why ui.toml forbids changes and shells here. */
export function readOnlyReason({ ui: { settings, data } }: ActionContext): string | undefined {
  if (!settings.readOnlyProfiles) return 'ui.toml is invalid: read-only';
  const { profile } = data.place;
  return settings.readOnlyProfiles.includes(profile) ? `ui.toml makes the profile ${profile} read-only` : undefined;
}

/** Why write mode cannot be turned on; turning it off is always allowed. Each change needs a role of its own. */
export const writeDisabledReason = (context: ActionContext): string | undefined =>
  context.ui.writes.get() ? undefined : readOnlyReason(context);

/** Why no user can change anything now. */
export function disconnectedReason({ ui }: ActionContext): string | undefined {
  const { kind } = ui.data.connection.get();
  if (kind === 'signedOut') return 'not signed in';
  return kind === 'reconnecting' ? 'the service does not respond' : undefined;
}
