import { Router } from 'express';
import { auditService } from '../audit/service.ts';
import { badRequest } from '../kernel/errors.ts';
import { pageLinks, pageRows } from './newest-first.ts';
import { html, sendPage } from './page.ts';
import { orgNav, sessionInOrg } from './org-session.ts';
import { table } from './table.ts';
import type { PortalParts } from './page-requests.ts';

/** The fields of an entry that a page shows, as in the contract. */
interface EntryRow {
  seq: number;
  at: string;
  actor_kind: string;
  actor_id?: string;
  operation: string;
  object_kind: string;
  object_id: string;
  before?: object;
  after?: object;
  hash?: string;
}

const place = '/portal/audit';

const details = ({ seq, before, after, hash }: EntryRow) =>
  html`<details>
    <summary aria-label="What changed by entry ${seq}">What changed</summary>
    ${
      before &&
      html`<p>Before</p>
        <pre>${JSON.stringify(before, undefined, 2)}</pre>`
    }
    ${
      after &&
      html`<p>After</p>
        <pre>${JSON.stringify(after, undefined, 2)}</pre>`
    }
    ${hash === undefined ? undefined : html`<p>Hash <code>${hash}</code></p>`}
  </details>`;

const columns = {
  'No.': ({ seq }: EntryRow) => seq,
  'At (UTC)': ({ at }: EntryRow) => html`<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')}</time>`,
  Who: ({ actor_kind, actor_id }: EntryRow) =>
    html`${actor_kind} ${actor_id === undefined ? undefined : html`<code>${actor_id}</code>`}`,
  Did: ({ operation }: EntryRow) => operation,
  To: ({ object_kind, object_id }: EntryRow) => html`${object_kind} <code>${object_id}</code>`,
  Details: (entry: EntryRow) => (entry.before || entry.after ? details(entry) : undefined),
};

/** The page that ends before entry `before`; undefined: the latest page. @throws bad_request */
function readBefore(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || !/^[1-9]\d{0,14}$/.test(text))
    throw badRequest('before must be the number of an entry');
  return Number(text);
}

/** The audit log of the org, newest entries first, in pages. */
export function auditRoutes(parts: PortalParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(place, async (request, response) => {
    const visitor = await sessionInOrg(parts, request, response, 'admin');
    if (!visitor) return;
    const { session, member } = visitor;
    const before = readBefore(request.query['before']);
    const audit = auditService(parts.db);
    const range = before === undefined ? {} : { after: Math.max(0, before - pageRows - 1) };
    const { objects } = await audit.list(member.orgId, { ...range, limit: pageRows });
    const anchor = await audit.anchorOf(member.orgId);
    const entries = objects
      .map((text) => JSON.parse(text) as EntryRow)
      .filter(({ seq }) => before === undefined || seq < before)
      .reverse(); // newest first
    const begin = (anchor?.seq ?? 0) + 1;
    const first = entries.at(-1)?.seq ?? begin;
    sendPage(response, {
      title: 'Audit log',
      session,
      body: html`${orgNav(member)}
        <p>
          Who changed what in <strong>${member.orgName}</strong>. To verify that no entry was changed or removed, run
          <code>cli audit verify</code>.
          ${anchor && `Entries up to ${anchor.seq} were exported on ${anchor.exportedAt.toISOString()} and deleted.`}
        </p>
        ${table({ title: 'Audit log', columns, rows: entries, whenEmpty: 'No entries left.' })}
        ${pageLinks(place, { isLatest: before === undefined, older: first > begin ? first : undefined })}`,
    });
  });
  return router;
}
