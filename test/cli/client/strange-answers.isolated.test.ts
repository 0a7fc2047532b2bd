import { expect, test } from 'vitest';
import { ApiError, ConnectionError, type ClientOptions } from '../../../cli/client/index.ts';
import { clientOf, refusalOf } from '../../support/client-for-others.ts';
import { startFailingFront } from '../../support/failing-proxy.ts';
import { factories } from '../../support/factories.ts';
import { startWorld } from '../../support/world.ts';

test('a page that stands where JSON was asked for is an ApiError, and a file is one to who does not say how it is read', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const client = clientOf(world, { baseUrl: front.url });
  front.plan = [{ status: 200, headers: { 'Content-Type': 'text/html' }, text: '<h1>Sign in</h1>' }];
  const error = await refusalOf(client.GET('/api/whoami'));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 200,
    code: 'http_error',
    message: 'the response was 200 with text/html in place of JSON',
    isRetryable: false,
  });
  const file = { status: 200, headers: { 'Content-Type': 'application/octet-stream' }, text: 'bytes' };
  front.plan = [file, file];
  const params = { path: { sha256: '0'.repeat(64) } };
  expect(await refusalOf(client.GET('/api/artifacts/{sha256}', { params }))).toBeInstanceOf(ApiError);
  expect(await client.GET('/api/artifacts/{sha256}', { params, parseAs: 'text' })).toBe('bytes');
});

test.each([301, 302, 303, 307, 308])(
  'a call that is led elsewhere by %i does not go there, and says where to',
  async (status) => {
    await using world = await startWorld();
    await using front = await startFailingFront(world.url);
    const client = clientOf(world, { baseUrl: front.url });
    front.plan = [{ status, headers: { Location: `${world.url}/api/sites` } }];
    expect(await refusalOf(client.POST('/api/sites', { body: { name: 'Osaka' } }))).toMatchObject({
      name: 'ApiError',
      status,
      code: 'http_error',
      isRetryable: false,
      message: `the call is led to ${world.url}/api/sites, and does not go there: baseUrl is to say who answers`,
    });
    expect(front.calls).toHaveLength(1);
    expect((await client.GET('/api/sites')).items).toEqual([]);
  },
);

test('a failure whose page never ends is given up in time, and tried again', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const told: string[] = [];
  const client = clientOf(world, { baseUrl: front.url, timeoutSeconds: 1, onRetry: ({ why }) => told.push(why) });
  front.plan = [{ status: 502, headers: { 'Content-Type': 'text/html' }, text: '<h1>', hangs: true }];
  expect((await client.GET('/api/whoami')).data.orgs[0]?.name).toBe('local');
  expect(new Set(told)).toEqual(new Set(['no response within 1 s']));
});

test('a list whose cursor leads to itself is an error, and not read for ever', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const page = { status: 200, text: '{"items":[{"name":"a"}],"next_cursor":"again"}' };
  front.plan = [page, page, page, page];
  const names: string[] = [];
  const reading = (async () => {
    for await (const { name } of clientOf(world, { baseUrl: front.url }).list('/api/sites')) names.push(name);
  })();
  expect(await refusalOf(reading)).toMatchObject({ name: 'ApiError', code: 'http_error', status: 200 });
  expect(names).toEqual(['a', 'a']);
});

test('what Retry-After says beyond all patience is not waited for, and what it cannot say is as if it said nothing', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const waits: number[] = [];
  const options = { baseUrl: front.url, onRetry: ({ waitMs }: { waitMs: number }) => waits.push(waitMs) };
  const said = (text: string) => ({ status: 503, headers: { 'Retry-After': text } });
  for (const text of ['1000000000', '9'.repeat(400)]) {
    front.plan = [said(text)];
    expect(await refusalOf(clientOf(world, options).GET('/api/whoami'))).toMatchObject({ retryAfter: Number(text) });
  }
  expect(waits).toEqual([]);
  // However patient somebody is, a timer of so long would go off at once.
  front.plan = [said('1000000000')];
  const over = new AbortController();
  const enough = new Error('enough');
  const patient = {
    ...options,
    maxWaitSeconds: Infinity,
    onRetry: () => void setTimeout(() => over.abort(enough), 50),
  };
  const call = clientOf(world, patient).GET('/api/whoami', { signal: over.signal });
  expect(await refusalOf(call)).toBe(enough);
  expect(front.plan).toEqual([]);
  expect(front.calls).toHaveLength(3);

  front.plan = [said('-5'), said('1e3'), said('soon GMT')];
  expect((await clientOf(world, options).GET('/api/whoami')).data.orgs[0]?.name).toBe('local');
  expect(waits.map((ms, index) => ms <= 500 * 2 ** index)).toEqual([true, true, true]);
});

test('a call that was given up before it began is not sent', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const enough = new Error('enough');
  const init = { body: { name: 'Osaka' }, signal: AbortSignal.abort(enough) };
  expect(await refusalOf(clientOf(world, { baseUrl: front.url }).POST('/api/sites', init))).toBe(enough);
  expect(front.calls).toEqual([]);
  expect(await world.count('sites')).toBe(0);
});

test('a key for what takes none does not make it harmless to repeat', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  const create = (options: Partial<ClientOptions> = {}) =>
    clientOf(world, { baseUrl: front.url, ...options }).POST('/api/sites', {
      body: { name: 'Osaka' },
      headers: { 'Idempotency-Key': 'mine' },
    });
  front.plan = [{ status: 504 }, 'silent', 'cut'];
  expect(await refusalOf(create())).toMatchObject({ status: 504 });
  expect(await refusalOf(create({ timeoutSeconds: 1 }))).toBeInstanceOf(ConnectionError);
  expect(await refusalOf(create())).toBeInstanceOf(ConnectionError);
  expect(front.calls).toHaveLength(3);
  expect(await world.count('sites')).toBe(1);
});

test('a time limit of for ever is one', async () => {
  await using world = await startWorld();
  await factories(world).site('Osaka');
  const client = clientOf(world, { timeoutSeconds: Infinity, maxTries: 1 });
  expect((await client.GET('/api/sites')).items).toHaveLength(1);
});
