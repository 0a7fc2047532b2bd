import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startIsolatedWorld, startWorld } from '../../support/world.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const signs =
  '</openapi.json>; rel="service-desc"; type="application/json", </docs>; rel="service-doc"; type="text/html", </.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"';

test('every answer of the API names the contract it was made by, refusals too: the SHA-256 of what /openapi.json gives', async () => {
  await using world = await startWorld();
  const digest = sha256(await (await fetch(`${world.url}/openapi.json`)).text());
  const answers = [
    await world.call('GET', '/api/sites?limit=1'),
    await world.call('GET', '/api/sites'),
    await world.call('POST', '/api/sites', { body: { name: 'Osaka' } }),
    await world.call('POST', '/api/sites', { body: {} }),
    await world.call('GET', '/api/sites', { token: 'svc_org_none' }),
    await world.call('GET', '/api/robots/none'),
    await world.call('PUT', '/api/sites'),
    await world.call('GET', '/api/nothing'),
    await world.call('HEAD', `/api/artifacts/${'0'.repeat(64)}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 400, 401, 404, 405, 404, 404]);
  for (const { headers } of answers) expect(headers.get('x-spec-digest')).toBe(digest);
  const page = await world.call('GET', '/api/fleets?limit=1');
  const same = { 'If-None-Match': page.headers.get('etag') ?? '' };
  const again = await world.call('GET', '/api/fleets?limit=1', { headers: same });
  expect([again.status, again.headers.get('x-spec-digest')]).toEqual([304, digest]);
});

test('the digest is that of the document as it is served, with its public address', async () => {
  await using world = await startIsolatedWorld({ env: { SERVICE_PUBLIC_URL: 'https://fleet.example.com' } });
  const digest = sha256(await (await fetch(`${world.url}/openapi.json`)).text());
  expect((await world.call('GET', '/api/sites')).headers.get('x-spec-digest')).toBe(digest);
});

test.each([
  ['https://fleet.example.com', { host: 'fleet.example.com', protocol: 'wss' }],
  ['http://10.0.0.7:8080/fleet', { host: '10.0.0.7:8080', pathname: '/fleet', protocol: 'ws' }],
])('the document of the WebSockets names the public address %s where one is set', async (address, server) => {
  await using world = await startIsolatedWorld({ env: { SERVICE_PUBLIC_URL: address } });
  const { servers } = (await (await fetch(`${world.url}/asyncapi.json`)).json()) as { servers: unknown };
  expect(servers).toEqual({ service: { ...server, description: 'This service.' } });
  await using other = await startWorld();
  expect(await (await fetch(`${other.url}/asyncapi.json`)).json()).not.toHaveProperty('servers');
});

test('pages and documents lead to the contract by Link headers, files of pages and answers of the API carry none', async () => {
  await using world = await startWorld();
  const linkOf = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${world.url}${path}`, { redirect: 'manual', ...init })).headers.get('link');
  for (const path of ['/', '/docs', '/docs/roles', '/openapi.json', '/openapi-3.0.json', '/asyncapi.json'])
    expect([path, await linkOf(path)]).toEqual([path, signs]);
  for (const path of ['/docs/redoc.js', '/portal', '/healthz', '/metrics', '/api/sites', '/nothing', '/openapi.jsonx'])
    expect([path, await linkOf(path)]).toEqual([path, null]);
  // Who asks again for what it has already is told too.
  const tag = (await fetch(`${world.url}/openapi.json`)).headers.get('etag') ?? '';
  expect(await linkOf('/openapi.json', { headers: { 'If-None-Match': tag } })).toBe(signs);
});

test('the catalog lists the documents, and each address in it answers with the type that it names', async () => {
  await using world = await startWorld();
  const address = `${world.url}/.well-known/api-catalog`;
  const response = await fetch(address);
  expect(response.headers.get('content-type')).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const { linkset } = (await response.json()) as { linkset: Record<string, { href: string; type: string }[]>[] };
  const targets = linkset.flatMap(({ anchor, ...relations }) => {
    expect(new URL(anchor as unknown as string, address).href).toBe(`${world.url}/`);
    return Object.values(relations).flat();
  });
  expect(targets.map(({ href }) => href)).toEqual([
    '/openapi.json',
    '/openapi-3.0.json',
    '/asyncapi.json',
    '/docs',
    '/readyz',
  ]);
  for (const { href, type } of targets) {
    const target = await fetch(new URL(href, address));
    expect([href, target.status, target.headers.get('content-type')?.split(';')[0]]).toEqual([href, 200, type]);
  }
  const head = await fetch(address, { method: 'HEAD' });
  expect([head.status, head.headers.get('link')]).toEqual([200, signs]);
});

test('the catalog is absolute where the public address is known', async () => {
  await using world = await startIsolatedWorld({ env: { SERVICE_PUBLIC_URL: 'https://fleet.example.com' } });
  const response = await fetch(`${world.url}/.well-known/api-catalog`);
  const { linkset } = (await response.json()) as { linkset: Record<string, unknown[]>[] };
  expect(linkset[0]?.['anchor']).toBe('https://fleet.example.com/');
  expect(linkset[0]?.['service-desc']?.[0]).toEqual({
    href: 'https://fleet.example.com/openapi.json',
    type: 'application/json',
  });
});
