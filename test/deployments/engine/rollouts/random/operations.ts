import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import {
  createDeploymentEngine,
  type DeploymentEngine,
  type OpenOrder,
} from '../../../../../src/deployments/api/service.ts';
import { openDatabase } from '../../../../../src/platform/db/index.ts';
import { createLogger } from '../../../../../src/platform/logging.ts';
import type { DeploymentWorld } from '../../support.ts';
import { randomFrom } from '../../../../support/random.ts';
import { startApprovers } from './approvers.ts';
import { noteOperation } from './history.ts';
import { startRobots } from './robots.ts';
import type { Operation, Scenario } from './scenario.ts';
import { passTime } from './time.ts';

/** What a robot reports, or nothing. */
const outcomes = [
  'applied',
  'applied',
  'applied',
  'applied',
  'downloading',
  'installing',
  'failed',
  'rejected',
  'cancelled',
  'rolled_back',
  'silent',
];

function reportOf(order: OpenOrder, word: string) {
  const status = order.cancel && word !== 'applied' ? 'cancelled' : word === 'rejected' ? 'failed' : word;
  const { release } = JSON.parse(order.payload ?? '{}') as { release?: { artifact_sha256: string } };
  return { orderId: order.orderId, status, digest: release?.artifact_sha256 };
}

/** What people, robots and machines do in a walk, with a second replica. `open`: deployments that have not ended. */
export async function startOperations(
  it: DeploymentWorld,
  { robots: all, budgets, rollouts, seed }: Scenario,
  open: () => Promise<{ id: string; status: string }[]>,
) {
  const { db, world } = it;
  const random = randomFrom(seed);
  const { below, chance } = random;
  const pick = <T>(items: readonly T[]): T | undefined => items[below(items.length)];
  const approvers = await startApprovers(db, world);
  const releases = [await it.release(), await it.release(), await it.release()];
  const robots = await startRobots(it, all, releases, random);
  for (const budget of budgets)
    await world.call('POST', '/api/disruption-budgets', { body: { name: `budget ${randomUUID()}`, ...budget } });
  let replica = startReplica();
  let created = 0;

  /** Another replica, with workers and a pool of its own. */
  function startReplica(): { engine: DeploymentEngine; pool: Knex } {
    const pool = openDatabase(world.connection, { connections: 4 });
    const engine = createDeploymentEngine({ db: pool, bus: world.bus, log: createLogger('silent', []) });
    engine.start();
    return { engine, pool };
  }

  const call = (id: string, what: string) => world.call('POST', `/api/deployments/${id}/${what}`, { body: {} });

  async function create(): Promise<string | undefined> {
    const rollout = rollouts[created % rollouts.length];
    const release = releases[created % releases.length];
    created += 1;
    const target = chance(0.7)
      ? { target_kind: 'fleet', target_id: it.fleetId }
      : { target_kind: 'selector', target_selector: '@fleet' };
    const plain = { release_id: release?.id, ...target, rollout };
    const token = chance(0.7) ? undefined : pick(approvers.authors);
    const planned = chance(0.6)
      ? await world.call('POST', '/api/deployment-plans', { token, body: { kind: 'release', ...plain } })
      : undefined;
    if (planned && planned.status !== 201) return `a plan was refused: ${planned.text}`;
    const scheduled = chance(0.2) ? { scheduled_at: new Date(Date.now() + 60_000).toISOString() } : {};
    const body = {
      ...(planned ? { plan_id: planned.body.data.id } : plain),
      ...scheduled,
      ...(chance(0.15) && { urgent: true }),
    };
    const headers = { 'Idempotency-Key': randomUUID() };
    const made = await world.call('POST', '/api/deployments', { token, body, headers });
    return made.status === 201 ? (made.body.data.id as string) : `refused: ${made.text}`;
  }

  /** Robots receive what they are to have from either replica, and report. */
  async function work(share = 1, outcome?: string): Promise<string> {
    const some = (await robots.online()).filter(() => chance(share));
    const halves = [some.filter((_each, index) => index % 2 === 0), some.filter((_each, index) => index % 2 === 1)];
    const lists = await Promise.all([it.handOut(halves[0] ?? []), it.handOut(some, replica.engine.orderPort)]);
    const orders = new Map([...lists[0], ...lists[1]]);
    const said: string[] = [];
    await Promise.all(
      some.flatMap((robot) =>
        (orders.get(robot.robotId) ?? []).map(async (order) => {
          const word = outcome ?? pick(outcomes) ?? 'applied';
          if (word === 'silent') return;
          said.push(word);
          await it.report(robot, reportOf(order, word), chance(0.5) ? it.orderPort : replica.engine.orderPort);
        }),
      ),
    );
    return `${orders.size} of ${some.length} robots have orders: ${said.toSorted().join(' ')}`;
  }

  async function crash(): Promise<string> {
    const busy = Promise.allSettled([work(), work(0.5)]);
    await sleep(below(80));
    await db.raw(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    const { engine, pool } = replica;
    await Promise.all([busy, engine.stop()]);
    await pool.destroy();
    // Connections of the pool detect the loss one by one.
    for (let tries = 2; tries > 0; tries -= 1)
      await Promise.allSettled(Array.from({ length: 20 }, () => db.raw('select 1')));
    replica = startReplica();
    return 'all connections, and a replica';
  }

  async function control(what: string): Promise<string | undefined> {
    const deployment = pick((await open()).slice(-5));
    if (!deployment) return undefined;
    // Before it: what follows is after the request.
    await noteOperation(db, deployment.id, what);
    const busy = chance(0.5) ? work(0.7) : undefined;
    const { status } = await call(deployment.id, what);
    await busy;
    return `${deployment.id}: ${status}`;
  }

  const thaw = async () => String((await world.call('DELETE', '/api/deployment-freeze')).status);

  const operations: Record<Operation, () => Promise<string | undefined>> = {
    ...robots.operations,
    create,
    work,
    crash,
    thaw,
    pause: () => control('pause'),
    resume: () => control('resume'),
    advance: () => control('advance'),
    cancel: () => control('cancel'),
    rollback: () => control('rollback'),
    approve: () => approvers.decide('approve', pick),
    reject: () => approvers.decide('reject', pick),
    async freeze() {
      const busy = work(0.7);
      const { status } = await world.call('PUT', '/api/deployment-freeze', { body: { reason: 'stop' } });
      await busy;
      return String(status);
    },
    async time() {
      const seconds = pick([5, 61, 700, 3_600]) ?? 5;
      await passTime(db, seconds);
      return `${seconds} s`;
    },
  };

  return {
    /** Gives what was done, for people. */
    run: (operation: Operation) => operations[operation](),

    /** All robots are there and well, and nothing is frozen or has a budget. */
    async free(): Promise<void> {
      await thaw();
      await robots.free();
    },

    /** What is paused continues, people approve everything, and all robots apply what they have. */
    async applyAll(): Promise<void> {
      for (const { id, status } of await open())
        if (status === 'paused') {
          await noteOperation(db, id, 'resume');
          await call(id, 'resume');
        }
      await approvers.approveAll();
      await work(1, 'applied');
    },

    async stop(): Promise<void> {
      await replica.engine.stop();
      await replica.pool.destroy();
    },
  };
}
