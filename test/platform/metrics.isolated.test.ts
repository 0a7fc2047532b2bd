import { expect, test } from 'vitest';
import { conditionService } from '../../src/conditions/service.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { sharedState } from '../../src/shared-state.ts';
import { linkedAgent } from '../support/fake-agent.ts';
import { factories } from '../support/factories.ts';
import { logRobot } from '../support/log-robot.ts';
import { robotsOf } from '../support/robots.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

const log = createLogger('silent', []);

/** The samples of a scrape: the value of each series, by its text. */
async function scrape(world: World): Promise<Record<string, number>> {
  const { text } = await world.call('GET', '/metrics', { token: '' });
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

test('the metrics say how many robots are online and healthy, as the history of health does', async () => {
  await using world = await startIsolatedWorld();
  const { enroll } = robotsOf(world);
  const [robot] = [await enroll(), await enroll(), await enroll()];
  using agent = await linkedAgent(world.url, robot.robot_token);
  expect(Object.keys(await sharedState({ db: world.db, log })().then((state) => state?.robots ?? {}))).toEqual([]);
  await conditionService(world.db).history.count(0);
  const samples = await scrape(world);
  expect(samples).toMatchObject({
    'fleet_robots{presence="online"}': 1,
    'fleet_robots{presence="offline"}': 2,
    'fleet_robots_by_health{health="unknown"}': 3,
    fleet_agent_links: 1,
    fleet_replicas: 1,
  });
  expect(agent.socket.readyState).toBe(agent.socket.OPEN);
});

test('the metrics say what is active, what is paused and why', async () => {
  await using world = await startIsolatedWorld();
  const make = factories(world);
  const { robot_id: robotId } = await robotsOf(world).enroll();
  const { id: releaseId } = await make.release();
  const order = { release_id: releaseId, target_kind: 'robot', target_id: robotId };
  const { id } = await make.deployment(order);
  expect((await world.call('POST', `/api/deployments/${id}/pause`)).status).toBe(200);
  const state = await sharedState({ db: world.db, log })();
  expect(state?.deployments['paused']).toBe(1);
  expect(state?.paused).toEqual({ requested: 1 });
  expect(state?.overdue).toEqual({ start: 0, deadline: 0, decision: 0 });
  expect(Math.abs(state?.clockOffsetSeconds ?? NaN)).toBeLessThan(1);
  expect(state?.databaseBytes).toBeGreaterThan(1e6);
});

test('a deployment that nobody starts a minute after it was due is overdue', async () => {
  await using world = await startIsolatedWorld();
  const read = sharedState({ db: world.db, log }, { everyMs: 0 });
  const { robot_id: robotId } = await robotsOf(world).enroll();
  const { id: releaseId } = await factories(world).release();
  const { id } = await factories(world).deployment({
    release_id: releaseId,
    target_kind: 'robot',
    target_id: robotId,
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  expect((await read())?.overdue).toMatchObject({ start: 0 });
  // In a transaction that the engine does not see.
  const trx = await world.db.transaction();
  await trx('deployments')
    .where({ id })
    .update({ due_at: new Date(Date.now() - 90_000) });
  const state = await sharedState({ db: trx, log })();
  await trx.rollback();
  expect(state?.overdue).toEqual({ start: 1, deadline: 0, decision: 0 });
});

test('log records and order lists are counted, with the time until they were acknowledged and sent', async () => {
  await using world = await startIsolatedWorld();
  const { robot_token: token } = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, token, { hello: { capabilities: { logs: true, orders: true } } });
  await agent.next('desired');
  expect((await scrape(world))['fleet_order_delivery_seconds_count']).toBe(1);
  using robot = await logRobot(world.url, token);
  await robot.say('one', 'two', 'three');
  const samples = await scrape(world);
  expect(samples).toMatchObject({
    fleet_log_records_total: 3,
    'fleet_log_frames_total{outcome="stored"}': 1,
    'fleet_log_frames_total{outcome="failed"}': 0,
    fleet_database_up: 1,
    fleet_database_connections_max: 10,
  });
  expect(samples['fleet_log_ack_seconds_sum']).toBeGreaterThan(0);
  expect(samples['fleet_data_folder_free_bytes']).toBeLessThanOrEqual(samples['fleet_data_folder_size_bytes'] ?? 0);
});

test('without a database, a scrape has no values of the whole service, rather than old ones', async () => {
  await using world = await startIsolatedWorld();
  const db = openDatabase(world.connection, { connections: 1 });
  const read = sharedState({ db, log }, { everyMs: 0, trustMs: 50 });
  expect(await read()).toBeDefined();
  await db.destroy();
  await until(async () => (await read()) === undefined);
});

test('probes have a label of their own, so that they do not hide that requests fail', async () => {
  await using world = await startIsolatedWorld();
  for (const path of ['/healthz', '/readyz', '/metrics']) await world.call('GET', path, { token: '' });
  const samples = await scrape(world);
  expect(samples['fleet_http_requests_total{operation="probe",status="200"}']).toBeGreaterThanOrEqual(3);
  expect(samples['fleet_http_request_seconds_count{operation="probe"}']).toBeGreaterThanOrEqual(3);
  expect(Object.keys(samples).filter((series) => series.includes('operation="none"'))).toEqual([]);
});
