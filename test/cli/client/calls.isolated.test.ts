import { expect, expectTypeOf, test } from 'vitest';
import { ApiError, ConnectionError, createClient, type components } from '../../../cli/client/index.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { clientOf, refusalOf } from '../../support/client-for-others.ts';
import { startFailingFront } from '../../support/failing-proxy.ts';
import { factories } from '../../support/factories.ts';
import { startWorld } from '../../support/world.ts';
import { attemptsOf, failOn } from '../../deployments/engine/retries/support.ts';
import { startIsolatedDeploymentWorld } from '../../deployments/engine/support.ts';

test('a call gives the body of its answer, typed by its operation', async () => {
  await using world = await startWorld();
  const client = clientOf(world);
  const { data: site } = await client.POST('/api/sites', { body: { name: 'Osaka' } });
  expectTypeOf(site).toEqualTypeOf<components['schemas']['Site']>();
  expect(site.name).toBe('Osaka');
  const { items } = await client.GET('/api/sites');
  expect(items).toEqual([site]);
  const { data: fleet } = await client.POST('/api/fleets', { body: { name: 'pickers', site_id: site.id } });
  await factories(world).robot('amr-1');
  const [robot] = (await client.GET('/api/robots')).items;
  const { data: renamed } = await client.PATCH('/api/robots/{id}', {
    params: { path: { id: robot?.id ?? '' } },
    body: { name: 'amr-2' },
  });
  expect(renamed.name).toBe('amr-2');
  expect(fleet.site_id).toBe(site.id);
});

test('a refusal is an ApiError with what the envelope and the headers say', async () => {
  await using world = await startWorld();
  const error = await refusalOf(clientOf(world).GET('/api/robots/{id}', { params: { path: { id: 'nobody' } } }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 404, code: 'not_found', message: 'robot not found', retryAfter: undefined });
  expect((error as ApiError).requestId).toMatch(/^[0-9a-f-]{36}$/);
  const { response } = await clientOf(world).raw.GET('/api/robots/{id}', { params: { path: { id: 'nobody' } } });
  expect(response.status).toBe(404);
});

test('an answer that is not the service’s is an ApiError that says so', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  front.plan = [{ status: 502, headers: { 'Content-Type': 'text/html' }, text: '<h1>Bad gateway</h1>' }];
  expect(await refusalOf(clientOf(world, { baseUrl: front.url, maxTries: 1 }).GET('/api/whoami'))).toMatchObject({
    status: 502,
    isRetryable: true,
    code: 'http_error',
    message: "the response was 502, in a format that is not the service's",
  });
});

test('a list is read page by page, as far as it is wanted', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const client = clientOf(world, { baseUrl: front.url });
  for (const name of ['a', 'b', 'c', 'd', 'e']) await factories(world).site(name);
  const names: string[] = [];
  for await (const site of client.list('/api/sites', { params: { query: { limit: 2 } } })) {
    expectTypeOf(site).toEqualTypeOf<components['schemas']['Site']>();
    names.push(site.name);
    if (site.name === 'c') break;
  }
  expect(names).toEqual(['a', 'b', 'c']);
  expect(front.calls).toHaveLength(2);
  const all: string[] = [];
  for await (const { name } of client.list('/api/sites')) all.push(name);
  expect(all).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(front.calls.at(-1)?.line).toBe('GET /api/sites?limit=200');
});

test('a read is tried again after 429, 503, a lost connection and an answer that broke off', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const told: string[] = [];
  const client = clientOf(world, { baseUrl: front.url, onRetry: ({ why }) => told.push(why) });
  front.plan = [{ status: 429, headers: { 'Retry-After': '0' } }, { status: 503 }, 'lost', 'cut'];
  expect((await client.GET('/api/whoami')).data.orgs[0]?.name).toBe('local');
  expect(told).toEqual(['429', '503', 'the connection failed, or was lost', 'the connection failed, or was lost']);
});

