import { reaches, type Caller } from '../../../kernel/caller.ts';
import { forbidden } from '../../../kernel/errors.ts';
import type { Operation } from './contract.ts';

const kindNames = {
  user: 'a user token',
  org: 'an org token',
  robot: 'a robot token',
  enroll: 'an enrollment key',
  stream: 'the secret of a stream',
  replica: 'another replica',
  admin: 'the admin token',
} as const;

/**
 * Holds the caller against what the contract says of the operation: the kind of token, then the least role.
 * @throws forbidden
 */
export function authorize(operation: Operation, caller: Caller): void {
  if (!operation.tokenKinds.has(caller.kind)) throw forbidden(`${kindNames[caller.kind]} may not call ${operation.id}`);
  // A robot has no role: what it may call names its kind, and what it may see there is its handler's.
  if (operation.leastRole === undefined || caller.kind === 'robot') return;
  // An operation that names a role but takes another kind of token without one could never be judged: refuse.
  const role = 'role' in caller ? caller.role : undefined;
  if (role === undefined || !reaches(role, operation.leastRole))
    throw forbidden(
      `needs ${operation.leastRole}${operation.leastRole === 'admin' ? '' : ' or higher'}; this token is ${role ?? 'without a role'}`,
    );
}
