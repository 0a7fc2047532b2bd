import { expect, test } from 'vitest';
import { logStatService } from '../../src/log-stats/service.ts';
import { factories } from '../support/factories.ts';
import { countLines, daysAgoMs, lineOf, type CountedLines } from '../support/log-counts.ts';
import { startWorld, type Answer, type World } from '../support/world.ts';

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
/** Noon of a day. */
const noonMs = daysAgoMs(3) + dayMs / 2;
const at = (minutes: number) => new Date(noonMs + minutes * minuteMs).toISOString();
/** The hour after noon. */
const hour = `since=${at(0)}&until=${at(60)}`;

interface Series {
  robot_id?: string;
  source?: string;
  lines: number;
  points: { at: string; lines: number }[];
}

const statsOf = async (world: World, query: string, token?: string) => {
  const { status, body, text } = await world.call(
    'GET',
    `/api/log-stats?${query.replace('&&', '&').replace(/&$/, '')}`,
    { token },
  );
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return body.data as {
    start_at: string;
    end_at: string;
    step: string;
    total: Series;
    series: Series[];
    rest?: Series;
  };
};
const linesIn = async (world: World, query: string) => (await statsOf(world, query)).total.lines;

async function startScene() {
  const world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const [first, second] = [await make.robot('amr-007', key), await make.robot('amr-008', key)];
  const place = { siteId: first.site_id as string, fleetId: first.fleet_id as string };
  const lines = (robot: { robot_id: string }, minutes: number, more: Partial<CountedLines> = {}): CountedLines => ({
    robotId: robot.robot_id,
    fleetId: place.fleetId,
    atMs: noonMs + minutes * minuteMs,
    ...more,
  });
  return { world, make, first, second, ...place, lines, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

test('records are counted with their bytes and levels, in intervals that have some', async () => {
  const countedTo = new Date('2100-01-01T00:00:00Z'); // as if the clock of the database had been wrong
  await using scene = await startScene();
  const { world, first, second, lines } = scene;
  await countLines(
    world,
    [
      lines(first, 0, { lines: 3 }),
      lines(first, 19, { level: 'error', message: 'ä' }),
      lines(first, 19, { level: 'debug' }),
      lines(second, 59, { level: 'fatal' }),
      lines(second, 60, { level: 'warn' }),
    ],
    countedTo,
  );
  const bytes = (record: Parameters<typeof lineOf>[0]) => Buffer.byteLength(lineOf(record));
  const none = { debug: 0, info: 0, warn: 0, error: 0, fatal: 0 };
  const twoBytes = bytes({ level: 'error', message: 'ä' }) + bytes({ level: 'debug' });
  const { body } = await world.call('GET', `/api/log-stats?${hour}`);
  expect(body.data).toEqual({
    start_at: at(0),
    end_at: at(60),
    step: '10m',
    counted_to: countedTo.toISOString(),
    series: [],
    total: {
      lines: 6,
      bytes: 3 * bytes({}) + twoBytes + bytes({ level: 'fatal' }),
      levels: { ...none, info: 3, error: 1, debug: 1, fatal: 1 },
      points: [
        { at: at(0), lines: 3, bytes: 3 * bytes({}), levels: { ...none, info: 3 } },
        { at: at(10), lines: 2, bytes: twoBytes, levels: { ...none, error: 1, debug: 1 } },
        { at: at(50), lines: 1, bytes: bytes({ level: 'fatal' }), levels: { ...none, fatal: 1 } },
      ],
    },
  });
});

test('counts stay with the fleet that the robot was in, for moved and removed robots and deleted fleets too', async () => {
  await using scene = await startScene();
  const { world, make, first, second, lines, fleetId, siteId } = scene;
  const distant = await make.fleet((await make.site('Kyoto')).id, 'distant');
  await countLines(world, [
    lines(first, 0, { lines: 2 }),
    lines(second, 0, { lines: 4, source: 'nav' }),
    lines(first, 10, { lines: 8, fleetId: distant.id }),
  ]);
  await world.call('DELETE', `/api/robots/${second.robot_id}`);
  const count = (query: string) => linesIn(world, `${hour}&${query}`);
  expect(await count('')).toBe(14);
  expect(await count(`fleet_id=${fleetId}`)).toBe(6);
  expect(await count(`site_id=${siteId}`)).toBe(6);
  expect(await count(`site_id=${distant.site_id}`)).toBe(8);
  expect(await count(`robot_id=${first.robot_id}`)).toBe(10);
  expect(await count(`robot_id=${first.robot_id}&fleet_id=${distant.id}`)).toBe(8);
  expect(await count(`robot_id=${second.robot_id}`)).toBe(4);
  expect(await count(`site_id=${siteId}&fleet_id=${distant.id}`)).toBe(0);
  expect(await count('source=nav')).toBe(4);
  expect(await count(`source=nav&robot_id=${first.robot_id}`)).toBe(0);
  expect(await count('fleet_id=nothing')).toBe(0);
  await world.call('DELETE', `/api/fleets/${distant.id}`);
  expect(await count(`fleet_id=${distant.id}`)).toBe(8);
  expect(await count('')).toBe(14);
});

test('series of robots and sources begin with the largest and add up with the rest, in every step', async () => {
  await using scene = await startScene();
  const { world, first, second, lines } = scene;
  const invented = Array.from({ length: 40 }, (_each, index) => lines(second, 20, { source: `invented ${index}` }));
  await countLines(world, [
    lines(first, 0, { lines: 5 }),
    lines(first, 70, { lines: 50, source: 'nav' }),
    lines(second, 20, { lines: 7, source: 'nav' }),
    ...invented,
  ]);
  await logStatService(world.db).rollUp({ isAllDue: true }); // decides which sources have a name
  for (const step of ['10m', '1h', '1d']) {
    const range = `since=${at(step === '1d' ? -720 : 0)}&until=${at(step === '1d' ? 720 : 120)}&step=${step}`;
    const byRobot = await statsOf(world, `${range}&by=robot`);
    expect(byRobot.series.map(({ robot_id: id, lines: count }) => [id, count])).toEqual([
      [first.robot_id, 55],
      [second.robot_id, 47],
    ]);
    expect(byRobot.rest).toBeUndefined();
    const bySource = await statsOf(world, `${range}&by=source`);
    expect(bySource.series).toHaveLength(2 + 31);
    expect(bySource.series.slice(0, 2).map(({ source, lines: count }) => [source, count])).toEqual([
      ['nav', 57],
      ['journal', 5],
    ]);
    expect([bySource.total.lines, bySource.rest?.lines, bySource.rest?.points.length]).toEqual([102, 9, 1]);
  }
  const ofRobot = await statsOf(world, `${hour}&by=robot&robot_id=${first.robot_id}`);
  expect(ofRobot.series.map(({ robot_id: id, lines: count }) => [id, count])).toEqual([[first.robot_id, 5]]);
  expect((await statsOf(world, `${hour}&by=robot&source=nav`)).series.map(({ lines: count }) => count)).toEqual([7]);
});

test('a response has the 50 robots with the most records of the range, and all others as the rest', async () => {
  await using scene = await startScene();
  const { world, fleetId, lines } = scene;
  const robots = Array.from({ length: 60 }, (_each, index) => ({
    robot_id: `0198c5a2-6a60-7e10-b1f0-${String(index).padStart(12, '0')}`,
  }));
  // Before the range, the order is the opposite one.
  await countLines(
    world,
    robots.flatMap((robot, index) => [
      lines(robot, 10, { lines: index + 1 }),
      lines(robot, -10, { lines: 200 - 2 * index }),
    ]),
  );
  const { total, series, rest } = await statsOf(world, `since=${at(0)}&until=${at(70)}&by=robot&fleet_id=${fleetId}`);
  expect(series.map(({ lines: count }) => count)).toEqual(Array.from({ length: 50 }, (_each, index) => 60 - index));
  expect([total.lines, rest?.lines]).toEqual([(60 * 61) / 2, (10 * 11) / 2]);
});

test('another org has none of the counts', async () => {
  await using scene = await startScene();
  const { world, make, first, fleetId, siteId, lines } = scene;
  await countLines(world, [lines(first, 0)], new Date(noonMs));
  const { token } = await make.org();
  for (const filter of ['', `robot_id=${first.robot_id}`, `fleet_id=${fleetId}`, `site_id=${siteId}`])
    for (const by of ['none', 'robot', 'source']) {
      const theirs = await statsOf(world, `${hour}&${filter}&by=${by}`, token);
      expect(theirs).toEqual({
        start_at: at(0),
        end_at: at(60),
        step: '10m',
        series: [],
        total: { lines: 0, bytes: 0, levels: { debug: 0, info: 0, warn: 0, error: 0, fatal: 0 }, points: [] },
      });
    }
});

test('the range is extended to whole intervals, which are few enough by default, and begins with what is kept', async () => {
  await using scene = await startScene();
  const { world, first, lines } = scene;
  await countLines(world, [lines(first, 0), { ...lines(first, 0), atMs: daysAgoMs(400) }]);
  const grid = async (query: string) => {
    const { step, start_at: start, end_at: end } = await statsOf(world, query);
    return [step, start, end];
  };
  const since = (minutes: number, until: number) => `since=${at(minutes)}&until=${at(until)}`;
  expect(await grid(since(1, 11))).toEqual(['10m', at(0), at(20)]);
  expect(await grid(since(0, 2_000))).toEqual(['10m', at(0), at(2_000)]);
  expect(await grid(since(0, 2_001))).toEqual(['1h', at(0), at(2_040)]);
  expect(await grid(`${since(1, 11)}&step=1d`)).toEqual(['1d', at(-720), at(720)]);
  expect(await grid(`since=${new Date(daysAgoMs(100)).toISOString()}&until=${at(0)}`)).toEqual([
    '1d',
    new Date(daysAgoMs(100)).toISOString(),
    at(720),
  ]);
  const [step, start, end] = (await grid('since=1970-01-01T00:00:00Z')) as [string, string, string];
  expect([step, start]).toEqual(['1d', new Date(daysAgoMs(400)).toISOString()]);
  expect(Date.parse(end) - Date.parse(start)).toBe(401 * dayMs);
  const [, dayStart, dayEnd] = (await grid('')) as [string, string, string];
  expect([144, 145]).toContain((Date.parse(dayEnd) - Date.parse(dayStart)) / (10 * minuteMs));
  expect(await linesIn(world, 'since=9999-01-01T00:00:00Z')).toBe(0);
});

test('what is too much for one response is refused, and so is an empty range', async () => {
  await using scene = await startScene();
  const { world, first, lines } = scene;
  await countLines(world, [lines(first, 0), { ...lines(first, 0), atMs: daysAgoMs(300) }]);
  const refused = ({ status, body }: Answer) => [status, body.error?.message];
  const get = async (query: string) => refused(await world.call('GET', `/api/log-stats?${query}`));
  const week = `since=${at(-7 * 1_440)}&until=${at(0)}`;
  expect(await get(`${week}&step=10m`)).toEqual([
    400,
    'query.step: the range has 1008 intervals of 10m, more than 1000; use a longer step or a shorter range',
  ]);
  expect(await get(`since=${new Date(daysAgoMs(250)).toISOString()}&until=${at(0)}&by=source`)).toEqual([
    400,
    expect.stringContaining('248 intervals of 1d, more than 200'),
  ]);
  expect(await get(`since=${at(0)}&until=${at(0)}`)).toEqual([400, 'query.since: must be before `until`']);
  expect(await get('since=yesterday')).toEqual([400, expect.stringContaining('since')]);
  expect(await get('step=5m')).toEqual([400, expect.stringContaining('step')]);
  const slow = logStatService(world.db, { readMs: 1 });
  await world.db.transaction(async (trx) => {
    await trx.raw('lock table log_stats_by_fleet in access exclusive mode');
    const range = { since: undefined, until: undefined, step: undefined, by: 'none' as const };
    await expect(slow.read(world.orgId, {}, range)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('take longer than 0.001 s to read') as string,
    });
  });
});
