import { Router } from 'express';
import { enrollmentService } from '../enrollment/service.ts';
import { fleetService } from '../fleets/service.ts';
import { day, endDay } from './day.ts';
import { newestFirst } from './newest-first.ts';
import { html, sendPage } from './page.ts';
import { orgNav, sessionInOrg } from './org-session.ts';
import { table } from './table.ts';
import type { PortalParts } from './page-requests.ts';

/** The fields of a key that a page shows, as in the contract. */
interface KeyRow {
  label?: string;
  last_four: string;
  fleet_id: string;
  uses: number;
  max_uses?: number;
  created_at: string;
  expires_at?: string;
  last_used_at?: string;
  revoked_at?: string;
}

/** Fleets whose names are looked up; for others the page shows the id. */
const maxFleets = 1_000;

function stateOf({ revoked_at, expires_at, uses, max_uses }: KeyRow) {
  if (revoked_at !== undefined) return html`revoked ${day(revoked_at, '')}`;
  if (expires_at !== undefined && Date.parse(expires_at) <= Date.now()) return html`expired ${day(expires_at, '')}`;
  if (max_uses !== undefined && uses >= max_uses) return html`used up`;
  return html`<strong>valid</strong>${expires_at === undefined ? '' : html` until ${endDay(expires_at, '')}`}`;
}

const columns = (fleets: ReadonlyMap<string, string>) => ({
  Label: ({ label, last_four }: KeyRow) => label ?? `…${last_four}`,
  'Ends in': ({ last_four }: KeyRow) => html`<code>…${last_four}</code>`,
  Fleet: ({ fleet_id }: KeyRow) => fleets.get(fleet_id) ?? fleet_id,
  State: stateOf,
  Uses: ({ uses, max_uses }: KeyRow) => (max_uses === undefined ? uses : `${uses} of ${max_uses}`),
  'Last used': ({ last_used_at }: KeyRow) => day(last_used_at, '–'),
  Made: ({ created_at }: KeyRow) => day(created_at, ''),
});

/** Overview of the org's enrollment keys; the client creates and revokes them. */
export function enrollmentKeyRoutes(parts: PortalParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/portal/enrollment-keys', async (request, response) => {
    const visitor = await sessionInOrg(parts, request, response, 'viewer');
    if (!visitor) return;
    const { session, member } = visitor;
    const [{ objects, links }, fleets] = await Promise.all([
      newestFirst(request, (page) => enrollmentService(parts.db, () => undefined).list(member.orgId, {}, page)),
      fleetService(parts.db).list(member.orgId, {}, { limit: maxFleets }),
    ]);
    const names = new Map(
      fleets.objects.map((text) => {
        const { id, name } = JSON.parse(text) as { id: string; name: string };
        return [id, name];
      }),
    );
    const rows = objects.map((text) => JSON.parse(text) as KeyRow);
    sendPage(response, {
      title: 'Enrollment keys',
      session,
      body: html`${orgNav(member)}
        <p>A key lets robots enroll into a fleet of <strong>${member.orgName}</strong>. In a terminal:</p>
        <p>
          <code>cli keys new --site &lt;site&gt; --fleet &lt;fleet&gt;</code>, <code>cli keys revoke &lt;id&gt;</code>
        </p>
        ${table({ title: 'Enrollment keys', columns: columns(names), rows, whenEmpty: 'No enrollment keys yet.' })}
        ${links}`,
    });
  });
  return router;
}
