import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { orderAgent } from '../support/order-agent.ts';
import { orgOnServer } from '../support/org-on-server.ts';
import { startPostgresPair, type PostgresPair } from '../support/standby.ts';
import { testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { judge, kept, startWriters } from './writers.ts';

const withPlainPostgres = testWith('postgresql');
/** Longest time from the promotion to the first change. */
const readyMs = 10_000;
const startOn = (pair: PostgresPair) => orgOnServer({ DATABASE_URL: pair.url });

type Service = Awaited<ReturnType<typeof startOn>>;

const isReady = async ({ server }: Service) => (await fetch(`${server.url}/readyz`)).status === 200;

async function robotWithAgent({ server, data }: Service) {
  const site = await data('/api/sites', { name: 'Osaka' });
  const fleet = await data('/api/fleets', { name: 'pickers', site_id: site['id'] });
  const key = await data('/api/enrollment-keys', { site_id: site['id'], fleet_id: fleet['id'] });
  const robot = await data('/agent/enroll', {}, key['value']);
  const config = await data('/api/configs', { key: 'nav.max_speed', value: 1.2 });
  const connect = () => orderAgent(server.url, robot['robot_token'] ?? '');
  return {
    connect,
    order: () =>
      data('/api/configs/deployments', {
        config_id: config['id'],
        target_kind: 'robot',
        target_id: robot['robot_id'],
      }),
  };
}

withPlainPostgres.for(['SIGKILL', 'SIGSTOP'] as const)(
  'after %s of the primary and the promotion of a synchronous standby, changes work within 10 s and none is lost',
  async (signal, { annotate }) => {
    await using pair = await startPostgresPair({ synchronous: true });
    await using service = await startOn(pair);
    const robot = await robotWithAgent(service);
    using agent = await robot.connect();
    const load = startWriters(service.call);
    await until(() => load.count(201) > 100);

    await pair.primary.signal(signal);
    if (signal === 'SIGKILL') await until(() => load.count(503) > 0);
    pair.promote();
    const promotedAt = performance.now();
    const before = load.count(201);
    await until(async () => load.count(201) > before && (await isReady(service)));
    const tookMs = performance.now() - promotedAt;
    const ended = robot.order();
    const order = await agent.order();
    expect(order.deployments).toContain((await ended)['id']);

    // A primary that was only frozen believes that it still is one.
    await pair.primary.signal('SIGCONT');
    const after = load.count(201);
    await until(() => load.count(201) > after + 100);
    await load.stop();

    await annotate(
      `${Math.round(tookMs)} ms to the first change; ${load.count(201)} sites, ${load.count(503)} of 503, longest ${Math.round(Math.max(...load.heard.map(({ ms }) => ms)))} ms`,
    );
    expect(tookMs).toBeLessThan(readyMs);
    expect(judge(load.heard, await pair.standby.sql<{ id: string }>('select id from sites'))).toEqual(kept);
  },
);

withPlainPostgres(
  'a token that an asynchronous standby lost is refused after the failover, also where it was cached',
  async () => {
    await using pair = await startPostgresPair();
    await using service = await startOn(pair);
    const { call, data } = service;
    await pair.standby.sql("alter system set primary_conninfo = ''");
    await pair.standby.sql('select pg_reload_conf()');
    await until(async () => (await pair.primary.sql('select from pg_stat_replication')).length === 0);
    const user = await data('/api/users', { email: 'operator@example.com', role: 'operator' });
    const { value } = await data(`/api/users/${user['id']}/tokens`, {});
    const list = async () => (await call('GET', '/api/sites', undefined, value)).status;
    expect([await list(), await list()]).toEqual([200, 200]);
    await pair.primary.signal('SIGKILL');
    expect(await list()).toBe(503);
    pair.promote();
    await until(async () => (await call('POST', '/api/sites', { name: randomUUID() })).status === 201);
    await until(() => isReady(service));
    expect(await list()).toBe(401);
  },
);
