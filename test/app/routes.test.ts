import { expect, test } from 'vitest';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Document } from '../../src/platform/http/dispatch/contract.ts';
import { createPages } from '../../src/docs-site/pages.ts';
import { checkSocketsDocumented } from '../../src/platform/ws/documented-sockets.ts';
import { createPortal } from '../../src/portal/portal.ts';

/** What is mounted beside the contract: documents and pages, none of them an operation. The probes are no routes of Express. */
const beside =
  /^\/($|(openapi|openapi-3\.0|asyncapi)\.json$|\.well-known\/api-catalog$|docs($|\/)|schemas($|\/)|portal($|\/)|sign-in($|\/)|sign-out$|cli\/(authorize|token)$)/;

interface Layer {
  route?: { path: string | string[] };
  handle: { stack?: Layer[] };
}

/** The paths of an Express app, those of routers in it too. */
const pathsOf = (stack: Layer[]): string[] =>
  stack.flatMap(({ route, handle }) => (route ? [route.path].flat() : pathsOf(handle.stack ?? [])));

/** The portal as it is mounted: nothing here asks it for a page. */
function pages(provider?: { issuer: string; clientId: string; clientSecret: string }) {
  const unused = {} as never;
  const portal = createPortal({
    db: unused,
    bus: unused,
    log: unused,
    admin: unused,
    trustProxy: () => false,
    assetsDir: '',
    provider,
    publicUrl: undefined,
    ownUrl: () => '',
    document: contract as unknown as Document,
    streams: [],
  });
  return createPages({ contract, contract30: {}, asyncapi, publicUrl: undefined, assetsDir: '', docsDir: '', portal });
}

test('whatever is mounted beside the contract is a document, a page of the reference or one of the portal', () => {
  const found = [undefined, { issuer: 'https://id.example.com', clientId: 'x', clientSecret: 'y' }]
    .map((provider) => pages(provider).router as unknown as { stack: Layer[] })
    .flatMap(({ stack }) => pathsOf(stack));
  expect(found).toContain('/openapi.json');
  expect(found).toContain('/portal/enrollment-keys');
  expect(found).toContain('/sign-in/callback');
  expect(found.filter((path) => !beside.test(path))).toEqual([]);
});

test('a WebSocket that /asyncapi.json does not tell of, or tells of in vain, stops the start', () => {
  const told = Object.values(asyncapi.channels).map(({ address }) => address);
  const check = (paths: string[]) => () => checkSocketsDocumented(asyncapi, paths);
  expect(check([...told, '/internal/asks/{id}'])).not.toThrow();
  expect(check(told.map((path) => path.replace('{session}', '{id}')))).not.toThrow();
  expect(check([...told, '/api/robots/{id}/arm/ws'])).toThrow('/api/robots/{id}/arm/ws is mounted and not in');
  expect(check(told.slice(1))).toThrow(`${String(told[0])} is in /asyncapi.json and not mounted`);
});
