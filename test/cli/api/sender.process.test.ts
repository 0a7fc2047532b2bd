import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { listen, startHome } from '../../support/cli.ts';
import { testWith } from '../../support/tools.ts';

const busy = '{"error":{"code":"http_error","message":"not now"}}';
const found = '{"items":[{"id":"0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71","tag":"a","name":"a"}]}';

test('Ctrl-C ends the wait at once with 130', async () => {
  await using server = await listen((_, response) => response.writeHead(503, { 'Retry-After': '9' }).end(busy));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['sites', 'list']);
  await running.sees('Retrying in');
  const began = performance.now();
  running.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect([code, stdout]).toEqual([130, '']);
  expect(stderr).toMatch(/^Retrying in 1\d s: the service is busy \(503\)\n$/);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(server.requests).toHaveLength(1);
});

test('an order that is interrupted while it waits tells its key', async () => {
  await using server = await listen((request, response) => {
    if (request.method === 'POST') response.writeHead(503, { 'Retry-After': '9' }).end(busy);
    else response.end(found);
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['deploy', 'a', '--fleet', 'a', '--idempotency-key', 'my-key']);
  await running.sees('Retrying in');
  running.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain('--idempotency-key my-key is safe');
});

test('what asks again by itself sends each request once', async () => {
  let isBusy = true;
  await using server = await listen((_, response) => {
    if (isBusy) response.writeHead(503, { 'Retry-After': '0' }).end(busy);
    else response.end('{"items":[{"id":"1","name":"Osaka"}]}');
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  for (const line of [
    ['sites', 'list', '--watch'],
    ['admin', 'orgs', 'list', '--watch'],
  ]) {
    server.requests.length = 0;
    const { code, stderr } = await home.cli(line);
    expect([code, server.requests.length, stderr]).toEqual([1, 1, 'Error: not now\n  Try again in 0 s\n']);
  }
  isBusy = false;
  const running = home.start(['sites', 'list', '--watch']);
  await running.sees('Osaka');
  isBusy = true;
  await running.sees('No response: not now. Retrying every 2 s.');
  running.kill('SIGINT');
  expect((await running.ended).stderr).not.toContain('the service is busy');
});

testWith('script')('calls of one table that wait at the same time say it once', async () => {
  const [site_id, fleet_id] = [randomUUID(), randomUUID()];
  const robots = [{ id: randomUUID(), name: 'amr-1', site_id, fleet_id, online: true, labels: {} }];
  let toRefuse = 2;
  await using server = await listen((request, response) => {
    if (request.url?.startsWith('/api/robots')) response.end(JSON.stringify({ items: robots }));
    else if (toRefuse-- > 0) response.writeHead(503, { 'Retry-After': '1' }).end(busy);
    else response.end('{"items":[]}');
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { code, stdout } = await home.cli(['robots', 'list', '--no-color'], { columns: 80 });
  expect(code).toBe(0);
  const [fleets, sites] = [`GET /api/fleets?id=${fleet_id}`, `GET /api/sites?id=${site_id}`];
  expect(server.requests.toSorted()).toEqual([fleets, fleets, 'GET /api/robots', sites, sites]);
  // A progress line that stood there is taken away.
  expect(stdout.match(/Retrying/g)).toHaveLength(1);
  expect(stdout).toContain('\r\u001b[KRetrying in 2 s: the service is busy (503)\r\n');
});
