import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { noCounts, type SlotCounts } from '../../src/log-stats/model.ts';
import { logStatPartitions, logStatService } from '../../src/log-stats/service.ts';
import { daysAgoMs } from '../support/log-counts.ts';
import { startWorld } from '../support/world.ts';

const dayAtMs = daysAgoMs(3);
const minuteMs = 60_000;

const countsOf = (lines: number, more: Partial<SlotCounts> = {}): SlotCounts => ({
  robotId: randomUUID(),
  fleetId: randomUUID(),
  source: 'journal',
  slotAtMs: dayAtMs,
  ...noCounts(),
  lines,
  bytes: lines * 100,
  ...more,
});

async function startStats() {
  const world = await startWorld();
  await logStatPartitions(world.db).make([dayAtMs, dayAtMs + 1_440 * minuteMs]);
  const stats = logStatService(world.db);
  const add = (counts: readonly SlotCounts[]) => stats.add(world.orgId, counts);
  const pending = async () => (await world.db('log_stats_pending').where({ org_id: world.orgId })).length;
  /** Until none is pending: the service may be moving some of them, and has the org to itself then. */
  const rollUp = async (which: { isAllDue: boolean }) => {
    do await stats.rollUp(which);
    while ((await pending()) > 0);
  };
  /** Adds them to the rows of their hours and days. */
  const addToDays = async (counts: readonly SlotCounts[]) => {
    await add(counts);
    await rollUp({ isAllDue: true });
  };
  return { world, stats, add, pending, rollUp, addToDays, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

test('counts add up in the rows of the hour and the day, of the robot and of its fleet', async () => {
  await using on = await startStats();
  const [robotId, fleetId] = [randomUUID(), randomUUID()];
  const levels = { debug: 1, info: 2, warn: 3, error: 4, fatal: 0 };
  const at = (minutes: number, more: Partial<SlotCounts> = {}) =>
    countsOf(10, { robotId, fleetId, levels, slotAtMs: dayAtMs + minutes * minuteMs, ...more });
  await on.addToDays([at(70), at(110), at(110, { source: 'nav' }), at(120)]);
  await on.addToDays([at(70), at(70, { robotId: randomUUID() }), at(70, { fleetId: randomUUID() })]);

  const time = (minutes: number) => new Date(dayAtMs + minutes * minuteMs);
  /** The values of a row that are not null. */
  const rowsOf = async (table: string, filter: object) =>
    (await on.world.db(table).where(filter).orderBy(['span_minutes', 'at', 'source'])).map((row: object) =>
      Object.fromEntries(
        Object.entries(row).filter(
          ([name, value]) => value !== null && !['org_id', 'robot_id', 'fleet_id'].includes(name),
        ),
      ),
    );
  const slot = (number: number, times: number) =>
    Object.fromEntries(
      Object.entries({ lines: 10, bytes: 1_000, debug: 1, warn: 3, error: 4 }).map(([name, each]) => [
        `${name}_${number}`,
        each * times,
      ]),
    );
  const span = (minutes: number, from: number, source: string) => ({ span_minutes: minutes, at: time(from), source });
  expect(await rowsOf('log_stats', { robot_id: robotId, fleet_id: fleetId })).toEqual([
    { ...span(60, 60, 'journal'), ...slot(1, 2), ...slot(5, 1) },
    { ...span(60, 60, 'nav'), ...slot(5, 1) },
    { ...span(60, 120, 'journal'), ...slot(0, 1) },
    { ...span(1_440, 0, 'journal'), ...slot(0, 4) },
    { ...span(1_440, 0, 'nav'), ...slot(0, 1) },
  ]);
  expect(await rowsOf('log_stats_by_fleet', { fleet_id: fleetId, span_minutes: 1_440 })).toEqual([
    { ...span(1_440, 0, 'journal'), ...slot(0, 5) },
    { ...span(1_440, 0, 'nav'), ...slot(0, 1) },
  ]);
});

test('a robot has 32 named sources on a day, whenever they are added; the known ones go on by name', async () => {
  await using on = await startStats();
  const [robotId, fleetId] = [randomUUID(), randomUUID()];
  const source = (name: string, lines: number, minutes = 0) =>
    countsOf(lines, { robotId, fleetId, source: name, slotAtMs: dayAtMs + minutes * minuteMs });
  await on.addToDays(Array.from({ length: 30 }, (_each, index) => source(`known ${index}`, 1)));
  const added = [source('quiet', 12), source('loud', 6), source('loud', 7, 10), source('louder', 14)];
  await on.addToDays([...added, source('known 0', 1), source('', 5)]);
  await on.addToDays([source('later', 1_000), source('known 1', 1), source('later', 7, 70), source('later', 9, 1_440)]);

  const named = async (table: string, minutes: number, fromMinutes: number, slot = 0) =>
    Object.fromEntries(
      (
        await on.world
          .db(table)
          .where({ fleet_id: fleetId, span_minutes: minutes, at: new Date(dayAtMs + fromMinutes * minuteMs) })
          .whereNotNull(`lines_${slot}`)
          .select('source', `lines_${slot} as lines`)
      ).map(({ source: name, lines }) => [name, lines]),
    ) as Record<string, number>;
  const day = { louder: 14, loud: 13, 'known 0': 2, 'known 1': 2, '': 12 + 5 + 1_007 };
  expect(await named('log_stats', 1_440, 0)).toMatchObject(day);
  expect(Object.keys(await named('log_stats', 1_440, 0))).toHaveLength(33);
  expect(await named('log_stats', 60, 0, 1)).toEqual({ loud: 7 });
  expect(await named('log_stats', 60, 60, 1)).toEqual({ '': 7 });
  expect(await named('log_stats', 60, 1_440)).toEqual({ later: 9 });
  expect(await named('log_stats_by_fleet', 1_440, 0)).toMatchObject(day);
});

test('what is added and moved to its rows by several at once is counted once', async () => {
  await using on = await startStats();
  const [robots, fleets] = [80, 3].map((count) => Array.from({ length: count }, () => randomUUID())) as [
    string[],
    string[],
  ];
  const counts = robots.flatMap((robotId) =>
    fleets.map((fleetId) => countsOf(1, { robotId, fleetId, levels: { ...noCounts().levels, error: 1 } })),
  );
  // Of different sizes, in different orders.
  const parts = Array.from({ length: 16 }, (_each, turn) => {
    const part = counts.filter((_count, index) => (index * 7 + turn) % (turn + 2) > 0);
    return turn % 2 ? part.reverse() : part;
  });
  await Promise.all(
    parts.map(async (part, turn) => {
      await on.world.db.transaction((trx) => logStatService(trx).add(on.world.orgId, part));
      if (turn % 3 === 0) await on.stats.rollUp({ isAllDue: true });
    }),
  );
  await Promise.all([1, 2, 3].map(() => on.rollUp({ isAllDue: true })));
  const sum = async (table: string) =>
    (
      await on.world
        .db(table)
        .where({ org_id: on.world.orgId, span_minutes: 60 })
        .sum({ lines: 'lines_0', error: 'error_0' })
    )[0];
  const expected = String(parts.flat().length);
  expect(await sum('log_stats')).toEqual({ lines: expected, error: expected });
  expect(await sum('log_stats_by_fleet')).toEqual({ lines: expected, error: expected });
});

test('how far is counted never moves back', async () => {
  await using on = await startStats();
  const { orgId } = on.world;
  const counted = async () => (await on.world.call('GET', '/api/log-stats')).body.data.counted_to as string | undefined;
  expect(await counted()).toBeUndefined();
  await on.stats.setCountedTo([{ orgId, at: new Date('2100-11-21T09:00:00Z') }]);
  await on.stats.setCountedTo([
    { orgId: randomUUID(), at: new Date('2100-11-21T10:00:00Z') },
    { orgId, at: new Date('2100-11-21T08:00:00Z') },
  ]);
  expect(await counted()).toBe('2100-11-21T09:00:00.000Z');
});

test('counts go to their rows when they are ten minutes old, or many; a large org is moved in parts', async () => {
  await using on = await startStats();
  const { db, orgId } = on.world;
  const counts = Array.from({ length: 2_001 }, () => countsOf(1));
  await on.add([countsOf(1)]);
  await on.add(counts);
  await on.stats.rollUp({ isAllDue: false });
  expect(await on.pending()).toBe(2 + 16 * 2);
  await db('log_stats_pending')
    .where({ org_id: orgId, part: 1 })
    .update({ added_at: db.raw(`now() - interval '11 minutes'`) });
  await on.rollUp({ isAllDue: false });
  await on.add([countsOf(1)]);
  await db('log_stats_pending').where({ org_id: orgId }).update({ entries: 200_000 });
  await on.rollUp({ isAllDue: false });
  const ofDays = db('log_stats').where({ org_id: orgId, span_minutes: 1_440 });
  expect(await ofDays.sum({ lines: 'lines_0' })).toEqual([{ lines: '2003' }]);
});

test('others have their turn while the counts of a large org are added, in rows of few entries', async () => {
  await using on = await startStats();
  const { db, orgId } = on.world;
  const fleetId = randomUUID();
  const robots = 20_000;
  let turns = 0;
  let turnsOfReading = 0;
  function* counts(): Generator<SlotCounts> {
    for (let robot = 0; robot < robots; robot += 1) yield countsOf(1, { fleetId });
    turnsOfReading = turns;
  }
  const ticking = setInterval(() => (turns += 1), 0);
  await on.stats.add(orgId, counts()).finally(() => clearInterval(ticking));
  expect(turnsOfReading).toBeGreaterThan(3);
  const ofRobots = db('log_stats_pending').where({ org_id: orgId }).whereNotNull('robot_ids');
  expect(await ofRobots.sum({ sum: 'entries' }).max({ most: 'entries' })).toEqual([{ sum: robots, most: 250 }]);
  await on.rollUp({ isAllDue: true });
  const ofDay = db('log_stats_by_fleet').where({ org_id: orgId, span_minutes: 1_440 });
  expect(await ofDay.select('lines_0')).toEqual([{ lines_0: robots }]);
});

test('many windows of a part are moved in several steps, each with its sums by fleet', async () => {
  await using on = await startStats();
  const [robotId, fleetId] = [randomUUID(), randomUUID()];
  const { db, orgId } = on.world;
  for (let window = 1; window <= 25; window += 1) {
    await on.add([countsOf(1, { robotId, fleetId })]);
    const isNew = db.raw(`added_at > now() - interval '1 hour'`);
    const addedAt = db.raw(`now() - interval '1 day' + ? * interval '1 minute'`, [window]);
    await db('log_stats_pending').where({ org_id: orgId }).andWhere(isNew).update({ added_at: addedAt });
  }
  await on.rollUp({ isAllDue: false });
  const lines = async (table: string) =>
    (await db(table).where({ org_id: orgId, span_minutes: 60 })).map((row: { lines_0: string }) => Number(row.lines_0));
  expect([await lines('log_stats'), await lines('log_stats_by_fleet')]).toEqual([[25], [25]]);
});

test('counts that wait for longer than their day is kept get their day back', async () => {
  await using on = await startStats();
  const robotId = randomUUID();
  await on.addToDays([countsOf(1, { robotId, slotAtMs: daysAgoMs(400) })]);
  expect(await on.world.db('log_stats').where({ robot_id: robotId })).toHaveLength(2);
});
