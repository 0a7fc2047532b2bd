import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { logUpkeep, type LinkRef } from '../../src/logs/service.ts';
import { factories } from '../support/factories.ts';
import { messagesOf, records, startIsolatedLogWorld, startLogWorld, type LogWorld } from './support.ts';

type Item = Record<string, unknown> & { seq: number; robot_id: string; received_at: string };

const seqsOf = (items: readonly Item[]): number[] => items.map(({ seq }) => seq);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_each, n) => from + n);

/** Every page of a list. */
async function pages(logs: LogWorld, path: string): Promise<Item[][]> {
  const all: Item[][] = [];
  for (let cursor = ''; ;) {
    const { body } = await logs.get(`${path}${cursor}`);
    all.push(body.items);
    if (body.next_cursor === undefined) return all;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

/** Those with records: where pages end also depends on how long they took. */
const filledPages = async (logs: LogWorld, path: string): Promise<number[][]> =>
  (await pages(logs, path)).map(seqsOf).filter(({ length }) => length > 0);

async function sendMany(logs: LogWorld, link: LinkRef, count: number, size = 100): Promise<void> {
  for (let from = 1; from <= count; from += size)
    await logs.send(link, records(from, Math.min(count, from + size - 1)));
}

test('without more, the latest 200 are given, oldest first, and the cursor leads back to the first', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  await sendMany(logs, link, 450);
  const path = `/api/robots/${link.robotId}/logs`;
  const { body } = await logs.get(path);
  expect(seqsOf(body.items)).toEqual(range(251, 450));
  expect(await filledPages(logs, `${path}?limit=200`)).toEqual([range(251, 450), range(51, 250), range(1, 50)]);
  expect(await filledPages(logs, `${path}?limit=150`)).toEqual([range(301, 450), range(151, 300), range(1, 150)]);
  expect((await logs.get(`${path}?limit=450`)).body.next_cursor).toBeUndefined();
});

test('`after` reads on, and its cursor leads to the newest', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  await sendMany(logs, link, 450);
  const path = `/api/robots/${link.robotId}/logs`;
  expect(await filledPages(logs, `${path}?after=20`)).toEqual([range(21, 220), range(221, 420), range(421, 450)]);
  expect(await filledPages(logs, `${path}?after=449&limit=5`)).toEqual([[450]]);
  expect(await filledPages(logs, `${path}?after=450`)).toEqual([]);
  expect(await filledPages(logs, `${path}?after=9007199254740991`)).toEqual([]);
  // Over days without logs too.
  await logs.spread(Date.now() - 12 * 86_400_000, 1);
  await logs.send(link, records(451, 451));
  expect(await filledPages(logs, `${path}?after=0&limit=1000`)).toEqual([range(1, 451)]);
  expect(await filledPages(logs, `${path}?after=450`)).toEqual([[451]]);
  expect(await filledPages(logs, `${path}?limit=300`)).toEqual([range(152, 451), range(1, 151)]);
});

test('records are chosen by level and above, source, text and time', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  const sent = [
    { level: 'debug', source: 'journal', message: 'Battery at 81 %' },
    { level: 'info', source: 'exec:nav', message: 'started' },
    { level: 'warn', source: 'journal', message: 'battery LOW' },
    { level: 'error', source: 'exec:nav', message: 'İstanbul "quoted" \\ 100%_' },
    { level: 'fatal', source: 'journal', message: 'gone' },
  ];
  for (const [index, each] of sent.entries()) await logs.send(link, records(index + 1, index + 1, each));
  const ask = async (query: string) => {
    const robot = await logs.get(`/api/robots/${link.robotId}/logs?${query}`);
    expect((await logs.get(`/api/fleets/${logs.fleetId}/logs?${query}`)).body.items).toEqual(robot.body.items);
    expect((await logs.get(`/api/robots/${link.robotId}/logs?after=0&${query}`)).body.items).toEqual(robot.body.items);
    return seqsOf(robot.body.items);
  };
  expect(await ask('level=debug')).toEqual([1, 2, 3, 4, 5]);
  expect(await ask('level=info')).toEqual([2, 3, 4, 5]);
  expect(await ask('level=warn')).toEqual([3, 4, 5]);
  expect(await ask('level=fatal')).toEqual([5]);
  expect(await ask('source=exec%3Anav')).toEqual([2, 4]);
  expect(await ask('source=exec')).toEqual([]);
  expect(await ask('q=BATTERY')).toEqual([1, 3]);
  expect(await ask(`q=${encodeURIComponent('"QUOTED" \\ 100%_')}`)).toEqual([4]);
  expect(await ask('q=battery&level=warn&source=journal')).toEqual([3]);

  const { body } = await logs.get(`/api/robots/${link.robotId}/logs`);
  const third = (body.items as Item[])[2]?.received_at ?? '';
  expect(await ask(`since=${third}`)).toEqual([3, 4, 5]);
  expect(await ask(`until=${third}`)).toEqual([1, 2]);
  expect(await ask(`since=${third}&until=${third}`)).toEqual([]);
  expect(await ask(`since=${encodeURIComponent(third.replace('Z', '+00:00'))}&level=error`)).toEqual([4, 5]);
  expect(await ask('since=1970-01-01T00:00:00Z&until=9999-12-31T23:59:59Z')).toEqual([1, 2, 3, 4, 5]);
  expect(await ask('since=2100-01-01T00:00:00Z')).toEqual([]);
  expect(await ask('until=1980-01-01T00:00:00Z')).toEqual([]);
  expect(await ask('since=1970-01-01T00:00:00Z&q=nowhere')).toEqual([]);
});

