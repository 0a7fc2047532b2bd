import type { Request, Response } from 'express';
import type { Knex } from 'knex';
import { auditService } from '../audit/service.ts';
import type { Role } from '../kernel/caller.ts';
import { notFound } from '../kernel/errors.ts';
import { peopleService } from '../people/service.ts';
import type { Hint } from '../platform/bus/bus.ts';
import { retryOnConflict } from '../platform/db/retry-on-conflict.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import { userService } from '../users/service.ts';
import { checkMember } from './org-session.ts';
import type { Session } from './session.ts';
import { postedForm, type PortalParts } from './page-requests.ts';

/** A change: the person who makes it, and the form input. */
export interface Change {
  session: Session;
  trx: Knex;
  orgId: string;
  userId: string;
  role: Role;
  form: Partial<Record<string, string>>;
}

interface Changed<T> {
  result: T;
  objectKind: 'token' | 'user' | 'deployment' | 'config_deployment';
  objectId: string;
  before?: object;
  after?: object;
  /** Whether it was so already: the audit log then gets no entry. */
  isUnchanged?: boolean;
  /** Whether the change removes a right: open sockets are then checked. */
  endsAccess?: boolean;
  /** Other orgs in which it also removes a right. */
  endsAccessIn?: readonly string[];
  /** Further hints of the change. */
  announce?: readonly Hint[];
}

/**
 * A change to one of the person's orgs by a form with `orgFields`. It runs in one transaction with its audit entry,
 * which names the equivalent operation of the contract. The role is read again and locked there, so that a role that is
 * being removed cannot be used.
 * @throws unauthorized, forbidden, not_found for an org of other people, and what `work` throws
 */
export async function changeByForm<T>(
  parts: PortalParts,
  request: Request,
  response: Response,
  { least, operation }: { least: Role; operation: string },
  work: (change: Change) => Promise<Changed<T>>,
): Promise<T> {
  const { session, form } = await postedForm(parts, request, response);
  const { db, bus } = parts;
  const { result, hints } = await retryOnConflict(() =>
    inTransaction(db, async (trx) => {
      const memberships = await peopleService(trx).memberships(session.personId);
      const member = memberships.find(({ orgId }) => orgId === form['org_id']);
      if (!member) throw notFound('org');
      const { orgId, userId, orgStatus } = member;
      const { role } = await userService(trx).get(orgId, userId, { lock: true });
      checkMember({ role, orgStatus }, least);
      const change = { session, trx, orgId, userId, role, form };
      const { result, isUnchanged, endsAccess, endsAccessIn = [], announce = [], ...about } = await work(change);
      if (!isUnchanged)
        await auditService(trx).record(orgId, {
          ...about,
          actor: { kind: 'user', id: userId },
          operation,
          requestId: String(response.getHeader('x-request-id')),
        });
      const ended = [...(endsAccess ? [orgId] : []), ...endsAccessIn];
      const hints = [...announce, ...ended.map((each) => ({ topic: 'access_changed' as const, orgId: each }))];
      return { result: { result, hints }, ...bus.announcing(trx, hints) };
    }),
  );
  bus.deliver(hints);
  return result;
}
