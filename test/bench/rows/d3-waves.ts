import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDeploymentEngine, type RobotKey } from '../../../src/deployments/api/service.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { apiOf } from '../harness/api.ts';
import { seedFleet } from '../harness/fleet-data.ts';
import { startOurs } from '../harness/ours.ts';
import { pair } from '../harness/pairing.ts';
import { backendCpuMs } from '../harness/postgres-cpu.ts';
import { limitLine, ratioLine, type Row } from '../harness/row.ts';
import { seedLinks } from '../harness/seed-links.ts';
import { silentBus } from '../harness/silent-bus.ts';
import { withClient } from '../harness/sql.ts';

const robots = 100_000;
const waves = 20;
const batch = 1_000;
const lookEveryMs = 5;
const pausedMs = 20_000;
const goals = { ratio: 1.3, pausedCpu: 0.2 };

/**
 * Robots report in an order that has nothing to do with where their rows lie; `concerned` may have that order. Without
 * this, all robots at once would be quicker only because neighbours report together.
 */
const byChance = (one: RobotKey, other: RobotKey) => (one.robotId.slice(-12) < other.robotId.slice(-12) ? -1 : 1);

/** The same release to the same robots, which apply it as soon as they receive it: by a rollout and at once. */
export const wavesRow: Row = {
  id: 'D3',
  work: 'a release to 100,000 robots that apply it at once, in 20 waves: from the request to the last robot',
  against: 'the same in one wave',
  async run(context) {
    const { url } = await context.database('d3');
    const { orgId, fleetId, userToken } = await seedFleet(url, context.requests(robots));
    await using ours = await startOurs({ DATABASE_URL: url });
    const replicaId = await seedLinks(url);
    const api = apiOf(ours.url, userToken);
    const db = openDatabase(url);
    const engine = createDeploymentEngine({ db, bus: silentBus, log: createLogger('silent', []) });
    const { orderPort } = engine;
    engine.start();

    async function deploy(rollout: object | undefined): Promise<{ id: string; digest: string }> {
      const digest = createHash('sha256').update(randomUUID()).digest('hex');
      const artifact = { artifact_sha256: digest, artifact_size: 1, tag: digest };
      const release = await api.call('POST', '/api/releases', artifact);
      const order = { release_id: release.data['id'], target_kind: 'fleet', target_id: fleetId, rollout };
      return { id: (await api.call('POST', '/api/deployments', order)).data['id'] as string, digest };
    }

    async function apply(keys: readonly RobotKey[], digest: string): Promise<void> {
      await orderPort.dispatch(keys);
      const orders = await orderPort.openOrders(keys);
      await Promise.all(
        [...orders].flatMap(([robotId, each]) =>
          each.map(
            ({ orderId }) =>
              new Promise<void>((resolve, reject) => {
                orderPort.report({ orgId, robotId, epoch: 1 }, { orderId, status: 'applied', digest }, ({ kind }) =>
                  kind === 'recorded' ? resolve() : reject(new Error(`a report was ${kind}`)),
                );
              }),
          ),
        ),
      );
    }

    /** Each run finds empty tables, and nothing left to write or to vacuum. */
    const clear = () =>
      withClient(url, async (client) => {
        await client.query('vacuum analyze');
        await client.query('truncate targets, open_targets, orders, deployment_events, timeline, timeline_unnumbered');
        await client.query('checkpoint');
      });

    const moving = async (rollout: object | undefined) => {
      await clear();
      const startedAt = performance.now();
      const { id, digest } = await deploy(rollout);
      // As a replica does on the hint of each wave.
      for (let begun = 0; ;) {
        const { rows } = await db.raw<{ rows: [{ status: string; wave: number }] }>(
          'select status, coalesce(open_wave, case when started_at is null then 0 else 1 end) as wave from deployments where id = ?',
          [id],
        );
        const [{ status, wave }] = rows;
        if (status === 'applied') return performance.now() - startedAt;
        if (wave === begun) {
          await sleep(lookEveryMs);
          continue;
        }
        begun = wave;
        const concerned = (await orderPort.concerned(replicaId, { orgId, deploymentId: id })).sort(byChance);
        for (let start = 0; start < concerned.length; start += batch)
          await apply(concerned.slice(start, start + batch), digest);
      }
    };

    /** Percent of a core that Postgres takes for a rollout that is paused, besides what it takes before there is one. */
    async function pausedCost(): Promise<number> {
      const perCore = async () => {
        await sleep(2_000);
        const before = await backendCpuMs(url);
        await sleep(pausedMs);
        return ((await backendCpuMs(url)) - before) / (pausedMs / 100);
      };
      const idle = await perCore();
      const { id } = await deploy({ waves: [{ percent: 5 }], abort: [{ reasons: ['any'], count: 1 }] });
      while ((await api.call('GET', `/api/deployments/${id}`)).data['status'] === 'scheduled') await sleep(lookEveryMs);
      await api.call('POST', `/api/deployments/${id}/pause`, {});
      await withClient(url, (client) => client.query('vacuum analyze')); // what its targets leave to do is not its pause
      const paused = await perCore();
      await api.call('POST', `/api/deployments/${id}/cancel`);
      while ((await api.call('GET', `/api/deployments/${id}`)).data['status'] !== 'cancelled') await sleep(100);
      return paused - idle;
    }

    try {
      const share = 100 / waves;
      const inWaves = { waves: Array.from({ length: waves - 1 }, () => ({ percent: share })) };
      await clear();
      const paused = await pausedCost();
      const rounds = await pair({
        rounds: context.rounds(2),
        ours: () => moving(inWaves),
        peer: () => moving(undefined),
      });
      return [
        ratioLine('ms from the request to the last robot', rounds, goals.ratio),
        limitLine('% of a core for a paused rollout', paused, goals.pausedCpu),
      ];
    } finally {
      await engine.stop();
      await db.destroy();
    }
  },
};
