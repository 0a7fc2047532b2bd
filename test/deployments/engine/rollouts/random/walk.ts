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
import {
  newcomerOf,
  sha256,
  startIsolatedDeploymentWorld,
  type DeploymentWorld,
  type LinkedRobot,
} from '../../support.ts';
import { randomFrom } from '../../../../support/random.ts';
import { startApprovers } from './approvers.ts';
import type { Case } from './case.ts';
import {
  heldUpByOffline,
  lockDeployments,
  noteOperation,
  passTime,
  readHistory,
  startHistory,
  type Happening,
} from './history.ts';
import { invariants, type InvariantName } from './invariants.ts';
import type { Operation, Scenario, ScenarioRobot } from './scenario.ts';

/** The engine looks every second, and 5 s after an admission; a busy machine takes longer. */
const settleMs = 30_000;
/** Of the end: each is a minute for the rows. */
const maxMinutes = 200;
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

interface Row {
  id: string;
  status: string;
  rollout: Case['rollout'] | null;
  is_urgent: boolean;
  plan_id: string | null;
}

/** What was broken, with what was done before. */
export class Broken extends Error {
  readonly invariant: InvariantName;
  constructor(invariant: InvariantName, sentence: string, story: readonly string[]) {
    super(`${invariant}: ${sentence}\n${story.join('\n')}`);
    this.invariant = invariant;
  }
}

/** Runs a scenario on the engine with two replicas, and looks at each step whether an invariant is broken. */
export async function walk(scenario: Scenario): Promise<Record<string, number>> {
  await using it = await startIsolatedDeploymentWorld();
  const running = await startWalk(it, scenario);
  try {
    for (const [index, operation] of (['create', 'work', ...scenario.steps] as const).entries())
      await running.step(index + 1, operation);
    return await running.finish();
  } finally {
    await running.stop();
  }
}

