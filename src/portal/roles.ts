import { Router } from 'express';
import { hasAtLeastRole, roles, type CallerKind, type Role } from '../kernel/caller.ts';
import { compileContract, type Document } from '../platform/http/dispatch/contract.ts';
import type { UpgradeRoute } from '../platform/ws/upgrade.ts';
import { html, type Html } from '../platform/http/html.ts';
import { plainDocument, serveDocument } from '../docs-site/reference/docs-page.ts';
import { table } from './table.ts';

/** A permission, as the contract states it. */
interface Permission {
  name: Html; // the operation, or the content of a stream, with a link to its documentation
  method: string;
  path: string;
  tokenKinds: ReadonlySet<CallerKind>;
  leastRole: Role | undefined; // undefined if no role applies
}

const cell = (isAllowed: boolean) => (isAllowed ? 'yes' : html`<span class="no">no</span>`);
const ofKind =
  (kind: CallerKind) =>
  ({ tokenKinds }: Permission) =>
    cell(tokenKinds.has(kind));
const ofRole =
  (role: Role) =>
  ({ tokenKinds, leastRole }: Permission) =>
    cell(tokenKinds.has('user') && hasAtLeastRole(role, leastRole ?? 'viewer'));

/** Same rules as `authorize`: the kind of the token, then the role of its user. An org token is an admin. */
const columns = {
  Operation: ({ name, method, path }: Permission) => html`${name}<br /><code>${method} ${path}</code>`,
  ...Object.fromEntries(roles.map((role) => [role, ofRole(role)])),
  'org token': ofKind('org'),
  'robot token': ofKind('robot'),
  'enrollment key': ofKind('enroll'),
  'admin token': ofKind('admin'),
};

/** The rules that the dispatcher and the upgrades use. */
const permissionsOf = (document: Document, streams: readonly UpgradeRoute[]): Permission[] => [
  ...compileContract(document).operations.map((operation) => ({
    ...operation,
    name: html`<a href="/docs#operation/${operation.id}">${operation.id}</a>`,
  })),
  ...streams.map(({ path, kinds, leastRole }) => ({
    name: html`<a href="/docs/streams">live stream</a>`,
    method: 'WebSocket',
    path,
    tokenKinds: new Set(kinds),
    leastRole,
  })),
];

const title = 'Roles and permissions';

/** `/docs/roles`: all permissions by role. Generated from the rules that check requests, so it always matches them. */
export function roleRoutes({ document, streams }: { document: Document; streams: readonly UpgradeRoute[] }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const body = () =>
    html`<p>
        A user has one role in each org, and a user token has the role of its user. An org token is an admin of its org.
        The admin token belongs to the operator of the service and to no org. A robot token has access only to its own
        robot.
      </p>
      ${table({ title, columns, rows: permissionsOf(document, streams) })}
      <p>All other requests are refused.</p>`;
  router.get(
    '/docs/roles',
    serveDocument(() => plainDocument(title, '/docs/roles', body())),
  );
  return router;
}
