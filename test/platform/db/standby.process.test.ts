import { randomUUID } from 'node:crypto';
import contract from '../../../generated/openapi.json' with { type: 'json' };
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { readerOf } from '../../../src/platform/db/standby-reader.ts';
import { logRobot } from '../../support/log-robot.ts';
import { orgOnServer } from '../../support/org-on-server.ts';
import { startServer } from '../../support/server-process.ts';
import { startPostgresPair, type PostgresPair } from '../../support/standby.ts';
import { testWith } from '../../support/tools.ts';
import { until } from '../../support/until.ts';

const withPlainPostgres = testWith('postgresql');
const adminToken = 'x'.repeat(32);
/** The 5 s of the contract, and as long again for a slow machine. */
const boundMs = 10_000;

/** A service that reads lists from the standby, with an org and its fleet. */
async function startOn(pair: PostgresPair) {
  const service = await orgOnServer({ DATABASE_URL: pair.primary.url, DATABASE_READ_URL: pair.standby.url });
  const { server, call, data } = service;
  const site = await data('/api/sites', { name: 'Osaka' });
  const fleet = await data('/api/fleets', { name: 'pickers', site_id: site['id'] });
  const key = await data('/api/enrollment-keys', { site_id: site['id'], fleet_id: fleet['id'] });
  const state = async () => ((await (await fetch(`${server.url}/readyz`)).json()) as { standby: string }).standby;
  return {
    ...service,
    state,
    isUp: () => until(async () => (await state()) === 'ok'),
    enrolled: (name: string) => data('/agent/enroll', { name }, key['value']),
    enroll: async (name: string) => (await data('/agent/enroll', { name }, key['value']))['robot_id'] ?? '',
    rename: (id: string, name: string) => call('PATCH', `/api/robots/${id}`, { name }),
    async names() {
      const response = await call('GET', '/api/robots?limit=1000');
      return ((await response.json()) as { items: { name: string }[] }).items.map(({ name }) => name);
    },
    metric: async (name: string) => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
    },
  };
}

const opened = (url: string) => {
  const db = openDatabase(url);
  return { db, [Symbol.asyncDispose]: () => db.destroy() };
};

/** Resolves when a list was read from the standby. */
const isReadFrom = ({ standby }: PostgresPair, { names }: Pick<Awaited<ReturnType<typeof startOn>>, 'names'>) =>
  until(async () => {
    await names();
    const rows = await standby.sql(
      "select from pg_stat_activity where application_name like 'fleet-control-service %' and query like '%robots%'",
    );
    return rows.length > 0;
  });

