import { Router, type Request, type Response } from 'express';
import { auditService } from '../audit/service.ts';
import { notFound } from '../kernel/errors.ts';
import { tokenService } from '../tokens/service.ts';
import { changeByForm } from './change.ts';
import { day, endDay } from './day.ts';
import { newestFirst } from './newest-first.ts';
import { html, sendPage } from './page.ts';
import { orgFields, orgNav, sessionInOrg, type MemberSession } from './org-session.ts';
import { table } from './table.ts';
import { issueByForm, tokenFields } from './token-form.ts';
import { redirect, type PortalParts } from './page-requests.ts';

/** The fields of a token that a page shows, as in the contract. */
interface TokenRow {
  id: string;
  label?: string;
  last_four: string;
  created_at: string;
  last_used_at?: string;
  expires_at?: string;
  revoked_at?: string;
}

const place = '/portal/tokens';

const nameOf = ({ label, last_four }: TokenRow) => label ?? `…${last_four}`;

const columns = {
  For: nameOf,
  'Ends in': ({ last_four }: TokenRow) => html`<code>…${last_four}</code>`,
  Made: ({ created_at }: TokenRow) => day(created_at, ''),
  'Last used': ({ last_used_at }: TokenRow) => day(last_used_at, '–'),
};

const validColumns = (visitor: MemberSession) => ({
  ...columns,
  'Valid until': ({ expires_at }: TokenRow) => endDay(expires_at, 'revoked'),
  Action: (token: TokenRow) =>
    html`<form method="post" action="${place}/revoke">
      ${orgFields(visitor)}<input type="hidden" name="id" value="${token.id}" />
      <button type="submit" class="quiet" aria-label="Revoke ${nameOf(token)}">Revoke</button>
    </form>`,
});

const endedColumns = {
  ...columns,
  Ended: ({ revoked_at, expires_at }: TokenRow) =>
    revoked_at === undefined ? html`expired ${day(expires_at, '')}` : html`revoked ${day(revoked_at, '')}`,
};

/** A person's own tokens of the org: the valid ones, and on a separate page the ended ones. */
export function tokenRoutes(parts: PortalParts): Router {
  const router = Router({ caseSensitive: true, strict: true });

  /** The visitor, and a page of their tokens in this state. */
  async function read(request: Request, response: Response, state: 'good' | 'ended') {
    const visitor = await sessionInOrg(parts, request, response, 'viewer');
    if (!visitor) return undefined;
    const { orgId, userId } = visitor.member;
    const { objects, links } = await newestFirst(request, (page) =>
      tokenService(parts.db).list(orgId, { userId, state }, page),
    );
    return { ...visitor, rows: objects.map((text) => JSON.parse(text) as TokenRow), links };
  }

  router.get(place, async (request, response) => {
    const found = await read(request, response, 'good');
    if (!found) return;
    const { session, member, rows, links } = found;
    sendPage(response, {
      title: 'Your tokens',
      session,
      body: html`${orgNav(member)}
        <p>A token lets a program act as you in <strong>${member.orgName}</strong>, with your role there.</p>
        ${table({ title: 'Your tokens', columns: validColumns(found), rows, whenEmpty: 'You have no valid tokens.' })}
        ${links}
        <p><a href="${place}/ended">Expired and revoked tokens</a></p>
        <h2>Create a token</h2>
        <form method="post" action="${place}" class="stacked">
          ${tokenFields(found)}
          <button type="submit">Make it</button>
        </form>`,
    });
  });

  router.get(`${place}/ended`, async (request, response) => {
    const found = await read(request, response, 'ended');
    if (!found) return;
    const { session, member, rows, links } = found;
    const title = 'Your expired and revoked tokens';
    sendPage(response, {
      title,
      session,
      body: html`${orgNav(member)} ${table({ title, columns: endedColumns, rows, whenEmpty: 'None.' })} ${links}
        <p><a href="${place}">Valid tokens</a></p>`,
    });
  });

  router.post(place, (request, response) =>
    issueByForm(parts, request, response, { least: 'viewer', back: place, ownerOf: ({ userId }) => userId }),
  );

  router.post(`${place}/revoke`, async (request, response) => {
    const rule = { least: 'viewer', operation: 'revokeToken' } as const;
    await changeByForm(parts, request, response, rule, async ({ trx, orgId, userId, form }) => {
      const tokens = tokenService(trx);
      const { userId: owner } = await tokens.get(orgId, form['id'] ?? '');
      if (owner !== userId) throw notFound('token'); // as if the token did not exist
      const { id, revokedAt } = await tokens.revoke(orgId, form['id'] ?? '');
      const after = { revoked_at: revokedAt?.toISOString() };
      const about = { objectKind: 'token', objectId: id, after } as const;
      // Revoke the token in all its orgs: otherwise a person who found it could still use it in the others.
      const others = (await tokens.orgsOf(orgId, id)).map(({ id: other }) => other);
      for (const other of others) {
        const { userId: there } = await tokens.revoke(other, id);
        await auditService(trx).record(other, {
          ...about,
          actor: { kind: 'user', id: there },
          operation: rule.operation,
          requestId: String(response.getHeader('x-request-id')),
        });
      }
      return { result: undefined, ...about, endsAccess: true, endsAccessIn: others };
    });
    redirect(response, place);
  });

  return router;
}