test('a span of time that ends before it begins is refused in a sentence, not answered by an empty list', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  for (const path of [`/api/robots/${link.robotId}/logs`, `/api/fleets/${logs.fleetId}/logs`]) {
    const { status, body } = await logs.get(`${path}?since=2026-11-21T09:00:00.001Z&until=2026-11-21T10:00:00%2B01:00`);
    expect([status, body]).toEqual([
      400,
      { error: { code: 'bad_request', message: 'query.since: must not be after `until`' } },
    ]);
  }
});

test('a fleet is read in the order in which its records came, each on one page', async () => {
  await using logs = await startLogWorld();
  const links = [await logs.robot(), await logs.robot(), await logs.robot()];
  for (let seq = 1; seq <= 30; seq += 3) await Promise.all(links.map((link) => logs.send(link, records(seq, seq + 2))));
  await logs.spread(Date.now() - 3_600_000, 20_000); // the robots' records at the same instants
  const path = `/api/fleets/${logs.fleetId}/logs`;
  const all = (await pages(logs, `${path}?limit=1000`)).flat();
  expect(all).toHaveLength(90);
  const key = ({ received_at, robot_id, seq }: Item) => `${received_at} ${robot_id} ${String(seq).padStart(9, '0')}`;
  expect(all.map(key)).toEqual(all.map(key).sort());
  for (const limit of [1, 7, 89, 90]) {
    const read = await pages(logs, `${path}?limit=${limit}`);
    expect(read.reverse().flat()).toEqual(all);
  }
});

test('records stay with the fleet that the robot was part of when it sent them', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  await logs.send(link, records(1, 1));
  const other = await factories(logs.world).fleet(logs.siteId, 'others');
  await logs.world.call('PATCH', `/api/robots/${link.robotId}`, { body: { fleet_id: other.id } });
  await logs.send(link, records(2, 2));
  expect(messagesOf((await logs.get(`/api/fleets/${logs.fleetId}/logs`)).body.items)).toEqual(['line 1']);
  expect(messagesOf((await logs.get(`/api/fleets/${other.id}/logs`)).body.items)).toEqual(['line 2']);
  expect(messagesOf(await logs.all(link.robotId))).toEqual(['line 1', 'line 2']);
});

test('what a robot sent before it was removed stays in the logs of its fleet', async () => {
  await using logs = await startIsolatedLogWorld();
  const [removed, other] = [await logs.robot(), await logs.robot()];
  await logs.send(removed, records(1, 1, { message: 'lost an arm' }));
  await logs.world.call('DELETE', `/api/robots/${removed.robotId}`);
  await logs.send(other, records(1, 1));
  await logUpkeep(logs.world.db, 14).run();
  const { items } = (await logs.get(`/api/fleets/${logs.fleetId}/logs`)).body;
  expect(messagesOf(items)).toEqual(['lost an arm', 'line 1']);
  expect(items[0].robot_id).toBe(removed.robotId);
  expect((await logs.get(`/api/robots/${removed.robotId}/logs`)).status).toBe(404);
});

test('a search that finds little stops after 16 MiB, and its cursor leads through everything once', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  const large = 'x'.repeat(16_000);
  for (let from = 1; from <= 2_400; from += 60)
    await logs.send(
      link,
      records(from, from + 59, { message: large }).map((each) => ({
        ...each,
        ...(each.seq % 800 === 0 ? { source: 'rare' } : {}),
      })),
    );
  const path = `/api/robots/${link.robotId}/logs?source=rare`;
  const back = await pages(logs, path);
  expect(back.length).toBeGreaterThan(2);
  expect(seqsOf(back.reverse().flat())).toEqual([800, 1_600, 2_400]);
  const onward = await pages(logs, `${path}&after=0`);
  expect(onward.length).toBeGreaterThan(2);
  expect(seqsOf(onward.flat())).toEqual([800, 1_600, 2_400]);
  const fleet = await pages(logs, `/api/fleets/${logs.fleetId}/logs?source=rare&limit=1`);
  expect(seqsOf(fleet.flat())).toEqual([2_400, 1_600, 800]);
});

test('an unknown robot or fleet and that of another org are not found; a foreign cursor and a wrong time are refused', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  await logs.send(link, records(1, 9));
  const other = await factories(logs.world).org();
  const status = async (path: string, token?: string) => (await logs.world.call('GET', path, { token })).status;
  for (const path of [`/api/robots/${link.robotId}/logs`, `/api/fleets/${logs.fleetId}/logs`]) {
    expect(await status(path)).toBe(200);
    expect(await status(path, other.token)).toBe(404);
    for (const wrong of [
      'cursor=abc',
      'since=2026-11-21t09:00:00z',
      'until=1969-12-31T00:00:00Z',
      'limit=0',
      'limit=1001',
      'level=loud',
      'after=-1',
    ])
      expect([wrong, await status(`${path}?${wrong}`)]).toEqual([wrong, 400]);
  }
  expect(await status(`/api/robots/${randomUUID()}/logs`)).toBe(404);
  expect(await status(`/api/fleets/nobody/logs`)).toBe(404);
  const robot = `/api/robots/${link.robotId}/logs?limit=2`;
  const [back, onward] = [
    (await logs.get(robot)).body.next_cursor,
    (await logs.get(`${robot}&after=0`)).body.next_cursor,
  ];
  expect(await status(`${robot}&after=0&cursor=${back}`)).toBe(400);
  expect(await status(`${robot}&cursor=${onward}`)).toBe(400);
  expect(await status(`${robot}&cursor=${back}`)).toBe(200);
});
