import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readProfile } from '../../../cli/agent/simulate/read-profile.ts';
import { createRolloutWorker } from '../../../src/deployments/engine/rollouts/worker.ts';
import { createSweeper } from '../../../src/deployments/engine/sweeper.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { databaseClock } from '../../support/database-clock.ts';
import { startIsolatedWorld } from '../../support/world.ts';
import { checkRows, deploymentWorldOn, type DeploymentWorld } from './support.ts';
import { yearRobot, type YearRobot } from './year-robots.ts';

/** A whole year of 2,000 robots: `YEAR_ROBOTS=2000 YEAR_WEEKS=52`. */
const [count, weeks] = [Number(process.env['YEAR_ROBOTS'] ?? 40), Number(process.env['YEAR_WEEKS'] ?? 3)];
const start = new Date('2026-11-02T12:00:00Z');
const minuteMs = 60_000;
const [stepMs, restMs, weekMs] = [10 * minuteMs, 180 * minuteMs, 7 * 24 * 60 * minuteMs];
/** Beyond the next step. One of more than a day counts as that of a wrong clock. */
const leaseMs = 2 * restMs;
const budgetPercent = 15;
/** 3 % of the orders fail, each in its own way. */
const profile = readProfile(
  JSON.stringify({
    rollback_percent: 1,
    download_fail_percent: 1,
    timeout_percent: 1,
    offline_percent: 5,
    offline_hours_min: 24,
    offline_hours_max: 240,
    gates_percent: 50,
  }),
);
const rollout = {
  waves: [{ percent: 10 }, { percent: 90 }],
  advance: { applied_percent: 50, soak: '12h', offline_after: '12h' },
  windows: { activate: [{ cron: '0 22 * * *', duration: '8h' }], zone: 'UTC', at_end: 'cancel' },
};

const isNight = (at: Date) => at.getUTCHours() >= 22 || at.getUTCHours() < 6;

