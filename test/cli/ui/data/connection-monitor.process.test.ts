import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { ConnectionState } from '../../../../cli/ui/data/data.ts';
import { listen } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startKillableService } from '../../../support/killable-service.ts';
import { openStores } from '../../../support/stores.ts';
import { startWorld } from '../../../support/world.ts';

const attemptOf = (state: ConnectionState) => (state.kind === 'reconnecting' ? state.attempt : 0);

test('a service that is killed and comes back is waited for, and nothing passes for live meanwhile', async () => {
  await using service = await startKillableService();
  await using stores = await openStores({
    url: service.url.origin,
    token: service.token,
    random: () => 0,
    answerWithinMs: 60_000,
  });
  const { data, mutations } = stores;
  data.sites.want();
  data.fleets.want();
  await expect.poll(() => data.sites.get().freshness.kind).toBe('live');
  await mutations.createSite('Osaka');
  await expect.poll(() => data.sites.get().value?.items.map(({ name }) => name)).toEqual(['Osaka']);

  await service.killServer();
  await expect.poll(() => data.connection.get().kind).toBe('reconnecting');
  const { attempt, failure } = data.connection.get() as { attempt: number; failure: { message: string } };
  expect(attempt).toBe(1);
  expect(failure.message).toContain('refused the connection');
  // Both of them at once, though only one had to ask to find out.
  expect(data.sites.get().freshness).toMatchObject({ kind: 'stale', failure });
  expect(data.fleets.get().freshness.kind).toBe('stale');
  expect(data.sites.get().value?.items).toHaveLength(1);
  await expect(mutations.createSite('Kobe')).rejects.toMatchObject({ code: 'http_error' });
  await expect.poll(() => attemptOf(data.connection.get())).toBeGreaterThan(1);

  await service.startServer();
  await expect.poll(() => data.sites.get().freshness.kind).toBe('live');
  expect(data.connection.get().kind).toBe('live');
  await expect.poll(() => data.fleets.get().freshness.kind).toBe('live');
  expect(stores.kinds).toEqual(['connecting', 'live', 'reconnecting', 'live']);
});

test('an address where nothing listens is told of, with where it came from, and the interface goes on', async () => {
  const gone = await listen((_request, response) => response.end());
  await gone[Symbol.asyncDispose]();
  await using stores = await openStores({ url: gone.url, token: 'svc_org_x' });
  stores.data.robots.want();
  await expect
    .poll(() => stores.data.robots.get().freshness)
    .toMatchObject({
      kind: 'failed',
      failure: { hint: expect.stringContaining('The base URL came from --base-url') },
    });
  expect(stores.data.connection.get()).toMatchObject({ kind: 'reconnecting', attempt: 1 });
});

test('a service that does not answer any more is taken for away, long before its connection breaks', async () => {
  await using mute = await listen(() => undefined);
  await using stores = await openStores({ url: mute.url, token: 'svc_org_x', answerWithinMs: 50, random: () => 0 });
  stores.data.robots.want();
  stores.data.sites.want();
  await expect.poll(() => attemptOf(stores.data.connection.get())).toBeGreaterThan(1);
  // Two that wanted something, and then probes alone.
  expect(mute.requests.slice(0, 2).sort()).toEqual(['GET /api/robots?limit=1000', 'GET /api/sites?limit=1000']);
  expect(new Set(mute.requests.slice(2))).toEqual(new Set(['GET /api/whoami']));
});

test('while nothing answers somebody who is there waits no longer than 5 s for the next try, and may have it at once', async () => {
  await using mute = await listen(() => undefined);
  const clock = { nowMs: 0 };
  await using stores = await openStores({
    url: mute.url,
    token: 'svc_org_x',
    answerWithinMs: 20,
    random: () => 1,
    now: () => clock.nowMs,
  });
  const { data } = stores;
  const nextInMs = () => {
    const state = data.connection.get();
    return state.kind === 'reconnecting' ? state.nextAtMs - clock.nowMs : undefined;
  };
  data.robots.want();
  for (const [attempt, waitMs] of [2_000, 4_000, 8_000].entries()) {
    await expect.poll(() => attemptOf(data.connection.get())).toBe(attempt + 1);
    expect(nextInMs()).toBe(waitMs);
    if (attempt < 2) data.tryNow();
  }
  data.attend();
  expect(nextInMs()).toBe(5_000);
  data.tryNow();
  await expect.poll(() => attemptOf(data.connection.get())).toBe(4);
  expect(nextInMs()).toBe(5_000);
  data.tryNow();
  // Gone for a minute.
  clock.nowMs += 61_000;
  await expect.poll(() => attemptOf(data.connection.get())).toBe(5);
  expect(nextInMs()).toBe(30_000);
});