async function startWalk(it: DeploymentWorld, { robots, budgets, rollouts, seed }: Scenario) {
  const { db, world } = it;
  const { below, chance } = randomFrom(seed);
  const pick = <T>(items: readonly T[]): T | undefined => items[below(items.length)];
  const startedMs = Date.now();
  const story: string[] = [];
  await startHistory(db);
  const approvers = await startApprovers(db, world);
  const other = (
    await world.call('POST', '/api/fleets', {
      body: {
        name: 'others',
        site_id: (await world.call('POST', '/api/sites', { body: { name: 'Kobe' } })).body.data.id,
      },
    })
  ).body.data;
  const releases = [await it.release(), await it.release(), await it.release()];
  let links: LinkedRobot[] = await it.robots(robots.length);
  for (const [index, { robotId }] of links.entries()) await settleRobot(robotId, robots[index]);
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

  async function settleRobot(robotId: string, robot: ScenarioRobot | undefined): Promise<void> {
    if (!robot) return;
    await db('robots')
      .where({ id: robotId })
      .update({ labels: JSON.stringify({ tier: robot.tier, hall: robot.hall }) });
    await db('robot_links')
      .where({ robot_id: robotId })
      .update({
        timezone: robot.zone ?? null,
        keeps_windows: robot.isModern,
        asks_gates: robot.isModern,
        replica_id: robot.isOnline ? it.replicaId : null,
      });
  }

  /** Changes what budgets count: not while robots are admitted, so that a count is right until it is committed. */
  const alone = (work: (trx: Knex) => Promise<unknown>) =>
    db.transaction(async (trx) => {
      await trx.raw('select pg_advisory_xact_lock(24035, hashtext(?))', [world.orgId]);
      await work(trx);
    });

  const rows = async (): Promise<Row[]> =>
    db('deployments').select('id', 'status', 'rollout', 'is_urgent', 'plan_id').orderBy('id');
  const open = async () =>
    (await rows()).filter(({ status }) => !['applied', 'failed', 'rolled_back', 'cancelled'].includes(status));
  const online = async () => {
    const ids = new Set(await db('robot_links').where({ replica_id: it.replicaId }).pluck('robot_id'));
    return links.filter(({ robotId }) => ids.has(robotId));
  };
  const call = (id: string, what: string, body: object = {}) =>
    world.call('POST', `/api/deployments/${id}/${what}`, { body });

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
    const all = (await online()).filter(() => chance(share));
    const halves = [all.filter((_each, index) => index % 2 === 0), all.filter((_each, index) => index % 2 === 1)];
    const lists = await Promise.all([it.handOut(halves[0] ?? []), it.handOut(all, replica.engine.orderPort)]);
    const orders = new Map([...lists[0], ...lists[1]]);
    const said: string[] = [];
    await Promise.all(
      all.flatMap((robot) =>
        (orders.get(robot.robotId) ?? []).map(async (order) => {
          const word = outcome ?? pick(outcomes) ?? 'applied';
          if (word === 'silent') return;
          said.push(word);
          await it.report(robot, reportOf(order, word), chance(0.5) ? it.orderPort : replica.engine.orderPort);
        }),
      ),
    );
    return `${orders.size} of ${all.length} robots have orders: ${said.toSorted().join(' ')}`;
  }

  function reportOf(order: OpenOrder, word: string) {
    const status = order.cancel && word !== 'applied' ? 'cancelled' : word === 'rejected' ? 'failed' : word;
    const { release } = JSON.parse(order.payload ?? '{}') as { release?: { artifact_sha256: string } };
    return { orderId: order.orderId, status, digest: release?.artifact_sha256 };
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

  const ofRobot = async (change: (trx: Knex, robotId: string) => Promise<unknown>): Promise<string | undefined> => {
    const robot = pick(links);
    if (robot) await alone((trx) => change(trx, robot.robotId));
    return robot?.robotId;
  };

  /** A robot goes, comes back, falls ill or runs something else: no decision is made meanwhile. */
  const disturb = (change: (trx: Knex, robotId: string) => Promise<unknown>) =>
    ofRobot(async (trx, robotId) => {
      await lockDeployments(trx);
      await change(trx, robotId);
    });
  const link = (trx: Knex, robotId: string, replicaId: string | null) =>
    trx('robot_links').where({ robot_id: robotId }).update({ replica_id: replicaId, last_seen_at: trx.fn.now() });

  /** What runs is what it proved last, or something else. */
  async function runOther(trx: Knex, robotId: string): Promise<void> {
    const report = await trx('robot_reports').where({ robot_id: robotId }).first('releases');
    const { release_id: id, drift } = report?.releases?.file ?? {};
    const proven = releases.find((each) => each.id === id);
    const robot = links.find((each) => each.robotId === robotId);
    if (!proven || !robot) return;
    const running = [{ kind: 'file', sha256: drift ? proven.sha256 : sha256('0') }];
    await new Promise((resolve) => it.orderPort.running(robot, running, resolve));
  }

  /** Rollouts are decided on every 5 s. */
  async function afterDecisions(what: Promise<string | undefined>): Promise<string | undefined> {
    const told = await what;
    await passTime(db, 6);
    return told;
  }

  const run: Record<Operation, () => Promise<string | undefined>> = {
    create,
    work,
    crash,
    pause: () => control('pause'),
    resume: () => control('resume'),
    advance: () => control('advance'),
    cancel: () => control('cancel'),
    rollback: () => control('rollback'),
    freeze: async () => {
      const busy = work(0.7);
      const { status } = await world.call('PUT', '/api/deployment-freeze', { body: { reason: 'stop' } });
      await busy;
      return String(status);
    },
    thaw: async () => String((await world.call('DELETE', '/api/deployment-freeze')).status),
    offline: () => disturb((trx, id) => link(trx, id, null)),
    online: () => disturb((trx, id) => link(trx, id, it.replicaId)),
    unhealthy: () =>
      afterDecisions(
        disturb((trx, id) =>
          trx.raw(
            `update robot_status set severity = 2 - severity, conditions = case when severity = 2 then '[]' else
               jsonb_build_array(jsonb_build_object('rule_id', gen_random_uuid(), 'name', 'hot', 'message', 'hot', 'severity', 'unhealthy',
                 'since', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) end where robot_id = ?`,
            [id],
          ),
        ),
      ),
    drift: () => afterDecisions(disturb(runOther)),
    approve: () => approvers.decide('approve', pick),
    reject: () => approvers.decide('reject', pick),
    relabel: () =>
      ofRobot((trx, id) =>
        trx('robots')
          .where({ id })
          .update({ labels: JSON.stringify({ tier: 'canary', hall: '1' }) }),
      ),
    remove: async () => {
      const removed =
        links.length > 1 ? await ofRobot((_trx, id) => world.call('DELETE', `/api/robots/${id}`)) : undefined;
      links = links.filter(({ robotId }) => robotId !== removed);
      return removed;
    },
    move: () =>
      ofRobot((_trx, id) =>
        world.call('PATCH', `/api/robots/${id}`, { body: { fleet_id: chance(0.6) ? other.id : it.fleetId } }),
      ),
    join: async () => {
      await alone(async () => void links.push((await newcomerOf(it)).newcomer));
      return links.at(-1)?.robotId;
    },
    time: async () => {
      const seconds = pick([5, 61, 700, 3_600]) ?? 5;
      await passTime(db, seconds);
      return `${seconds} s`;
    },
  };

  /** Until the engine has done what is due. */
  async function settle(): Promise<void> {
    const due = `select count(*)::int as due from deployments d
      where d.decide_at <= clock_timestamp() or d.is_superseding
         or d.approval_wave is not null and d.status = 'paused' and d.approval_expires_at <= clock_timestamp()
         or d.status = 'scheduled' and d.due_at <= clock_timestamp() and not exists (select from deployment_freezes f where f.thawed_at is null)
         or d.cancelled_at is not null and d.ended_at is null and exists (select from targets t where t.deployment_id = d.id and t.status = 'waiting')`;
    const untilMs = performance.now() + settleMs;
    for (let left = 1; left > 0; await sleep(10)) {
      left = (await db.raw<{ rows: [{ due: number }] }>(due)).rows[0].due;
      if (performance.now() > untilMs)
        throw new Broken('whatIsDueIsDone', `${left} deployments wait for the engine`, story);
    }
  }

  async function check(): Promise<Case[]> {
    const history = new Map<string, Happening[]>();
    for (const each of await readHistory(db))
      history.set(each.deployment, [...(history.get(each.deployment) ?? []), each]);
    const cases: Case[] = [];
    for (const row of await rows()) {
      const planned =
        row.plan_id === null
          ? undefined
          : new Map<string, number>(
              (await db('plan_robots').where({ plan_id: row.plan_id })).map((each) => [each.robot_id, each.wave]),
            );
      cases.push({
        id: row.id,
        rollout: row.rollout ?? undefined,
        isUrgent: row.is_urgent,
        happenings: history.get(row.id) ?? [],
        planned,
      });
    }
    for (const each of cases)
      for (const [name, invariant] of Object.entries(invariants(startedMs))) {
        const sentence = invariant(each);
        if (sentence !== undefined)
          throw new Broken(name as InvariantName, `deployment ${each.id}: ${sentence}`, [
            ...story,
            JSON.stringify(each.rollout),
          ]);
      }
    return cases;
  }

  /** Every target that is open says what it waits for. Returns how many wait for what. */
  async function waits(): Promise<Map<string, number>> {
    const codes = new Map<string, number>();
    for (const { id } of await open()) {
      const { items } = (await world.call('GET', `/api/deployments/${id}/targets`)).body;
      for (const { robot_id: robot, status, waiting_on: on } of items as {
        robot_id: string;
        status: string;
        waiting_on?: { code: string };
      }[]) {
        if (['applied', 'failed', 'rolled_back', 'cancelled'].includes(status)) continue;
        if (!on)
          throw new Broken(
            'everyTargetEndsOrWaits',
            `deployment ${id}: robot ${robot} is ${status} and waits for nothing`,
            story,
          );
        codes.set(on.code, (codes.get(on.code) ?? 0) + 1);
      }
    }
    return codes;
  }

  return {
    async step(number: number, operation: Operation): Promise<void> {
      await db('walk').update({ step: number });
      const told = await run[operation]();
      story.push(`${number} ${operation} ${told ?? 'nothing'}`);
      await settle();
      await check();
      await waits();
      if (operation !== 'time') return;
      for (const id of await heldUpByOffline(db))
        throw new Broken('offlineHoldsUpNothing', `the next wave of deployment ${id} waits for offline robots`, story);
    },

    /** All robots are there and willing, and nobody holds anything: everything ends but what waits for its window or a newer agent. */
    async finish() {
      await run.thaw();
      await alone(async (trx) => {
        await lockDeployments(trx);
        await trx('robot_links').update({ replica_id: it.replicaId, last_seen_at: trx.fn.now() });
        await trx('robot_status').update({ severity: 0, conditions: '[]' });
        await trx.raw(
          `update robot_reports set releases = releases #- '{file,drift}' where releases #> '{file,drift}' is not null`,
        );
        await trx('disruption_budgets').delete();
      });
      let number = 1_000;
      let codes = new Map<string, number>();
      for (let minute = 0; minute < maxMinutes; minute += 1) {
        await db('walk').update({ step: (number += 1) });
        for (const { id, status } of await open())
          if (status === 'paused') {
            await noteOperation(db, id, 'resume');
            await call(id, 'resume');
          }
        await approvers.approveAll();
        await work(1, 'applied');
        await settle();
        codes = await waits();
        if (
          [...codes.keys()].every((code) => ['window', 'agent_too_old', 'wave'].includes(code)) &&
          (await stuckInWave())
        )
          break;
        await passTime(db, 61);
      }
      const cases = await check();
      const wrong = [...codes].filter(([code]) => !['window', 'agent_too_old', 'wave'].includes(code));
      if (wrong.length > 0)
        throw new Broken(
          'everyTargetEndsOrWaits',
          `after ${maxMinutes} minutes robots wait: ${JSON.stringify(wrong)}`,
          story,
        );
      await it.check().catch((error: unknown) => {
        throw new Broken('countsAreRight', String(error), story);
      });
      const all = cases.flatMap(({ happenings }) => happenings);
      const numberOf = (such: (each: Happening) => boolean) => all.filter(such).length;
      return {
        deployments: cases.length,
        orders: numberOf(({ facts }) => facts.to === 'dispatched'),
        approvals: numberOf(({ facts }) => facts.what === 'approve'),
        disturbances: numberOf(({ facts }) => facts.isOn === true),
        'waves begun while robots were offline or too old': numberOf(
          ({ facts: { openWave, openBefore, left = [] } }) => openWave !== openBefore && left.length > 0,
        ),
      };
    },

    async stop(): Promise<void> {
      await replica.engine.stop();
      await replica.pool.destroy();
    },
  };

  /** Whether what waits for its wave waits for robots that wait for their window or a newer agent. */
  async function stuckInWave(): Promise<boolean> {
    for (const { id } of await open()) {
      const { items } = (await world.call('GET', `/api/deployments/${id}/targets`)).body;
      const codes = (items as { waiting_on?: { code: string } }[]).flatMap(({ waiting_on: on }) =>
        on ? [on.code] : [],
      );
      if (codes.length > 0 && !codes.some((code) => code !== 'wave')) return false;
    }
    return true;
  }
}
