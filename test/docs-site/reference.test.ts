import { expect, test } from 'vitest';
import { startIsolatedWorld, startWorld } from '../support/world.ts';

test('the contract is the same byte for byte to everybody, without a token, and costs nothing to ask for again', async () => {
  await using world = await startWorld();
  for (const path of ['/openapi.json', '/openapi-3.0.json']) {
    const [first, second] = [await fetch(`${world.url}${path}`), await fetch(`${world.url}${path}`)];
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    expect(await first.text()).toBe(await second.text());
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    const again = await fetch(`${world.url}${path}`, { headers: { 'If-None-Match': tag } });
    expect(again.status).toBe(304);
  }
});

test('the contract names the public address where one is set', async () => {
  await using world = await startIsolatedWorld({ env: { SERVICE_PUBLIC_URL: 'https://fleet.example.com/' } });
  const document = (await (await fetch(`${world.url}/openapi.json`)).json()) as { servers: object[] };
  expect(document.servers).toEqual([{ url: 'https://fleet.example.com', description: 'This service.' }]);
});

test('pages that do not exist answer in the envelope', async () => {
  await using world = await startWorld();
  for (const path of ['/nothing', '/docs/main.js', '/docs/..%2fpackage.json', '/Docs', '/API/robots']) {
    const response = await fetch(`${world.url}${path}`);
    expect([400, 404], path).toContain(response.status);
    expect(await response.json()).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
  }
});

test('the probes and the metrics answer outside the envelope', async () => {
  await using world = await startIsolatedWorld();
  await world.call('GET', '/api/sites');
  await world.call('GET', '/api/nothing-of-the-contract');
  expect(await (await fetch(`${world.url}/healthz`)).json()).toEqual({ status: 'ok' });
  expect(await (await fetch(`${world.url}/readyz`)).json()).toEqual({ status: 'ready', database: 'ok', bus: 'ok' });
  const metrics = await fetch(`${world.url}/metrics`);
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await metrics.text();
  expect(text).toContain('fleet_http_requests_total{operation="listSites",status="200"} 1');
  expect(text).toContain('fleet_http_requests_total{operation="none",status="404"} 1');
  expect(text).toContain('fleet_bus_up 1');
});
