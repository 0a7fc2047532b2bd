import { Router } from 'express';
import { notFound } from '../kernel/errors.ts';
import { peopleService, type Membership } from '../people/service.ts';
import { requestForm, requestNote } from './org-request.ts';
import { csrfField, html, sendPage } from './page.ts';
import { currentOrg, orgNav } from './org-session.ts';
import { home } from './return-to.ts';
import type { Session } from './session.ts';
import { postedForm, redirect, sessionOrSignIn, type PortalParts } from './page-requests.ts';

const statusNote = {
  approved: '',
  pending: ', awaiting approval',
  suspended: ', suspended',
} as const;

const orgRow = (session: Session, membership: Membership, isCurrent: boolean) =>
  html` <tr>
    <th scope="row">${membership.orgName}</th>
    <td>${membership.role}${statusNote[membership.orgStatus]}</td>
    <td>${isCurrent ? html`<strong>chosen</strong>` : chooseForm(session, membership)}</td>
  </tr>`;

const chooseForm = (session: Session, { orgId, orgName }: Membership) =>
  html` <form method="post" action="/portal/org">
    ${csrfField(session)}<input type="hidden" name="org_id" value="${orgId}" />
    <button type="submit" aria-label="Choose ${orgName}">Choose</button>
  </form>`;

const orgTable = (session: Session, memberships: readonly Membership[]) => {
  const current = currentOrg(session, memberships);
  return html`${current && orgNav(current)}
    <table>
      <caption>
        Your organizations
      </caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Your role</th>
          <th scope="col">Select</th>
        </tr>
      </thead>
      <tbody>
        ${memberships.map((each) => orgRow(session, each, each === current))}
      </tbody>
    </table>`;
};

const noOrg = ({ email }: Session) =>
  html` <p>
    You do not belong to an organization yet. Ask an admin to invite <strong>${email}</strong>, then sign out and in
    again.
  </p>`;

/** The visitor, and their orgs. */
export function homeRoutes(parts: PortalParts): Router {
  const people = peopleService(parts.db);
  const router = Router({ caseSensitive: true, strict: true });

  router.get(home, async (request, response) => {
    const session = await sessionOrSignIn(parts, request, response);
    if (!session) return;
    const memberships = await people.memberships(session.personId);
    const body = memberships.length === 0 ? noOrg(session) : orgTable(session, memberships);
    const waiting = memberships.find(({ orgStatus, isRequested }) => orgStatus === 'pending' && isRequested);
    sendPage(response, {
      title: `Hello, ${session.name ?? session.email}`,
      session,
      body: html`${body}${waiting ? requestNote(waiting) : requestForm(session)}`,
    });
  });

  router.post('/portal/org', async (request, response) => {
    const { session, form } = await postedForm(parts, request, response);
    const memberships = await people.memberships(session.personId);
    const chosen = memberships.find(({ orgId }) => orgId === form['org_id']);
    if (!chosen) throw notFound('org'); // the same for a missing org and for one of other people
    await parts.sessions.chooseOrg(request, chosen.orgId);
    redirect(response, home);
  });

  return router;
}
