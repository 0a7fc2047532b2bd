import { expect, test } from 'vitest';
import { fleetReader, startPortalWorld } from '../support/portal-fleet.ts';
import { addRobotRows, idOfRow, upTo } from '../support/robot-rows.ts';
import { until } from '../support/until.ts';
import type { World } from '../support/world.ts';

const tagIn = (text: string) => /data-tag="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? '';
const rename = (world: World, name: string) => world.db.raw('update fleets set name = ?', [name]);
/** Seconds since the session was last used, as a text that changes with each use. */
const seenAt = (world: World) => world.db('portal_sessions').first<object>('seen_at', 'digest');

test('a poll gets the region of the page with a strong ETag, 304 while nothing changes, and the new region after', async () => {
  await using world = await startPortalWorld();
  const { get, poll } = await fleetReader(world);
  await addRobotRows(world, upTo(2));
  for (const path of ['', '/robots', `/robots/${idOfRow(1)}`, '/deployments']) {
    await rename(world, 'before');
    if (path === '') await new Promise((resolve) => setTimeout(resolve, 1_100)); // the overview is kept for a second
    const page = await get(path);
    const tag = tagIn(page.text);
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    expect(page.headers.get('etag')).toBeNull();
    const [first, same] = [await poll(path), await poll(path, tag)];
    expect([first.status, first.headers.get('etag'), first.headers.get('vary')]).toEqual([
      200,
      tag,
      'Live-Org, Cookie',
    ]);
    expect([first.headers.get('cache-control'), first.text.includes('<main')]).toEqual(['no-store', false]);
    expect(page.text).toContain(first.text);
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', tag]);
    if (path === '/deployments') continue; // it names no fleet
    await rename(world, `after`);
    await until(async () => (await poll(path, tag)).status === 200);
    const changed = await poll(path, tag);
    expect([changed.text.includes('after'), changed.headers.get('etag') === tag]).toEqual([true, false]);
  }
});

test('the overview is computed at most once a second for all who poll', async () => {
  await using world = await startPortalWorld();
  const { poll } = await fleetReader(world);
  await addRobotRows(world, upTo(1));
  const before = await poll();
  await rename(world, 'renamed');
  const soon = await Promise.all(Array.from({ length: 20 }, () => poll()));
  expect(soon.map(({ text }) => text)).toEqual(soon.map(() => before.text));
  await until(async () => (await poll()).text.includes('renamed'));
});

test('a poll does not prolong the session, and a page does', async () => {
  await using world = await startPortalWorld();
  const { browser, get, poll } = await fleetReader(world);
  await world.db.raw(
    `update portal_sessions set seen_at = now() - interval '59 min', rotated_at = now() - interval '2 h'`,
  );
  const [before, cookie] = [await seenAt(world), browser.jar.get('session')];
  expect((await poll()).status).toBe(200);
  expect([await seenAt(world), browser.jar.get('session')]).toEqual([before, cookie]);
  expect((await get()).status).toBe(200);
  expect(await seenAt(world)).not.toEqual(before);
  await world.db.raw(`update portal_sessions set seen_at = now() - interval '61 min'`);
  expect((await poll()).status).toBe(401);
});

test('whoever is signed out gets 401 for a poll, and for a page the sign-in that returns to it', async () => {
  await using world = await startPortalWorld();
  const { browser, get, poll } = await fleetReader(world);
  browser.jar.clear();
  expect((await poll('/robots?q=amr')).status).toBe(401);
  const page = await get('/robots?q=amr');
  expect([page.status, page.location]).toEqual([303, '/sign-in?return_to=%2Fportal%2Ffleet%2Frobots%3Fq%3Damr']);
});

test('in a suspended org, and for a user who was removed, neither a page nor a poll shows anything', async () => {
  await using world = await startPortalWorld();
  const { get, poll } = await fleetReader(world);
  await addRobotRows(world, upTo(1));
  expect((await poll()).status).toBe(200);
  await world.call('POST', `/api/admin/orgs/${world.orgId}/suspend`, { token: '' });
  for (const answer of [await get(), await poll(), await poll('/robots'), await get(`/robots/${idOfRow(1)}`)])
    expect([answer.status, /pickers|amr-/.test(answer.text)]).toEqual([403, false]);
  await world.call('POST', `/api/admin/orgs/${world.orgId}/resume`, { token: '' });
  expect((await poll()).status).toBe(200);
  await world.db('users').delete();
  expect((await poll()).status).toBe(403);
});