/** So many more robots, made without the service. */
async function copyRobots({ primary }: PostgresPair, count: number): Promise<string[]> {
  const columns = await primary.sql<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute where attrelid = 'robots'::regclass and attnum > 0
       and attgenerated = '' and not attisdropped and attname not in ('id', 'name', 'enrollment_nonce')`,
  );
  const names = columns.map(({ name }) => name).join(', ');
  const rows = await primary.sql<{ id: string }>(
    `insert into robots (id, name, ${names}) select gen_random_uuid(), 'copy ' || n, ${names}
       from robots, generate_series(1, ${count}) n returning id`,
  );
  return rows.map(({ id }) => id);
}

withPlainPostgres('lists come from the standby, and from the primary when it is more than 5 s behind', async () => {
  await using pair = await startPostgresPair();
  await using service = await startOn(pair);
  await service.enroll('one');
  for (const [before, after] of [
    ['one', 'two'],
    ['two', 'three'],
  ]) {
    await service.isUp();
    await isReadFrom(pair, service);
    await pair.standby.sql('select pg_wal_replay_pause()');
    const changedAt = performance.now();
    // Not through this service, which would remember it.
    await pair.primary.sql(`update robots set name = '${after}'`);
    expect(await service.names()).toEqual([before]);
    await until(async () => (await service.names())[0] === after);
    expect(performance.now() - changedAt).toBeLessThan(boundMs);
    expect(await service.state()).toBe('behind');
    expect(await service.metric('fleet_read_standby_up')).toBe(0);
    expect(await service.metric('fleet_read_standby_lag_seconds')).toBeGreaterThan(5);
    await until(() => service.server.stdout().includes('"state":"behind"'));
    await pair.standby.sql('select pg_wal_replay_resume()');
  }
  expect(service.server.stdout().match(/lists are read from the standby/g)?.length).toBeGreaterThan(1);
});

withPlainPostgres(
  'a change is in the next list of the same replica, although the standby does not have it',
  async () => {
    await using pair = await startPostgresPair();
    await using service = await startOn(pair);
    const id = await service.enroll('robot');
    for (let round = 0; round < 5; round += 1) {
      await service.isUp();
      await pair.standby.sql('select pg_wal_replay_pause()');
      const name = randomUUID();
      expect((await service.rename(id, name)).status).toBe(200);
      expect(await service.names()).toEqual([name]);
      await pair.standby.sql('select pg_wal_replay_resume()');
    }
  },
);

withPlainPostgres('each read that may be stale gives the same from the standby as from the primary', async () => {
  await using pair = await startPostgresPair();
  await using service = await startOn(pair);
  const { data, server } = service;
  const robot = await service.enrolled('robot');
  const to = { target_kind: 'robot', target_id: robot['robot_id'] };
  const config = await data('/api/configs', { key: 'nav.max_speed', value: 1.2 });
  const ofConfig = await data('/api/configs/deployments', { config_id: config['id'], ...to });
  const artifact = { artifact_sha256: 'a'.repeat(64), artifact_size: 1_000 };
  const release = await data('/api/releases', { tag: 'nav-1', ...artifact });
  const ofRelease = await data('/api/deployments', { release_id: release['id'], ...to });
  using agent = await logRobot(server.url, robot['robot_token'] ?? '');
  await agent.say('one', 'two');
  const fleetId = await pair.primary.sql<{ id: string }>('select id from fleets').then(([fleet]) => fleet?.id ?? '');
  const idOf = (path: string) =>
    path.includes('fleets')
      ? fleetId
      : path.includes('robots')
        ? robot['robot_id']
        : path.includes('configs')
          ? ofConfig['id']
          : ofRelease['id'];
  const paths = Object.entries(contract.paths)
    .filter(([, item]) => 'get' in item && 'x-may-be-stale' in item.get)
    .map(([path]) => path.replace('{id}', idOf(path) ?? ''));
  expect(paths.length).toBeGreaterThan(10);
  await using primaryOnly = await startServer({
    DATABASE_URL: pair.primary.url,
    SERVICE_ADMIN_TOKEN: adminToken,
    RATE_LIMIT: 'off',
  });
  await isReadFrom(pair, service);
  const headers = { Authorization: `Bearer ${service.token}` };
  for (const path of paths) {
    expect((await service.call('GET', path)).status).toBe(200);
    const here = async () => (await service.call('GET', path)).json();
    const there = async () => (await fetch(`${primaryOnly.url}${path}`, { headers })).json();
    // Background work may change something in between.
    await expect
      .poll(async () => isDeepStrictEqual(...(await Promise.all([here(), there()]))), { message: path })
      .toBe(true);
  }
  expect(await service.state()).toBe('ok');
});

withPlainPostgres('an object that the standby does not have yet is looked up on the primary', async () => {
  await using pair = await startPostgresPair();
  await using service = await startOn(pair);
  await service.enroll('robot');
  await service.isUp();
  await isReadFrom(pair, service);
  await pair.standby.sql('select pg_wal_replay_pause()');
  const [id] = await copyRobots(pair, 1);
  expect((await service.call('GET', `/api/robots/${id}/timeline`)).status).toBe(200);
});

withPlainPostgres('no list fails when the standby is killed, and it is used again after a restart', async () => {
  await using pair = await startPostgresPair();
  await using service = await startOn(pair);
  await service.enroll('robot');
  await copyRobots(pair, 2_000); // more than a page of a complete list
  await until(async () => (await pair.standby.sql('select from robots')).length === 2_001);
  await service.isUp();
  let isOver = false;
  const statuses = new Map<number, number>();
  const read = async (path: string) => {
    while (!isOver) {
      const response = await service.call('GET', path);
      const { items } = (await response.json()) as { items: unknown[] };
      if (path === '/api/robots') expect(items).toHaveLength(2_001);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  };
  const reading = Promise.all(['/api/robots', '/api/robots?limit=10', '/api/audit', '/api/logs'].map(read));
  const more = async () => {
    const before = statuses.get(200) ?? 0;
    await until(() => (statuses.get(200) ?? 0) > before + 20);
  };
  await more();
  await pair.standby.signal('SIGKILL');
  await more();
  await until(async () => (await service.state()) === 'away');
  pair.standby.start();
  await service.isUp();
  await more();
  isOver = true;
  await reading;
  expect([...statuses.keys()]).toEqual([200]);
});

withPlainPostgres('a standby that is promoted is not used any more', async () => {
  await using pair = await startPostgresPair();
  await using service = await startOn(pair);
  const id = await service.enroll('robot');
  await service.isUp();
  pair.promote();
  await until(async () => (await service.state()) === 'promoted');
  expect((await service.rename(id, 'renamed')).status).toBe(200);
  expect(await service.names()).toEqual(['renamed']);
});

withPlainPostgres('a statement that the standby cancels is repeated once, on the primary', async () => {
  await using pair = await startPostgresPair();
  await pair.standby.sql('alter system set max_standby_streaming_delay = 0');
  await pair.standby.sql('select pg_reload_conf()');
  await pair.primary.sql('create table things as select 1 as id');
  await until(() => pair.standby.sql('select from things').then((rows) => rows.length === 1));
  await using primary = opened(pair.primary.url);
  await using standby = opened(pair.standby.url);
  const faults: unknown[] = [];
  const db = readerOf({
    primary: primary.db,
    standby: standby.db,
    mayRead: () => true,
    onFault: (error) => faults.push(error),
  });
  const reading = db.raw('select id, pg_is_in_recovery() as "onStandby", pg_sleep(2)::text as slept from things');
  const answer = reading.then((result: { rows: unknown[] }) => result.rows);
  await until(async () => {
    const rows = await pair.standby.sql(
      "select from pg_stat_activity where query like '%pg_sleep(2)::text%' and pid <> pg_backend_pid()",
    );
    return rows.length === 1;
  });
  await pair.primary.sql('alter table things add column name text');
  expect(await answer).toEqual([{ id: 1, onStandby: false, slept: '' }]);
  // The rest of the request stays there.
  expect((await db.raw<{ rows: object[] }>('select pg_is_in_recovery() as "onStandby"')).rows).toEqual([
    { onStandby: false },
  ]);
  expect(faults).toEqual([]);
});