test.each([
  [0, 0],
  [3 * 3_600_000, 10_800_000],
  [-60_000, -60_000],
])('a clock that is %i ms ahead of the service is known by its answers', async (offMs, aheadMs) => {
  await using service = await listen((_request, response) => {
    response.setHeader('Date', new Date(Date.now() - offMs).toUTCString());
    response.end(JSON.stringify({ data: { org: { id: 'org' } } }));
  });
  await using stores = await openStores({ url: service.url, token: 'svc_org_x' });
  const { data } = stores;
  data.whoami.want();
  await expect.poll(() => data.whoami.get().freshness.kind).toBe('live');
  // A Date has no parts of seconds, and the answer may take its time.
  expect(Math.abs(data.clockAheadMs.get() - aheadMs)).toBeLessThanOrEqual(10_000);
});

test('who is told to wait waits, and so does everybody else', async () => {
  let isResting = true;
  await using busy = await listen((_request, response) => {
    if (isResting) {
      response.writeHead(429, { 'Retry-After': '3' });
      response.end(JSON.stringify({ error: { code: 'http_error', message: 'rate limit reached' } }));
    } else response.end(JSON.stringify({ items: [] }));
  });
  await using stores = await openStores({ url: busy.url, token: 'svc_org_x' });
  const { data } = stores;
  data.robots.want();
  await expect.poll(() => data.connection.get().kind).toBe('resting');
  const { nextAtMs, failure } = data.connection.get() as { nextAtMs: number; failure: { message: string } };
  expect(nextAtMs - data.now()).toBeGreaterThan(0);
  expect(nextAtMs - data.now()).toBeLessThanOrEqual(3_000);
  expect(failure.message).toBe('rate limit reached');
  data.sites.want();
  expect(data.sites.get().freshness).toMatchObject({ kind: 'failed', failure });
  expect(busy.requests).toEqual(['GET /api/robots?limit=1000']);
  isResting = false;
  await expect.poll(() => data.sites.get().freshness.kind).toBe('live');
  expect(data.now()).toBeGreaterThanOrEqual(nextAtMs);
  expect(busy.requests[1]).toBe('GET /api/whoami');
});

test.each([
  [503, '3600'],
  [503, '3000000'],
  [429, '3600'],
])('a wait of %i with %s s ends after a minute; only one after an outage may end at once', async (status, seconds) => {
  let isResting = true;
  await using proxy = await listen((_request, response) => {
    if (isResting) response.writeHead(status, { 'Retry-After': seconds });
    response.end(JSON.stringify(isResting ? { error: { code: 'http_error', message: 'wait' } } : { items: [] }));
  });
  await using stores = await openStores({ url: proxy.url, token: 'svc_org_x' });
  const { data } = stores;
  data.robots.want();
  await expect.poll(() => data.connection.get()).toMatchObject({ kind: 'resting', status });
  const { nextAtMs } = data.connection.get() as { nextAtMs: number };
  expect(nextAtMs - data.now()).toBeLessThanOrEqual(60_000);
  data.attend();
  isResting = false;
  if (status === 503) {
    data.tryNow();
    await expect.poll(() => data.robots.get().freshness.kind).toBe('live');
    expect(proxy.requests[1]).toBe('GET /api/whoami');
  } else {
    data.tryNow();
    await expect(data.monitor.call((api) => api.get('/api/sites', {}))).resolves.toBeDefined();
    expect(data.connection.get()).toMatchObject({ kind: 'resting', nextAtMs });
  }
  // Without another probe meanwhile.
  expect(proxy.requests.filter((request) => request === 'GET /api/whoami').length).toBeLessThanOrEqual(1);
});

test('a probe that hangs says nothing once another request was answered', async () => {
  let isMute = true;
  await using service = await listen(({ url = '' }, response) => {
    if (!isMute && !url.startsWith('/api/whoami')) response.end(JSON.stringify({ items: [] }));
  });
  await using stores = await openStores({ url: service.url, token: 'svc_org_x', answerWithinMs: 300, random: () => 0 });
  const { data } = stores;
  data.sites.want();
  await expect.poll(() => service.requests).toContain('GET /api/whoami');
  isMute = false;
  await data.monitor.call((api) => api.get('/api/sites', {}));
  expect(data.connection.get().kind).toBe('live');
  const sinceMs = performance.now();
  await expect.poll(() => performance.now() - sinceMs).toBeGreaterThan(600);
  expect(stores.kinds).toEqual(['connecting', 'reconnecting', 'live']);
});