test('a deployment gets one Idempotency-Key for all of its tries, so that an answer that was lost makes no second one', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const client = clientOf(world, { baseUrl: front.url });
  const made = factories(world);
  const [fleet, release] = [await made.fleet(), await made.release()];
  const body = { release_id: release.id, target_kind: 'fleet', target_id: fleet.id } as const;
  // The second answer was given, and did not arrive; the third is what a call gets while the first with its key is in flight.
  front.plan = ['lost', 'cut', { status: 409, headers: { 'Retry-After': '1' } }];
  const { data } = await client.POST('/api/deployments', { body });
  expect(data.target_id).toBe(fleet.id);
  expect(await world.count('deployments')).toBe(1);
  expect(front.calls).toHaveLength(4);
  expect(new Set(front.calls.map(({ key }) => key)).size).toBe(1);
  expect(front.calls[0]?.key).toMatch(/^[0-9a-f]{32}$/);

  await client.POST('/api/deployments', { body, params: { header: { 'Idempotency-Key': 'mine' } } });
  expect(front.calls.at(-1)?.key).toBe('mine');
});

test('the retry of a deployment has one Idempotency-Key too: it is made once, and no attempt is refused', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await using front = await startFailingFront(it.world.url);
  const { deployment: id } = await failOn(it, await it.robots(1));
  await it.reaches(id, 'failed');
  front.plan = [{ status: 503 }, 'cut'];
  const retry = clientOf(it.world, { baseUrl: front.url }).POST('/api/deployments/{id}/retry', {
    params: { path: { id } },
    body: {},
  });
  expect((await retry).data.retry_of).toBe(id);
  expect(new Set(front.calls.map(({ key }) => key)).size).toBe(1);
  expect(front.calls).toHaveLength(3);
  expect(await attemptsOf(it, id)).toMatchObject([{ id: (await retry).data.id }]);
});

test('a proxy whose service is away is asked again, when it says so by a date too', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const waits: number[] = [];
  const client = clientOf(world, { baseUrl: front.url, onRetry: ({ waitMs }) => waits.push(waitMs) });
  const date = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toUTCString();
  front.plan = [
    { status: 503, headers: { 'Retry-After': date(1_000), Date: date(0) } },
    { status: 502 },
    { status: 504, headers: { 'Retry-After': 'soon' } },
  ];
  expect((await client.GET('/api/whoami')).data.orgs[0]?.name).toBe('local');
  expect(waits).toHaveLength(3);
  expect(waits[0]).toBeGreaterThanOrEqual(1_000);
  expect(waits[0]).toBeLessThanOrEqual(1_250);

  front.plan = [{ status: 429, headers: { 'Retry-After': date(3_600_000), Date: date(0) } }];
  expect(await refusalOf(client.GET('/api/whoami'))).toMatchObject({ retryAfter: 3600, isRetryable: true });
});

test('a try whose answer does not come in time is given up, and tried again where that is harmless', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const told: string[] = [];
  const options = { baseUrl: front.url, timeoutSeconds: 2, onRetry: ({ why }: { why: string }) => told.push(why) };
  front.plan = ['silent', 'halted'];
  expect((await clientOf(world, options).GET('/api/whoami')).data.orgs[0]?.name).toBe('local');
  expect(told).toEqual(['no response within 2 s', 'no response within 2 s']);
  front.plan = ['silent'];
  const call = clientOf(world, options).POST('/api/sites', { body: { name: 'Osaka' } });
  expect(await refusalOf(call)).toBeInstanceOf(ConnectionError);
  // All of a call, its waits among it, is the business of a signal.
  front.plan = ['silent'];
  const late = clientOf(world, { baseUrl: front.url }).GET('/api/whoami', { signal: AbortSignal.timeout(300) });
  expect(await refusalOf(late)).toMatchObject({ name: 'TimeoutError' });
  expect(told).toHaveLength(2);
});

test('every call says who calls, and what its programmer wants to see of it he sees', async () => {
  await using world = await startWorld();
  const agents: (string | null)[] = [];
  const ask = (request: Request) => {
    agents.push(request.headers.get('User-Agent'));
    return fetch(request);
  };
  const client = clientOf(world, { fetch: ask, userAgent: 'stock-sync/2.1' });
  const seen: string[] = [];
  client.raw.use({ onResponse: ({ schemaPath, response }) => void seen.push(`${schemaPath} ${response.status}`) });
  await client.GET('/api/robots');
  await clientOf(world, { fetch: ask }).GET('/api/whoami');
  expect(agents).toEqual([`stock-sync/2.1 fleet-client/${manifest.version}`, `fleet-client/${manifest.version}`]);
  expect(seen).toEqual(['/api/robots 200']);
});

