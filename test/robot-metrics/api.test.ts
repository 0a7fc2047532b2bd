import { expect, test } from 'vitest';
import { linkedAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startWorld } from '../support/world.ts';

const health = {
  ts: '1970-01-01T00:00:00Z', // the clock of a robot has no effect
  cpu: { percent: 12.34 },
  battery: { percent: 180 },
  memory: { total_bytes: 1_000, available_bytes: 250 },
  link: { rtt_ms: 18.4 },
};

test('the newest measurements of robots are a list, and the history has the sample at once', async () => {
  await using world = await startWorld();
  const robots = robotsOf(world);
  const [seen, silent] = [await robots.enroll('amr-1'), await robots.enroll('amr-2')];
  using agent = await linkedAgent(world.url, seen.robot_token);
  agent.send({ type: 'heartbeat', health });
  const list = async () => (await world.call('GET', '/api/robot-metrics')).body.items;
  await expect.poll(async () => (await list())[0].measured_at).toBeDefined();
  const [first, second] = await list();
  expect(first).toMatchObject({ name: 'amr-1', online: true, battery: 100, cpu: 12.3, memory: 75, delay: 18 });
  expect(first).not.toHaveProperty('disk');
  expect(second).toMatchObject({ id: silent.robot_id, name: 'amr-2', online: false });
  expect(second).not.toHaveProperty('measured_at');

  const { body } = await world.call('GET', `/api/robots/${seen.robot_id}/metrics?series=cpu,disk&resolution=raw`);
  expect(body.data).toMatchObject({ resolution: 'raw', interval_seconds: 30, series: { cpu: { values: [12.3] } } });
  expect(Object.keys(body.data.series)).toEqual(['cpu']);
  const [time] = body.data.series.cpu.times;
  expect(Math.abs(Date.now() / 1_000 - time)).toBeLessThan(90);
  const fiveMinutes = await world.call('GET', `/api/robots/${seen.robot_id}/metrics`);
  expect(fiveMinutes.body.data.series.cpu).toMatchObject({ values: [12.3], min: [12.3], max: [12.3] });
});

test('the list filters by fleet and site, pages, and answers 304 while nothing changes', async () => {
  await using world = await startWorld();
  const robots = await robotsOf(world).enrollMany(3);
  const first = await world.call('GET', '/api/robot-metrics?limit=2');
  expect(first.body.items).toHaveLength(2);
  const rest = await world.call('GET', `/api/robot-metrics?limit=2&cursor=${first.body.next_cursor}`);
  expect([...first.body.items, ...rest.body.items].map(({ id }: { id: string }) => id).sort()).toEqual(
    robots.map((robot) => robot.robot_id).sort(),
  );
  const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
  expect((await world.call('GET', '/api/robot-metrics?limit=2', { headers })).status).toBe(304);
  const { fleet_id: fleetId, site_id: siteId } = first.body.items[0];
  expect((await world.call('GET', `/api/robot-metrics?fleet_id=${fleetId}`)).body.items).toHaveLength(3);
  expect((await world.call('GET', `/api/robot-metrics?site_id=${siteId}`)).body.items).toHaveLength(3);
  expect((await world.call('GET', '/api/robot-metrics?fleet_id=none')).body.items).toEqual([]);
});

// getRobotMetrics
test('a long range gets longer intervals, never more than 2,880, and older parts are left out', async () => {
  await using world = await startWorld();
  const { robot_id: id } = await robotsOf(world).enroll();
  const read = async (query: string) => (await world.call('GET', `/api/robots/${id}/metrics?${query}`)).body.data;
  const intervals = ({
    start_at: start,
    end_at: end,
    interval_seconds: seconds,
  }: Record<'start_at' | 'end_at', string> & { interval_seconds: number }) =>
    (Date.parse(end) - Date.parse(start)) / 1_000 / seconds;
  const month = await read('since=2020-01-01T00:00:00Z');
  expect(month.interval_seconds).toBe(900);
  expect(intervals(month)).toBeLessThanOrEqual(2_880);
  expect(Date.now() - Date.parse(month.start_at)).toBeLessThanOrEqual(30 * 86_400_000);
  const raw = await read('since=2020-01-01T00:00:00Z&resolution=raw');
  expect(raw.interval_seconds).toBe(30);
  expect(intervals(raw)).toBeLessThanOrEqual(2_880);
  expect(await read('since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z')).toMatchObject({ series: {} });
});

test('an invalid query gets one clear error, and a robot of another org is unknown', async () => {
  await using world = await startWorld();
  const { robot_id: id } = await robotsOf(world).enroll();
  const refusal = async (query: string) =>
    (await world.call('GET', `/api/robots/${id}/metrics?${query}`)).body.error.message as string;
  expect(await refusal('series=cpu,speed')).toBe(
    'query.series: unknown series "speed"; known are battery, cpu, memory, disk, temperature, delay',
  );
  expect(await refusal('since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z')).toContain('before `until`');
  expect(await refusal('resolution=1h')).toContain('resolution');
  await using other = await startWorld();
  const foreign = await other.call('GET', `/api/robots/${id}/metrics`);
  expect(foreign.status).toBe(404);
});

test('the metrics of a removed robot cannot be read', async () => {
  await using world = await startWorld();
  const { robot_id: id } = await robotsOf(world).enroll();
  await world.call('DELETE', `/api/robots/${id}`);
  expect((await world.call('GET', `/api/robots/${id}/metrics`)).status).toBe(404);
  expect((await world.call('GET', '/api/robot-metrics')).body.items).toEqual([]);
});
