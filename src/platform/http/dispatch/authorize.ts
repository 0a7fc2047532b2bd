import { hasAtLeastRole, type Caller } from '../../../kernel/caller.ts';
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
 * Checks the caller against the contract of the operation: the kind of token, then the least role.
 * @throws forbidden
 */
export function authorize(operation: Operation, caller: Caller): void {
  if (!operation.tokenKinds.has(caller.kind)) throw forbidden(`${kindNames[caller.kind]} may not call ${operation.id}`);
  // A robot has no role: the token kinds of the operation admit it, and its handler decides what it may see.
  if (operation.leastRole === undefined || caller.kind === 'robot') return;
  // An operation that names a role but takes another kind of token without a role could never be checked: refuse.
  const role = 'role' in caller ? caller.role : undefined;
  if (role === undefined || !hasAtLeastRole(role, operation.leastRole))
    throw forbidden(
      `needs ${operation.leastRole}${operation.leastRole === 'admin' ? '' : ' or higher'}; this token is ${role ?? 'without a role'}`,
    );
}