/** Workers of an engine that run when they are woken; the service of the world runs an engine too. */
function startWorkers({ db, world }: DeploymentWorld) {
  const parts = { db, bus: world.bus, log: createLogger('silent', []) };
  const workers = [createRolloutWorker(parts), createSweeper(parts)];
  for (const worker of workers) worker.start();
  const isDue = async () => {
    const { rows } = await db.raw<{ rows: [{ due: boolean }] }>(
      `select exists (select from deployments where due_at <= now() and status = 'scheduled' or decide_at <= now())
           or exists (select from deployment_counts where next_deadline_at <= now()) as due`,
    );
    return rows[0].due;
  };
  return {
    /** Resolves when all is done that is due by the clock. */
    async rest(): Promise<void> {
      while (await isDue()) {
        for (const worker of workers) worker.wake();
        await pause(10);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

/** Robots that are offline, or have an order. */
async function unavailable({ db, replicaId }: DeploymentWorld): Promise<{ busy: Set<string>; all: Set<string> }> {
  const orders = await db<{ robot_id: string }>('orders').whereNull('ended_at').select('robot_id');
  const offline = await db<{ robot_id: string }>('robot_links')
    .whereRaw('replica_id is distinct from ?', [replicaId])
    .select('robot_id');
  const ids = (rows: readonly { robot_id: string }[]) => rows.map(({ robot_id: id }) => id);
  return { busy: new Set(ids(orders)), all: new Set([...ids(orders), ...ids(offline)]) };
}

async function setLinks(
  { db, replicaId }: DeploymentWorld,
  robots: readonly YearRobot[],
  isOnline: boolean,
): Promise<void> {
  await db('robot_links')
    .whereIn(
      'robot_id',
      robots.map(({ link }) => link.robotId),
    )
    .update({
      replica_id: isOnline ? replicaId : null,
      last_seen_at: db.raw('now()'),
      disconnected_at: isOnline ? null : db.raw('now()'),
    });
}

test(
  `${count} robots get a release in each of ${weeks} weeks: none is stuck, budgets and windows are kept, and each runs the last one or says why`,
  async ({ annotate }) => {
    await using first = await startIsolatedWorld();
    using clock = await databaseClock(first.db);
    await clock.set(start);
    // Its connections have the clock; those of the first do not.
    await using world = await startIsolatedWorld({ shares: first });
    await first.stop(0);
    await using it = await deploymentWorldOn(world);
    await using engine = startWorkers(it);
    const post = async (path: string, body: object) => {
      const answer = await world.call('POST', path, { body, headers: { 'Idempotency-Key': randomUUID() } });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data;
    };
    const links = await it.robots(count);
    await it.db('robot_links').update({ asks_gates: true, keeps_windows: true, timezone: 'UTC' });
    const robots = links.map((link, index) => yearRobot(it, link, `year/${index}`, profile, start));
    const byId = new Map(robots.map((robot) => [robot.link.robotId, robot]));
    await post('/api/disruption-budgets', { name: 'fleet', max_unavailable: { percent: budgetPercent } });
    const policy = await post('/api/rollout-policies', { name: 'weekly', rollout });
    const allowed = Math.ceil((count * budgetPercent) / 100);

    const online = new Set(robots);
    let last = { id: '', releaseId: '', sha256: '' };
    let [steps, most, busyBefore] = [0, 0, new Set<string>()];
    const end = start.getTime() + weeks * weekMs;
    let week = 0;
    for (let at = start; at.getTime() < end;) {
      steps += 1;
      await clock.set(at);
      await it
        .db('replicas')
        .where({ id: it.replicaId })
        .update({ lease_until: new Date(at.getTime() + leaseMs) });
      if (at.getTime() >= start.getTime() + week * weekMs) {
        week += 1;
        const release = await it.release();
        const more = { rollout_policy_id: policy.id };
        last = {
          id: await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, more),
          releaseId: release.id,
          sha256: release.sha256,
        };
      }
      const changed = robots.filter((robot) => robot.isOnlineAt(at) !== online.has(robot));
      const [gone, back] = [
        changed.filter((robot) => online.has(robot)),
        changed.filter((robot) => !online.has(robot)),
      ];
      for (const robot of gone) online.delete(robot);
      for (const robot of back) online.add(robot);
      if (gone.length > 0) await setLinks(it, gone, false);
      if (back.length > 0) await setLinks(it, back, true);
      await engine.rest();
      const pending = await it.orderPort.pending(it.replicaId);
      await it.orderPort.dispatch(pending);
      const now = await unavailable(it);
      most = Math.max(most, now.busy.size);
      const disturbed = [...now.busy].filter((id) => !busyBefore.has(id));
      if (disturbed.length > 0)
        expect(now.all.size, `${at.toISOString()}: ${disturbed.length} more are disturbed`).toBeLessThanOrEqual(
          allowed,
        );
      busyBefore = now.busy;
      const orders = await it.orderPort.openOrders(pending);
      const did = await Promise.all([...online].map((robot) => robot.act(orders.get(robot.link.robotId) ?? [], at)));
      at = new Date(did.includes(true) ? at.getTime() + stepMs : (Math.floor(at.getTime() / restMs) + 1) * restMs);
    }

    await checkRows(it.db);
    expect(robots.flatMap(({ activations }) => activations).filter((at) => !isNight(at))).toEqual([]);
    const open = await it.db<{ id: string }>('deployments').whereNull('ended_at').select('id');
    const unexplained: unknown[] = [];
    const states = new Map<string, { status: string; reason?: string; waiting_on?: { code: string } }>();
    for (const { id } of open.some(({ id }) => id === last.id) ? open : [...open, { id: last.id }])
      for (let path: string | undefined = `/api/deployments/${id}/targets?limit=500`; path !== undefined;) {
        const { body } = await world.call('GET', path);
        for (const target of body.items) {
          const hasEnded = /^(?:applied|failed|rolled_back|cancelled)$/.test(target.status);
          if (!hasEnded && target.waiting_on === undefined) unexplained.push(target);
          if (id === last.id) states.set(target.robot_id, target);
        }
        path =
          body.next_cursor === undefined
            ? undefined
            : `/api/deployments/${id}/targets?limit=500&cursor=${body.next_cursor}`;
      }
    expect(unexplained).toEqual([]);
    const ends = new Map<string, number>();
    for (const id of byId.keys()) {
      const { status = 'missing', reason, waiting_on: waitsOn } = states.get(id) ?? {};
      const why = status === 'applied' ? status : `${status} ${reason ?? waitsOn?.code ?? ''}`;
      expect(why, id).toMatch(/^applied$|^[a-z_]+ [a-z_]+$/);
      ends.set(why, (ends.get(why) ?? 0) + 1);
    }
    expect(ends.get('applied')).toBeGreaterThan(count * 0.8);
    expect(robots.flatMap(({ activations }) => activations).length).toBeGreaterThan(count * weeks * 0.8);
    await annotate(
      `${steps} steps, at most ${most} of ${allowed} robots with orders; ends: ${JSON.stringify(Object.fromEntries(ends))}`,
    );
  },
  120 * minuteMs,
);