test('what is not safe to repeat is never repeated, nor what stays refused', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const client = clientOf(world, { baseUrl: front.url });
  front.plan = [{ status: 503, headers: { 'Retry-After': '0' } }, 'cut'];
  const create = () => client.POST('/api/sites', { body: { name: 'Osaka' } });
  expect(await refusalOf(create())).toMatchObject({ status: 503, retryAfter: 0 });
  expect(await refusalOf(create())).toBeInstanceOf(ConnectionError);
  expect(front.calls).toHaveLength(2);
  front.plan = [{ status: 409 }, { status: 500 }];
  expect(await refusalOf(client.GET('/api/whoami'))).toMatchObject({ status: 409 });
  expect(await refusalOf(client.GET('/api/whoami'))).toMatchObject({ status: 500 });
  expect(front.calls).toHaveLength(4);
});

test('a call of any kind that came too soon is sent again, whole, but an upload is not', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const client = clientOf(world, { baseUrl: front.url });
  const tooSoon = { status: 429, headers: { 'Retry-After': '0' } };
  front.plan = [tooSoon, tooSoon];
  expect((await client.POST('/api/sites', { body: { name: 'Osaka' } })).data.name).toBe('Osaka');
  const at = { params: { path: { id: (await factories(world).robot('amr-1')).robot_id } } };
  front.plan = [tooSoon];
  expect((await client.PATCH('/api/robots/{id}', { ...at, body: { name: 'amr-2' } })).data.name).toBe('amr-2');
  front.plan = [tooSoon];
  await client.DELETE('/api/robots/{id}', at);
  expect(front.calls.map(({ line }) => line.split(' ')[0])).toEqual(
    'POST POST POST PATCH PATCH DELETE DELETE'.split(' '),
  );

  front.plan = [tooSoon];
  const upload = client.PUT('/api/artifacts/{sha256}', {
    params: { path: { sha256: '0'.repeat(64) } },
    body: 'bytes',
    bodySerializer: (body) => body,
    headers: { 'Content-Type': 'application/octet-stream' },
  });
  expect(await refusalOf(upload)).toMatchObject({ status: 429, retryAfter: 0 });
  expect(front.calls).toHaveLength(8);
});

test('who is told to come back later than he is willing to wait is told so at once', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  front.plan = [{ status: 429, headers: { 'Retry-After': '3600' } }];
  expect(await refusalOf(clientOf(world, { baseUrl: front.url }).GET('/api/whoami'))).toMatchObject({
    status: 429,
    retryAfter: 3600,
  });
  expect(front.calls).toHaveLength(1);
});

test('tries end, and a signal ends them sooner', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  front.plan = ['lost', 'lost', 'lost'];
  const impatient = clientOf(world, { baseUrl: front.url, maxTries: 2 });
  expect(await refusalOf(impatient.GET('/api/whoami'))).toBeInstanceOf(ConnectionError);
  expect(front.calls).toHaveLength(2);

  front.plan = [{ status: 503, headers: { 'Retry-After': '30' } }];
  const over = new AbortController();
  const enough = new Error('enough');
  const client = clientOf(world, { baseUrl: front.url, onRetry: () => over.abort(enough) });
  expect(await refusalOf(client.GET('/api/whoami', { signal: over.signal }))).toBe(enough);
  expect(front.calls).toHaveLength(3);
});

test('an org is chosen for each call by its id', async () => {
  await using world = await startWorld();
  const other = await factories(world).org();
  const status = async (orgId: string) => {
    const { response } = await clientOf(world, { orgId }).raw.GET('/api/whoami');
    return [response.status, response.headers.get('X-Service-Org-Id')];
  };
  expect(await status(world.orgId)).toEqual([200, world.orgId]);
  expect((await status(other.id))[0]).toBe(404);
});

test('what the contract does not have does not compile', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', token: 'none' });
  const wrong = [
    // @ts-expect-error -- a path that there is not
    () => client.GET('/api/robot'),
    // @ts-expect-error -- a path with an id that is not given
    () => client.GET('/api/robots/{id}'),
    // @ts-expect-error -- a body without what is required
    () => client.POST('/api/sites', { body: {} }),
    // @ts-expect-error -- a list without a cursor
    () => client.list('/api/whoami'),
  ];
  expect(wrong).toHaveLength(4);
});
