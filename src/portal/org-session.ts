import type { Request, Response } from 'express';
import { hasAtLeastRole, type Role } from '../kernel/caller.ts';
import { forbidden } from '../kernel/errors.ts';
import { peopleService, type Membership } from '../people/service.ts';
import { csrfField, html, type Html } from './page.ts';
import { home } from './return-to.ts';
import type { Session } from './session.ts';
import { redirect, sessionOrSignIn, type PortalParts } from './page-requests.ts';

/** The org of a session: the chosen one, if the person still belongs to it; or the only one. */
export function currentOrg(session: Session, memberships: readonly Membership[]): Membership | undefined {
  const chosen = memberships.find(({ orgId }) => orgId === session.orgId);
  return chosen ?? (memberships.length === 1 ? memberships[0] : undefined);
}

/**
 * The session of a GET and its org. Without one, it redirects to the page to get it, and gives undefined.
 * @throws forbidden for a lower role or an org that is not approved
 */
export async function sessionInOrg(
  parts: PortalParts,
  request: Request,
  response: Response,
  least: Role,
): Promise<MemberSession | undefined> {
  const session = await sessionOrSignIn(parts, request, response);
  if (!session) return undefined;
  const member = currentOrg(session, await peopleService(parts.db).memberships(session.personId));
  if (!member) {
    redirect(response, home);
    return undefined;
  }
  checkMember(member, least);
  return { session, member };
}

/** @throws forbidden for a lower role or an org that is not approved */
export function checkMember({ role, orgStatus }: Pick<Membership, 'role' | 'orgStatus'>, least: Role): void {
  if (orgStatus !== 'approved') throw forbidden(`your organization is ${orgStatus}`);
  if (!hasAtLeastRole(role, least)) throw forbidden(`this needs the role ${least}; yours is ${role}`);
}

/** A visitor and their current org. */
export interface MemberSession {
  session: Session;
  member: Membership;
}

/**
 * The hidden fields of every form that changes an org: the org of the page, even if another tab has chosen a different
 * one.
 */
export const orgFields = ({ session, member }: MemberSession): Html =>
  html`${csrfField(session)}<input type="hidden" name="org_id" value="${member.orgId}" />`;

/** The navigation for this user of an org. */
export const orgNav = ({ role, orgName, orgStatus }: Membership): Html =>
  html` <nav aria-label="${orgName}">
    <ul>
      <li><a href="${home}">Overview</a></li>
      ${orgStatus === 'approved' ? html`<li><a href="/portal/fleet">Fleet</a></li>` : undefined}
      ${orgStatus === 'approved' ? html`<li><a href="/portal/approvals">Approvals</a></li>` : undefined}
      ${orgStatus === 'approved' ? html`<li><a href="/portal/tokens">Your tokens</a></li>` : undefined}
      ${orgStatus === 'approved' ? html`<li><a href="/portal/enrollment-keys">Enrollment keys</a></li>` : undefined}
      ${orgStatus === 'approved' && role === 'admin' ? html`<li><a href="/portal/users">Users</a></li>` : undefined}
      ${orgStatus === 'approved' && role === 'admin' ? html`<li><a href="/portal/audit">Audit log</a></li>` : undefined}
    </ul>
  </nav>`;
