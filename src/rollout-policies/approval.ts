import type { Role } from '../kernel/caller.ts';
import { badRequest } from '../kernel/errors.ts';
import { checkDuration } from './duration.ts';

/** Who must approve a deployment before it begins, and with `then: approval` also each further wave. */
export interface Approval {
  people: number;
  role: Role; // the least
  expires: string; // a duration
}

const leastSeconds = 600;

/** Checks it and fills in its defaults. @throws bad_request, naming the field */
export function readApproval(
  field: string,
  { people = 1, role = 'operator', expires = '1d' }: Partial<Approval>,
): Approval {
  checkDuration(`${field}.expires`, expires, leastSeconds);
  return { people, role, expires };
}

/** @throws bad_request, naming the field */
export function refuseUnapproved(field: string, then: string | undefined, approval: object | undefined): void {
  if (then === 'approval' && approval === undefined)
    throw badRequest(`${field}.advance.then: approval needs the field approval of the rollout`);
}