test('a failure of one list makes the service degraded until that list is read again', async () => {
  let isBroken = true;
  await using half = await listen(({ url = '' }, response) => {
    if (isBroken && url.startsWith('/api/robots')) {
      response.writeHead(500, { 'X-Request-Id': 'r-1' });
      response.end(JSON.stringify({ error: { code: 'internal_server_error', message: 'the service failed' } }));
    } else response.end(JSON.stringify({ items: [] }));
  });
  await using stores = await openStores({ url: half.url, token: 'svc_org_x' });
  const { data } = stores;
  data.robots.want();
  data.sites.want();
  await expect.poll(() => data.connection.get().kind).toBe('degraded');
  await expect.poll(() => data.sites.get().freshness.kind).toBe('live');
  const failure = { message: 'the service failed', requestId: 'r-1', code: 'internal_server_error' };
  expect(data.robots.get().freshness).toMatchObject({ kind: 'failed', failure });
  expect(data.connection.get()).toMatchObject({ kind: 'degraded', failure });
  isBroken = false;
  data.robots.refresh();
  await expect.poll(() => data.connection.get().kind).toBe('live');
  expect(data.robots.get().freshness.kind).toBe('live');
});

test('a robot that does not list its topics is no failure of the service', async () => {
  let isMute = true;
  await using mute = await listen(({ url = '' }, response) => {
    if (isMute && url.includes('/ros/topics')) {
      response.writeHead(503, { 'Retry-After': '30' });
      response.end(JSON.stringify({ error: { code: 'http_error', message: 'the agent did not answer' } }));
    } else response.end(JSON.stringify({ items: [], nodes: [] }));
  });
  await using stores = await openStores({ url: mute.url, token: 'svc_org_x' });
  const { data } = stores;
  const topics = data.topics('r-1');
  data.sites.want();
  topics.want();
  await expect.poll(() => topics.get().freshness).toMatchObject({ kind: 'failed' });
  await expect.poll(() => data.sites.get().freshness.kind).toBe('live');
  isMute = false;
  topics.refresh();
  await expect.poll(() => topics.get().freshness.kind).toBe('live');
  expect(stores.kinds).toEqual(['connecting', 'live']);
});

test('a token that is revoked in between stops all calls, and a new one brings back what was on the screen', async () => {
  await using world = await startWorld();
  const made = factories(world);
  await made.site('Osaka');
  const first = await made.userToken('admin', 'a@example.com');
  const second = await made.userToken('viewer', 'b@example.com');
  await using stores = await openStores({ url: world.url, flags: {}, token: first });
  const { data, mutations } = stores;
  data.whoami.want();
  data.sites.want();
  await expect.poll(() => data.sites.get().freshness.kind).toBe('live');
  await expect.poll(() => data.whoami.get().value?.role).toBe('admin');

  const { token } = data.whoami.get().value ?? { token: { id: '' } };
  await mutations.revokeToken(token.id);
  data.sites.refresh();
  await expect.poll(() => data.connection.get().kind).toBe('signedOut');
  expect(data.sites.get()).toMatchObject({
    value: { items: [{ name: 'Osaka' }] },
    freshness: { kind: 'stale', failure: { code: 'unauthorized' } },
  });

  // Nobody asks any more, those who come new neither.
  data.keys.want();
  expect(data.keys.get().freshness).toMatchObject({ kind: 'failed', failure: { code: 'unauthorized' } });

  await expect(mutations.signIn('svc_user_wrong')).rejects.toMatchObject({ code: 'unauthorized' });
  expect(data.connection.get().kind).toBe('signedOut');
  await mutations.signIn(` ${second}\n`);
  await expect.poll(() => data.sites.get().freshness.kind).toBe('live');
  await expect.poll(() => data.whoami.get().value?.role).toBe('viewer');
  expect(data.connection.get().kind).toBe('live');
  expect(await readFile(stores.file, 'utf8')).toContain(second);
  // 403 is that list's own.
  data.tokens.want();
  await expect
    .poll(() => data.tokens.get().freshness)
    .toMatchObject({ kind: 'failed', failure: { code: 'forbidden' } });
  expect(data.connection.get().kind).toBe('live');
});

test('nobody is signed in: the interface opens and asks for a token, and what is another org’s goes from the screen', async () => {
  await using world = await startWorld();
  await factories(world).site('Osaka');
  const other = await factories(world).org();
  await using stores = await openStores({ url: world.url });
  const { data, mutations } = stores;
  data.whoami.want();
  data.sites.want();
  await expect.poll(() => data.sites.get().freshness.kind).toBe('failed');
  expect(data.connection.get()).toMatchObject({ kind: 'signedOut', failure: { message: 'not signed in' } });
  await mutations.signIn(world.orgToken);
  await expect.poll(() => data.sites.get().value?.items.length).toBe(1);
  await expect.poll(() => data.whoami.get().value?.org.id).toBe(world.orgId);
  const seen: unknown[] = [];
  data.sites.subscribe(() => seen.push(data.sites.get().value?.items.length));
  await mutations.signIn(other.token);
  await expect.poll(() => seen).toEqual([undefined, 0]);
});
