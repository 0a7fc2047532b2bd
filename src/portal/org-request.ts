import { Router } from 'express';
import { auditService } from '../audit/service.ts';
import { conflict } from '../kernel/errors.ts';
import { orgService } from '../orgs/service.ts';
import { peopleService, type Membership } from '../people/service.ts';
import { readLine } from './form.ts';
import { csrfField, html, type Html } from './page.ts';
import { home } from './return-to.ts';
import type { Session } from './session.ts';
import { postedForm, redirect, type PortalParts } from './page-requests.ts';

/** The maximum of any name in the contract. */
const maxNameLength = 128;

/** The form with which a person requests an org. */
export const requestForm = (session: Session): Html =>
  html` <h2>Request an organization</h2>
    <p>The operator of this service approves it. You become its first admin.</p>
    <form method="post" action="/portal/orgs" class="stacked">
      ${csrfField(session)}
      <label for="org-name">Its name</label>
      <input id="org-name" name="name" required maxlength="${maxNameLength}" autocomplete="organization" />
      <button type="submit">Ask</button>
    </form>`;

/** Replaces the form while a requested org is pending. */
export const requestNote = ({ orgName }: Membership): Html =>
  html` <p>
    You requested <strong>${orgName}</strong>. The operator of this service must approve it. After that you can request
    another one.
  </p>`;

/** A requested org is pending, with the requester as its admin. The admin operation of the contract approves it. */
export function orgRequestRoutes(parts: PortalParts): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.post('/portal/orgs', async (request, response) => {
    const { session, form } = await postedForm(parts, request, response);
    const name = readLine(form, 'name', maxNameLength);
    const orgId = await parts.db.transaction(async (trx) => {
      const { id, status } = await orgService(trx).create(name);
      const userId = await peopleService(trx).found(session.personId, id);
      if (userId === undefined) throw conflict('an organization that you requested is still awaiting approval');
      await auditService(trx).record(id, {
        actor: { kind: 'user', id: userId },
        operation: 'createOrg',
        requestId: String(response.getHeader('x-request-id')),
        objectKind: 'org',
        objectId: id,
        after: { name, status },
      });
      return id;
    });
    parts.log.info(
      { orgId, personId: session.personId },
      'an org was requested; an admin of the service must approve it',
    );
    redirect(response, home);
  });

  return router;
}
