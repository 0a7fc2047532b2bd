import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { startIsolatedWorld, type World } from '../../support/world.ts';

/** Many sites at once; half of them in one statement and so with one created_at, the harder case for a cursor. */
async function fillSites(world: World, count: number): Promise<void> {
  for (const part of [0, 1])
    await world.db.raw(
      `insert into sites (org_id, id, name, created_at)
       select ?, gen_random_uuid(), 'site ' || gen_random_uuid(), case when ? = 0 then timestamptz '2026-01-01' else now() + n * interval '1 ms' end from generate_series(1, ?) n`,
      [world.orgId, part, count / 2],
    );
}

test('a list without limit is complete, in order of created_at and id, across pages', async () => {
  await using world = await startIsolatedWorld();
  await fillSites(world, 3_400);
  const { body, headers } = await world.call('GET', '/api/sites');
  const expected = await world.db('sites').orderBy(['created_at', 'id']).pluck('id');
  expect(body.items.map((site: { id: string }) => site.id)).toEqual(expected);
  expect(body).not.toHaveProperty('next_cursor');
  expect(headers.get('transfer-encoding')).toBe('chunked');
});

test('pages with a limit join without gap or double, and only the last has no next_cursor', async () => {
  await using world = await startIsolatedWorld();
  await fillSites(world, 100);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { body, headers } = await world.call(
      'GET',
      `/api/sites?limit=7${cursor === undefined ? '' : `&cursor=${cursor}`}`,
    );
    expect(headers.has('content-length')).toBe(true);
    seen.push(...body.items.map((site: { id: string }) => site.id));
    cursor = body.next_cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(await world.db('sites').orderBy(['created_at', 'id']).pluck('id'));
});

test('a page that ends exactly at the end of the list has no next_cursor', async () => {
  await using world = await startIsolatedWorld();
  await fillSites(world, 4);
  const { body } = await world.call('GET', '/api/sites?limit=4');
  expect(body.items).toHaveLength(4);
  expect(body).not.toHaveProperty('next_cursor');
});

test('an empty list is an empty list', async () => {
  await using world = await startIsolatedWorld();
  const complete = await world.call('GET', '/api/robots');
  expect(complete.body).toEqual({ items: [] });
  expect(complete.headers.get('content-length')).toBe('12');
  expect((await world.call('GET', '/api/robots?limit=10')).body).toEqual({ items: [] });
});

test.each([
  'limit=0',
  'limit=1001',
  'limit=1e2',
  'limit=-1',
  'limit=1.5',
  'limit=',
  'cursor=abc',
  'limit=5&cursor=abc',
  'limit=5&limit=6',
  'colour=red',
])('the query %s answers 400', async (query) => {
  await using world = await startIsolatedWorld();
  expect((await world.call('GET', `/api/sites?${query}`)).body.error.code).toBe('bad_request');
});

test('filters narrow a list, and an id that does not exist narrows it to nothing', async () => {
  await using world = await startIsolatedWorld();
  const made = factories(world);
  const [first, second] = [await made.fleet(undefined, 'pickers'), await made.fleet(undefined, 'packers')];
  const ids = async (query: string) =>
    (await world.call('GET', `/api/fleets?${query}`)).body.items.map((fleet: { id: string }) => fleet.id);
  expect(await ids('name=packers')).toEqual([second.id]);
  expect(await ids(`site_id=${first.site_id}`)).toEqual([first.id]);
  expect(await ids(`site_id=${first.site_id}&name=packers`)).toEqual([]);
  expect(await ids(`site_id=${randomUUID()}`)).toEqual([]);
  expect(await ids('site_id=no-uuid')).toEqual([]);
});

test('a fifth complete list of an org at once is told to wait, and the slots come back', async () => {
  await using world = await startIsolatedWorld();
  await fillSites(world, 60_000); // too much for the buffers of a socket that nobody reads
  const stalled = Array.from({ length: 4 }, () => new AbortController());
  const headers = { Authorization: `Bearer ${world.orgToken}` };
  await Promise.all(stalled.map(({ signal }) => fetch(`${world.url}/api/sites`, { headers, signal })));
  const fifth = await world.call('GET', '/api/sites');
  expect(fifth.status).toBe(429);
  expect(fifth.headers.get('retry-after')).toBe('1');
  expect((await world.call('GET', '/api/sites?limit=1')).status).toBe(200);
  expect((await world.call('GET', '/api/robots')).status).toBe(200); // short: it needs no slot
  for (const reader of stalled) reader.abort();
  await expect.poll(async () => (await world.call('GET', '/api/sites')).status).toBe(200);
});

test('a list that fails in the middle ends with a broken connection, never with a short list', async () => {
  await using world = await startIsolatedWorld();
  await fillSites(world, 60_000);
  const response = await fetch(`${world.url}/api/sites`, { headers: { Authorization: `Bearer ${world.orgToken}` } });
  await world.db.raw('alter table sites rename to gone');
  await expect(response.text()).rejects.toThrow();
  await world.db.raw('alter table gone rename to sites');
});

test('a page that is still the same is not sent again to who names it, and one that changed is', async () => {
  await using world = await startIsolatedWorld();
  await fillSites(world, 4);
  const read = (path: string, tag?: string) =>
    world.call('GET', path, { headers: tag === undefined ? {} : { 'If-None-Match': tag } });
  const first = await read('/api/sites?limit=3');
  const tag = first.headers.get('etag') ?? '';
  expect(tag).toMatch(/^W\/"[\w-]{26}"$/);
  const again = await read('/api/sites?limit=3', tag);
  expect(again).toMatchObject({ status: 304, text: '' });
  expect(again.headers.get('etag')).toBe(tag);
  expect(again.headers.get('x-service-org-id')).toBe(world.orgId);
  // As proxies write it, and among others.
  expect((await read('/api/sites?limit=3', `"other", ${tag.slice(2)}`)).status).toBe(304);
  expect((await read('/api/sites?limit=3', '*')).status).toBe(304);

  expect(await read('/api/sites?limit=2', tag)).toMatchObject({ status: 200 });
  await world.db.raw('update sites set name = ? where id = ?', ['another', first.body.items[2].id]);
  const changed = await read('/api/sites?limit=3', tag);
  expect(changed.status).toBe(200);
  expect(changed.body.items[2].name).toBe('another');
  expect(changed.headers.get('etag')).not.toBe(tag);
  // That there is a next page is part of the page.
  const whole = await read('/api/sites?limit=4');
  await factories(world).site('the fifth');
  expect((await read('/api/sites?limit=4', whole.headers.get('etag') ?? '')).body).toHaveProperty('next_cursor');
});

test('what is no page of a list has no tag: a complete list, records without end, an object, a refusal', async () => {
  await using world = await startIsolatedWorld();
  const { id } = await factories(world).site();
  for (const path of ['/api/sites', '/api/audit?limit=5', `/api/robots/${id}`, '/api/sites?limit=0']) {
    const answer = await world.call('GET', path, { headers: { 'If-None-Match': '*' } });
    expect([path, answer.status === 304, answer.headers.has('etag')]).toEqual([path, false, false]);
  }
});
