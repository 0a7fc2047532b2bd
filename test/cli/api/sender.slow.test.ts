import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { readAll } from '../../../cli/command-line/io.ts';
import { listen, signedInHome, startHome } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { startFailingFront } from '../../support/failing-proxy.ts';
import { startWorld } from '../../support/world.ts';

const robotId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71';
const tooSoon = { status: 429, headers: { 'Retry-After': '0' } };

async function withFront() {
  const world = await startWorld();
  const front = await startFailingFront(world.url);
  const home = await signedInHome({ ...world, url: front.url });
  return {
    world,
    front,
    home,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await front[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test('a read is sent again while the service is busy, away or lost, with a line on stderr for each wait', async () => {
  await using scene = await withFront();
  const { front, home, world } = scene;
  const site = await factories(world).site('Osaka');
  const again = (why: string) => `Retrying in 1 s: ${why}\n`;
  const cases: [plan: typeof front.plan, stderr: string][] = [
    [
      [{ status: 503 }, { status: 502 }],
      again('the service is busy (503)') + again('no response behind the proxy (502)'),
    ],
    [[{ status: 504 }], again('no response behind the proxy (504)')],
    [[tooSoon], again('too many requests (429)')],
    [['lost'], again('the connection was lost')],
    [['cut'], again('the connection was lost')],
    [[{ status: 409, headers: { 'Retry-After': '0' } }], again('the service asks to wait (409)')],
  ];
  for (const [plan, stderr] of cases) {
    front.plan = [...plan];
    front.calls.length = 0;
    const result = await home.cli(['sites', 'list', '--json']);
    expect(result).toMatchObject({ code: 0, stderr });
    expect(JSON.parse(result.stdout)).toEqual({ items: [site] });
    expect(front.calls).toHaveLength(plan.length + 1);
  }
});

test('a call with a key is sent again with the same key and body, and is done once', async () => {
  await using scene = await withFront();
  const { front, home, world } = scene;
  const [, release] = [await factories(world).fleet(), await factories(world).release()];
  const fleet = (await world.call('GET', '/api/fleets')).body.items[0].id as string;
  const deploy = async (...flags: string[]) =>
    home.cli(['deploy', release.id as string, '--fleet', fleet, '--fields', 'target_id', ...flags]);
  // The response to the second try is lost after the service has acted.
  front.plan = [{ status: 503 }, 'cut'];
  front.calls.length = 0;
  expect(await deploy()).toEqual({
    code: 0,
    stdout: `${fleet}\n`,
    stderr: 'Retrying in 1 s: the service is busy (503)\nRetrying in 1 s: the connection was lost\n',
  });
  expect(front.calls.map(({ line }) => line)).toEqual(Array(3).fill('POST /api/deployments'));
  expect(new Set(front.calls.map(({ key }) => key)).size).toBe(1);
  expect(await world.count('deployments')).toBe(1);
  // Somebody else’s use of a key is still told.
  const key = randomUUID();
  expect((await deploy('--idempotency-key', key)).stderr).toBe('');
  expect((await deploy('--idempotency-key', key)).stderr).toContain('This key was used before');
});

test('a call that may have been done is not repeated; one that was refused for being too many is, whole', async () => {
  const bodies: string[] = [];
  let plan: ({ status: number } | 'lost')[] = [];
  await using server = await listen((request, response) => {
    void readAll(request).then((body) => {
      bodies.push(body.toString());
      const next = plan.shift();
      if (next === 'lost') return void response.destroy();
      response.writeHead(next?.status ?? 200, { 'Retry-After': '0' });
      response.end(next ? '{"error":{"code":"http_error","message":"not now"}}' : '{"data":{"id":"1","name":"amr-2"}}');
    });
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const lines = [
    ['PATCH', 'robots', 'rename', robotId, 'amr-2'],
    ['DELETE', 'robots', 'remove', robotId],
    ['POST', 'api', 'POST', '/api/sites', '-f', 'name=Osaka'],
  ];
  for (const [method = '', ...line] of lines) {
    for (const failure of [{ status: 503 }, { status: 502 }, 'lost'] as const) {
      server.requests.length = 0;
      plan = [failure];
      const { code, stderr } = await home.cli(line);
      expect([code, server.requests.length], `${method} ${JSON.stringify(failure)}`).toEqual([1, 1]);
      expect(stderr).not.toContain('Retrying');
    }
    [server.requests.length, bodies.length] = [0, 0];
    plan = [{ status: 429 }];
    expect(await home.cli(line), method).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Retrying in 1 s: too many requests (429)\n') as string,
    });
    expect(server.requests[0]).toMatch(new RegExp(`^${method} `));
    expect(server.requests[1]).toBe(server.requests[0]);
    expect(bodies[1]).toBe(bodies[0]);
  }
});

test('Retry-After is waited for, also as a date, up to ten seconds in all', async () => {
  await using scene = await withFront();
  const { front, home } = scene;
  const date = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toUTCString();
  for (const headers of [{ 'Retry-After': '1' }, { 'Retry-After': date(1), Date: date(0) }]) {
    front.plan = [{ status: 503, headers }];
    const began = performance.now();
    const { code, stderr } = await home.cli(['sites', 'list']);
    expect([code, stderr]).toEqual([0, 'Retrying in 2 s: the service is busy (503)\n']);
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_000);
  }
  // The second would make it more than ten seconds.
  front.calls.length = 0;
  front.plan = [
    { status: 503, headers: { 'Retry-After': '1' } },
    { status: 503, headers: { 'Retry-After': '10' } },
  ];
  const result = await home.cli(['sites', 'list']);
  expect(result).toMatchObject({ code: 1, stdout: '' });
  expect(result.stderr).toMatch(/^Retrying in 2 s: .*\nError: not now\n {2}Try again in 10 s\n$/);
  expect(front.calls).toHaveLength(2);
});

test('a Retry-After that is too long, and what is no busy service, end the call at once with the error they had', async () => {
  await using scene = await withFront();
  const { front, home } = scene;
  const outcomes: [failure: (typeof front.plan)[number], code: number, stderr: string][] = [
    [{ status: 503, headers: { 'Retry-After': '11' } }, 1, 'Error: not now\n  Try again in 11 s\n'],
    [{ status: 500 }, 1, 'Error: not now\n  Look up the request ID in the log of the service\n'],
    [{ status: 409 }, 6, 'Error: not now\n  Show usage with: cli help sites list\n'],
    [{ status: 404 }, 5, 'Error: not now\n  Show usage with: cli help sites list\n'],
  ];
  for (const [failure, code, stderr] of outcomes) {
    front.calls.length = 0;
    front.plan = [failure];
    expect(await home.cli(['sites', 'list'])).toEqual({ code, stdout: '', stderr });
    expect(front.calls).toHaveLength(1);
  }
});

test('when the tries are used up the error is that of the last one', async () => {
  await using scene = await withFront();
  const { front, home } = scene;
  front.plan = [{ status: 503 }, { status: 503 }, { status: 503, headers: { 'Retry-After': '7' } }];
  const result = await home.cli(['sites', 'list', '--json']);
  expect(result).toMatchObject({ code: 1, stdout: '{"error":{"code":"http_error","message":"not now"}}\n' });
  expect(result.stderr).toBe(
    `${'Retrying in 1 s: the service is busy (503)\n'.repeat(2)}Error: not now\n  Try again in 7 s\n`,
  );
  expect(front.calls).toHaveLength(3);
});

test('what a person has to mend is said at once: a refused connection, a name, TLS, a proxy', async () => {
  await using gone = await listen(() => undefined);
  await gone[Symbol.asyncDispose]();
  await using plain = await listen((_, response) => response.end());
  // TLS whose handshake is cut, as by a firewall.
  let connections = 0;
  const cutting = createServer((socket) => socket.once('data', () => ((connections += 1), socket.resetAndDestroy())));
  await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
  const addresses: [url: string, env: Record<string, string>, text: string][] = [
    [gone.url, {}, 'refused the connection'],
    ['http://no-such-host.invalid', {}, 'no address found'],
    [plain.url.replace('http:', 'https:'), {}, 'no trusted TLS connection'],
    [`https://127.0.0.1:${(cutting.address() as AddressInfo).port}`, {}, 'failed'],
    ['https://fleet.invalid', { HTTPS_PROXY: plain.url }, 'cannot reach fleet.invalid through the proxy'],
  ];
  for (const [url, env, text] of addresses) {
    const { code, stderr } = await home.cli(['sites', 'list', '--base-url', url], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining(text)]);
    expect(stderr).not.toContain('Retrying');
  }
  cutting.close();
  expect(connections).toBe(1);
});

test('doctor reports what it finds, and sends each request once', async () => {
  await using server = await listen((_, response) => response.writeHead(503).end());
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { code, stderr } = await home.cli(['doctor']);
  expect([code, server.requests]).toEqual([1, ['GET /openapi.json']]);
  expect(stderr).not.toContain('Retrying');
});
