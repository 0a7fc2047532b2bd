import { expect, test } from 'vitest';
import type { Robot } from '../../../../cli/api/api.ts';
import { listingOf, type AskPage } from '../../../../cli/ui/data/listing.ts';
import { addRobotRows, upTo } from '../../../support/robot-rows.ts';
import { openStores, type Stores } from '../../../support/stores.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

/** The robots as the stores read them, and what came of each page: how many robots, or that it is the same. */
function robotsOf({ data }: Stores) {
  const came: (number | 'same')[] = [];
  const askPage: AskPage<Robot> = async (api, query, etag) => {
    const reply = await api.getChanged('/api/robots', { query }, etag);
    came.push(reply?.body.items.length ?? 'same');
    return reply;
  };
  return { came, read: listingOf(askPage), ask: data.monitor.call };
}

test('of 10,000 robots where nothing changed nothing comes, and of one that changed its page', async () => {
  await using world = await startIsolatedWorld();
  await addRobotRows(world, upTo(10_000));
  await using stores = await openStores({ url: world.url, token: world.orgToken });
  const { came, read, ask } = robotsOf(stores);
  const first = await read(ask, undefined);
  expect(came.splice(0)).toEqual(Array.from({ length: 10 }, () => 1_000));
  expect(first.items).toHaveLength(10_000);
  expect(first.byId.size).toBe(10_000);
  expect(await read(ask, first)).toBe(first);
  expect(came.splice(0)).toEqual(Array.from({ length: 10 }, () => 'same'));

  const one = first.items[4_321];
  await world.call('PATCH', `/api/robots/${one?.id}`, { body: { name: 'another' } });
  const second = await read(ask, first);
  expect(came.splice(0)).toEqual([
    ...Array.from({ length: 4 }, () => 'same'),
    1_000,
    ...Array.from({ length: 5 }, () => 'same'),
  ]);
  expect(second.items.filter((robot, index) => robot !== first.items[index]).map(({ name }) => name)).toEqual([
    'another',
  ]);
  expect(second.byId.get(one?.id ?? '')?.name).toBe('another');

  // One of the first page goes: all pages move by one, and every robot that stays keeps its object.
  await world.call('DELETE', `/api/robots/${first.items[0]?.id}`);
  const third = await read(ask, second);
  expect(third.items).toHaveLength(9_999);
  expect(third.items.every((robot, index) => robot === second.items[index + 1])).toBe(true);
});

test('a list that is on the screen and does not change wakes nobody who draws it', async () => {
  await using world = await startIsolatedWorld();
  await addRobotRows(world, upTo(3));
  await using stores = await openStores({ url: world.url, token: world.orgToken });
  const { robots } = stores.data;
  robots.want();
  await expect.poll(() => robots.get().value?.items.length).toBe(3);
  const before = robots.get();
  const atMs = () => (before.freshness.kind === 'live' ? before.freshness.atMs : 0);
  const [firstMs, told] = [atMs(), { times: 0 }];
  robots.subscribe(() => (told.times += 1));
  robots.refresh();
  await expect.poll(atMs).toBeGreaterThan(firstMs);
  expect(told.times).toBe(0);
  expect(robots.get()).toBe(before);
});

test('events and the audit log are read once, and then only what follows', async () => {
  await using world = await startIsolatedWorld();
  await using stores = await openStores({ url: world.url, token: world.orgToken });
  const { data, mutations } = stores;
  data.activity.want();
  await expect.poll(() => data.activity.get().freshness.kind).toBe('live');
  const before = data.activity.get().value ?? [];
  await mutations.createSite('Osaka');
  await expect.poll(() => data.activity.get().value?.at(-1)?.operation).toBe('createSite');
  const after = data.activity.get().value ?? [];
  expect(after).toHaveLength(before.length + 1);
  expect(before.every((entry, index) => entry === after[index])).toBe(true);
});
