import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { LinkRef } from '../../src/logs/service.ts';
import { factories } from '../support/factories.ts';
import { mergeSegments, messagesOf, records, startLogWorld, type LogWorld } from './support.ts';

type Item = Record<string, unknown> & { seq: number; robot_id: string; received_at: string };

/** The messages of all pages, and how many pages were empty. */
async function search(logs: LogWorld, query: string): Promise<{ items: Item[]; empty: number; pages: number }> {
  const found = { items: [] as Item[], empty: 0, pages: 0 };
  for (let cursor = ''; ;) {
    const { status, body } = await logs.get(`/api/logs?${query}${cursor}`);
    expect(status).toBe(200);
    found.items.push(...(body.items as Item[]));
    found.pages += 1;
    if (body.items.length === 0) found.empty += 1;
    expect(body.read_to === undefined).toBe(body.next_cursor === undefined);
    if (body.next_cursor === undefined) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

const textsOf = async (logs: LogWorld, query: string) => messagesOf((await search(logs, query)).items);
const say = (logs: LogWorld, link: LinkRef, seq: number, message: string, more: object = {}) =>
  logs.send(link, records(seq, seq, { message, ...more }));

test('a search spans the org, and a fleet, site and robot narrow it to what was sent as part of them', async () => {
  await using logs = await startLogWorld();
  const make = factories(logs.world);
  const [here, moved, removed] = [await logs.robot(), await logs.robot(), await logs.robot()];
  await say(logs, here, 1, 'first');
  await say(logs, moved, 1, 'before the move');
  await say(logs, removed, 1, 'of a removed robot');
  const sibling = await make.fleet(logs.siteId, 'siblings');
  const distant = await make.fleet((await make.site('Kyoto')).id, 'distant');
  await logs.world.call('PATCH', `/api/robots/${moved.robotId}`, { body: { fleet_id: distant.id } });
  await say(logs, moved, 2, 'after the move');
  await logs.world.call('PATCH', `/api/robots/${moved.robotId}`, { body: { fleet_id: sibling.id } });
  await say(logs, moved, 3, 'next door');
  await logs.world.call('DELETE', `/api/robots/${removed.robotId}`);
  await logs.world.call('DELETE', `/api/fleets/${distant.id}`);

  const all = ['first', 'before the move', 'of a removed robot', 'after the move', 'next door'];
  expect(await textsOf(logs, 'order=asc')).toEqual(all);
  expect(await textsOf(logs, '')).toEqual(all.toReversed());
  expect(await textsOf(logs, 'order=desc&limit=2')).toEqual(all.toReversed());
  expect(await textsOf(logs, `order=asc&fleet_id=${logs.fleetId}`)).toEqual(all.slice(0, 3));
  expect(await textsOf(logs, `order=asc&site_id=${logs.siteId}`)).toEqual([...all.slice(0, 3), 'next door']);
  expect(await textsOf(logs, `order=asc&robot_id=${moved.robotId}`)).toEqual([all[1], all[3], all[4]]);
  expect(await textsOf(logs, `robot_id=${moved.robotId}&fleet_id=${logs.fleetId}`)).toEqual(['before the move']);
  expect(await textsOf(logs, `order=asc&robot_id=${moved.robotId}&site_id=${logs.siteId}`)).toEqual([all[1], all[4]]);
  expect(await textsOf(logs, `robot_id=${removed.robotId}`)).toEqual(['of a removed robot']);
  expect(await textsOf(logs, `fleet_id=${distant.id}`)).toEqual(['after the move']);
  expect(await textsOf(logs, `fleet_id=${sibling.id}&site_id=${logs.siteId}`)).toEqual(['next door']);
  const elsewhere = (await make.site('Nara')).id;
  expect(await textsOf(logs, `fleet_id=${sibling.id}&site_id=${elsewhere}`)).toEqual([]);
  expect(await textsOf(logs, `site_id=${elsewhere}`)).toEqual([]);
});

test('a search chooses by level, source, text and time in both orders', async () => {
  await using logs = await startLogWorld();
  const [one, other] = [await logs.robot(), await logs.robot()];
  await say(logs, one, 1, 'Battery at 81 %', { level: 'debug' });
  await say(logs, other, 1, 'battery LOW', { level: 'warn' });
  await say(logs, one, 2, 'stopped', { level: 'error', source: 'exec:nav' });
  const { items } = await search(logs, 'order=asc');
  const second = items[1]?.received_at ?? '';
  const both = async (query: string) => {
    const onward = await textsOf(logs, `order=asc&${query}`);
    expect(await textsOf(logs, `${query}&limit=1`)).toEqual(onward.toReversed());
    return onward;
  };
  expect(await both('level=warn')).toEqual(['battery LOW', 'stopped']);
  expect(await both('source=exec%3Anav')).toEqual(['stopped']);
  expect(await both('q=BATTERY')).toEqual(['Battery at 81 %', 'battery LOW']);
  expect(await both('q=battery&level=error')).toEqual([]);
  expect(await both(`since=${second}`)).toEqual(['battery LOW', 'stopped']);
  expect(await both(`until=${second}`)).toEqual(['Battery at 81 %']);
  expect(await both('since=1970-01-01T00:00:00Z&until=1980-01-01T00:00:00Z')).toEqual([]);
  expect(await both('since=2100-01-01T00:00:00Z')).toEqual([]);
});

test('a text is found however JSON writes it, before records are merged and after', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  const messages = [
    'a "quoted" word',
    'back\\slash',
    'two\nlines',
    'a robot 🤖',
    'ÉTÉ',
    'half \ud83e of it',
    'ΟΔΟΣ',
    '\nΣ: 3',
  ];
  for (const [index, message] of messages.entries()) await say(logs, link, index + 1, message);
  const found: [text: string, messages: string[]][] = [
    ['"QUOTED"', ['a "quoted" word']],
    ['k\\s', ['back\\slash']],
    ['🤖', ['a robot 🤖']],
    ['été', ['ÉTÉ']],
    ['οδος', ['ΟΔΟΣ']],
    ['n', ['two\nlines']],
    ['u', ['a "quoted" word']],
    ['Σ', ['\nΣ: 3']],
    ['info', []],
  ];
  for (const [text, expected] of found)
    expect([text, await textsOf(logs, `q=${encodeURIComponent(text)}`)]).toEqual([text, expected]);
  await mergeSegments(logs.world.db);
  for (const [text, expected] of found)
    expect([text, await textsOf(logs, `q=${encodeURIComponent(text)}`)]).toEqual([text, expected]);
});

test('pages of any size give each record once, also where robots have records of the same instant', async () => {
  await using logs = await startLogWorld();
  const links = [await logs.robot(), await logs.robot(), await logs.robot()];
  for (let seq = 1; seq <= 12; seq += 3) await Promise.all(links.map((link) => logs.send(link, records(seq, seq + 2))));
  await logs.spread(Date.now() - 30 * 3_600_000, 7_200_000); // over two days
  const key = ({ received_at, robot_id, seq }: Item) => `${received_at} ${robot_id} ${String(seq).padStart(9, '0')}`;
  const keysOf = async (query: string) => (await search(logs, query)).items.map(key);
  const all = await keysOf('order=asc&limit=1000');
  expect(all).toHaveLength(36);
  expect(all).toEqual(all.toSorted());
  for (const limit of [1, 5, 35, 36]) {
    expect(await keysOf(`order=asc&limit=${limit}`)).toEqual(all);
    expect(await keysOf(`limit=${limit}`)).toEqual(all.toReversed());
  }
});

test('a rare text is found at both ends of 55 MiB of logs, over pages of which some are empty', async () => {
  await using logs = await startLogWorld();
  const links = [await logs.robot(), await logs.robot()];
  const large = 'x'.repeat(16_000);
  for (let from = 1; from <= 1_800; from += 60)
    for (const link of links)
      await logs.send(
        link,
        records(from, from + 59).map((each) => ({
          ...each,
          message: [60, 1_740].includes(each.seq) ? 'a needle' : large,
        })),
      );
  for (const order of ['asc', 'desc']) {
    const { items, empty, pages } = await search(logs, `q=NEEDLE&order=${order}`);
    expect(items.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual([60, 60, 1_740, 1_740]);
    expect(pages).toBeGreaterThan(2);
    expect(empty).toBeGreaterThan(0);
  }
});

test('an unknown or foreign ID matches no record; a cursor of another order or list, and a wrong time, are refused', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  await logs.send(link, records(1, 9));
  const other = await factories(logs.world).org();
  const ask = async (query: string, token?: string) => {
    const { status, body } = await logs.world.call('GET', `/api/logs?${query}`, { token });
    return [status, body.error?.message ?? body.items.length];
  };
  expect(await ask('', other.token)).toEqual([200, 0]);
  for (const [kind, id] of [
    ['robot', link.robotId],
    ['fleet', logs.fleetId],
    ['site', logs.siteId],
  ] as const) {
    expect(await ask(`${kind}_id=${id}`)).toEqual([200, 9]);
    expect(await ask(`${kind}_id=${id}`, other.token)).toEqual([200, 0]);
    expect(await ask(`${kind}_id=${randomUUID()}`)).toEqual([200, 0]);
    expect(await ask(`${kind}_id=nobody`)).toEqual([200, 0]);
  }
  const newest = (await logs.get('/api/logs?limit=2')).body.next_cursor as string;
  const ofFleet = (await logs.get(`/api/fleets/${logs.fleetId}/logs?limit=2`)).body.next_cursor as string;
  const foreign = [400, 'cursor: not a next_cursor of this list'];
  expect(await ask(`cursor=${newest}`)).toEqual([200, 7]);
  expect(await ask(`cursor=${newest}&order=asc`)).toEqual(foreign);
  expect(await ask(`cursor=${newest.slice(0, 20)}`)).toEqual(foreign);
  expect(await ask(`cursor=${ofFleet}`)).toEqual(foreign);
  expect(await ask('cursor=abc')).toEqual(foreign);
  const atEndOfTime = Buffer.from(newest, 'base64url');
  atEndOfTime.writeBigUInt64BE(8_640_000_000_000_000n, 2);
  expect(await ask(`cursor=${atEndOfTime.toString('base64url')}`)).toEqual(foreign);
  expect((await logs.get(`/api/fleets/${logs.fleetId}/logs?cursor=${newest}`)).status).toBe(400);
  expect(await ask('since=2026-11-21T09:00:00Z&until=2026-11-21T08:00:00Z')).toEqual([
    400,
    'query.since: must not be after `until`',
  ]);
  for (const wrong of ['since=2026-11-21t09:00:00z', 'limit=0', 'limit=1001', 'level=loud', 'order=newest', 'after=1'])
    expect([wrong, (await ask(wrong))[0]]).toEqual([wrong, 400]);
});
