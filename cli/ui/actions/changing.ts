import { disconnectedReason, missingRole } from '../change-flows/permissions.ts';
import type { Role } from '../data/mutations.ts';
import type { Action } from './action.ts';

type Change = Omit<Action, 'changes' | 'disabledReason'> & Pick<Action, 'disabledReason'>;

/** An action that leads to a change, and needs a role. */
export const changing = (role: Role, action: Change): Action => ({
  ...action,
  changes: role,
  disabledReason: (context) =>
    missingRole(context, role) ?? disconnectedReason(context) ?? action.disabledReason?.(context),
});
