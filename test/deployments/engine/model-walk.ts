import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Desired } from '../../../generated/frames.js';
import { removeSettled } from '../../../src/deployments/api/remove-settled.ts';
import { deploymentRetention } from '../../../src/deployments/api/retention.ts';
import { factories } from '../../support/factories.ts';
import type { Identity } from '../../support/robots.ts';
import { orderAgent, type OrderAgent } from '../../support/order-agent.ts';
import { startIsolatedWorld, type World } from '../../support/world.ts';
import { checkRows } from './support.ts';
import { walkModel, type ModelDeployment, type ModelOrder, type ModelRollout } from './walk-model.ts';

/** What follows from a command has happened by then: the sweeper looks each second, and for what is left over each minute. */
const patienceMs = 30_000;
const words = [
  'downloading',
  'installing',
  'verifying',
  'polishing',
  'rolling_back',
  'applied',
  'applied',
  'failed',
  'rolled_back',
  'cancelled',
];
const cancelWords = ['cancelled', 'applied', 'verifying', 'failed', 'rolling_back'];

interface TargetRow {
  deployment_id: string;
  robot_id: string;
  status: string;
  reason: string | null;
}

/** Walks so many random steps through the life of deployments; after each of them the running server is as the model. */
export async function walk(seed: number, steps: number): Promise<void> {
  const random = randomFrom(seed);
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const story: string[] = [];
  const base = await startIsolatedWorld();
  const { db } = base;
  let world: World = await startIsolatedWorld({ shares: base });
  await base.stop(0); // only its database and its checks are used
  const model = walkModel();
  const agents = new Map<string, OrderAgent>();
  const identities = new Map<string, Identity>();
  const past: { robotId: string; order: Desired['items'][number] }[] = [];
  const isScheduledAhead = new Set<ModelDeployment>();

  const make = factories(world);
  const fleets = await Promise.all(['one', 'two'].map((name) => make.fleet(undefined, name)));
  const keys = await Promise.all(
    fleets.map(
      async ({ id, site_id }) => (await post('/api/enrollment-keys', { site_id, fleet_id: id })) as { value: string },
    ),
  );
  const releases = await Promise.all(['file', 'file', 'script'].map((kind) => make.release({ kind })));

  async function post(path: string, body?: object, token?: string) {
    const headers = body && path.endsWith('deployments') ? { 'Idempotency-Key': randomUUID() } : {};
    const answer = await world.call('POST', path, { body, headers, token });
    if (answer.status > 201) throw new Error(`POST ${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body.data;
  }

  const present = () => [...model.robots].filter(([, { gone }]) => !gone).map(([id]) => id);
  const pathOf = ({ lane }: ModelDeployment) => `/api/${lane === 'config' ? 'configs/' : ''}deployments`;

  async function link(robotId: string): Promise<void> {
    const { robot_token: token } = identities.get(robotId) as Identity;
    agents.set(robotId, await orderAgent(world.url, token, []));
    Object.assign(model.robots.get(robotId) ?? {}, { linked: true, seen: true });
  }

  async function unlink(robotId: string): Promise<void> {
    agents.get(robotId)?.socket.terminate();
    agents.delete(robotId);
    Object.assign(model.robots.get(robotId) ?? {}, { linked: false });
    // Until the service knows, it hands out.
    await expect
      .poll(async () => (await world.call('GET', `/api/robots/${robotId}`)).body.data.online, {
        timeout: patienceMs,
        interval: 5,
      })
      .toBe(false);
  }

  async function enroll(): Promise<string> {
    const place = random() < 0.5 ? 0 : 1;
    const made = (await post('/agent/enroll', {}, keys[place]?.value)) as Identity;
    identities.set(made.robot_id, made);
    model.robots.set(made.robot_id, { fleetId: fleets[place]?.id, linked: false, seen: false, gone: false });
    model.arrive(made.robot_id);
    return made.robot_id;
  }

  const latest = (robotId: string): Desired['items'] => {
    const frame = agents.get(robotId)?.frames.findLast(({ type }) => type === 'desired');
    return (frame as unknown as Desired | undefined)?.items ?? [];
  };
  const orderOf = ({ robotId, lane }: ModelOrder) => latest(robotId).find((order) => order.lane === lane);

  const commands: [weight: number, name: string, run: () => Promise<string | undefined>][] = [
    [
      10,
      'create',
      async () => {
        const scope = random() < 0.6 ? 'robot' : 'fleet';
        const target_id = scope === 'robot' ? pick(present()) : pick(fleets)?.id;
        const isConfig = random() < 0.5;
        const release = pick(releases);
        const config =
          isConfig && (await post('/api/configs', { key: pick(['a', 'b']), value: Math.floor(random() * 3) }));
        const isAhead = random() < 0.15;
        const of = isConfig ? { config_id: config.id } : { release_id: release.id };
        const scheduled = isAhead ? { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() } : {};
        const rollout = scope === 'fleet' && random() < 0.5 ? randomRollout(random) : undefined;
        const body = {
          ...of,
          target_kind: scope,
          target_id,
          ...scheduled,
          ...(rollout && { rollout: wireOf(rollout) }),
        };
        const lane = isConfig ? 'config' : `release:${release.kind as string}`;
        const { id } = await post(`/api/${isConfig ? 'configs/' : ''}deployments`, body);
        const { payload_digest: payload } = await db('deployments').where({ id }).first();
        const deployment: ModelDeployment = {
          name: `deployment ${model.deployments.length}`,
          id,
          causeId: undefined,
          lane,
          key: isConfig ? `default/${config.key as string}` : lane,
          payload,
          scope,
          targetId: target_id,
          isDue: !isAhead,
          rank: undefined,
          cancelled: false,
          paused: false,
          begun: false,
          rollout,
          ended: undefined,
          decided: undefined,
          rolledBackAt: undefined,
          rollbackOf: undefined,
          returning: undefined,
          targets: new Map(),
        };
        model.add(deployment);
        if (isAhead) isScheduledAhead.add(deployment);
        return `${deployment.name}, ${lane} for ${scope} ${target_id} ${rollout ? JSON.stringify(rollout) : ''}`;
      },
    ],
    [
      3,
      'cancel',
      async () => {
        const deployment = pick(model.deployments.slice(-8));
        if (!deployment?.id) return undefined;
        const before = model.statusOf(deployment);
        const { status } = await world.call('POST', `${pathOf(deployment)}/${deployment.id}/cancel`);
        const hasEnded = ['applied', 'failed', 'rolled_back', 'cancelled'].includes(before);
        expect(status, `cancelling ${deployment.name}, which is ${before}`).toBe(hasEnded ? 409 : 200);
        if (!hasEnded) model.cancel(deployment);
        return deployment.name;
      },
    ],
    [
      4,
      'pause or resume',
      async () => {
        const deployment = pick(model.deployments.slice(-8));
        if (!deployment?.id) return undefined;
        const before = model.statusOf(deployment);
        const what = before === 'paused' ? 'resume' : 'pause';
        const { status } = await world.call('POST', `${pathOf(deployment)}/${deployment.id}/${what}`);
        const isOver = ['applied', 'failed', 'rolled_back', 'cancelled', 'cancelling'].includes(before);
        expect(status, `${what} of ${deployment.name}, which is ${before}`).toBe(isOver ? 409 : 200);
        if (!isOver) model[what](deployment);
        return `${what} ${deployment.name}`;
      },
    ],
    [
      5,
      'roll back',
      async () => {
        const isApplied = ({ targets }: ModelDeployment) =>
          [...targets.values()].some(({ status }) => status === 'applied');
        const some = random() < 0.7 ? model.deployments.filter(isApplied) : model.deployments;
        const deployment = pick(some.slice(-8));
        if (!deployment?.id) return undefined;
        const hasApplied = model.deployments.some(
          (each) => (each === deployment || each.causeId === deployment.id) && isApplied(each),
        );
        const isOver = ['applied', 'failed', 'rolled_back', 'cancelled'].includes(model.statusOf(deployment));
        const isRefused =
          deployment.rollbackOf !== undefined || deployment.rank === undefined || (isOver && !hasApplied);
        const { status } = await world.call('POST', `${pathOf(deployment)}/${deployment.id}/rollback`);
        expect(status, `rolling back ${deployment.name}`).toBe(isRefused ? 409 : 200);
        if (!isRefused) model.rollBack(deployment);
        return deployment.name;
      },
    ],
    [
      3,
      'a minute passes',
      async () => {
        const due = await db('deployments')
          .whereNotNull('rollback_at')
          .whereNotNull('decide_at')
          .update({ decide_at: db.fn.now() });
        if (due === 0) return undefined;
        model.minutePasses();
        return `for ${due} that are rolled back`;
      },
    ],
    [
      18,
      'report',
      async () => {
        const order = pick(model.orders().filter(({ robotId }) => agents.has(robotId)));
        const sent = order && orderOf(order);
        const agent = order && agents.get(order.robotId);
        if (!sent || !agent) return undefined;
        const status = pick(order.cancel ? cancelWords : words) ?? '';
        const isProven = random() < 0.85;
        const proof = (await db('orders').where({ id: sent.order_id }).first()).proof as string;
        const digest = isProven ? proof : randomBytes(32).toString('hex');
        const times = random() < 0.2 ? 2 : 1;
        past.push({ robotId: order.robotId, order: sent });
        for (let time = 0; time < times; time += 1) {
          model.report(order, status, isProven);
          await agent.report({ order_id: sent.order_id, status, ...(status === 'applied' ? { digest } : {}) });
        }
        return `${status} ${isProven ? '' : 'without proof '}${times} times of ${order.lane} by ${order.robotId}`;
      },
    ],
    [
      3,
      'report late',
      async () => {
        const { robotId, order } = pick(past) ?? {};
        const agent = agents.get(robotId ?? '');
        if (!agent || !order || latest(robotId ?? '').some(({ order_id: id }) => id === order.order_id))
          return undefined;
        const over = await agent.report({ order_id: order.order_id, status: pick(words) ?? '' });
        expect(over).toBe(true);
        return robotId;
      },
    ],
    [
      4,
      'connect',
      async () => {
        const robotId = pick(present().filter((id) => !agents.has(id)));
        if (robotId !== undefined) await link(robotId);
        return robotId;
      },
    ],
    [
      2,
      'die',
      async () => {
        const robotId = pick([...agents.keys()]);
        if (robotId !== undefined) await unlink(robotId);
        return robotId;
      },
    ],
    [1, 'enroll', async () => (present().length < 5 ? enroll() : undefined)],
    [
      1,
      'remove',
      async () => {
        const robotId = present().length > 2 ? pick(present()) : undefined;
        if (robotId === undefined) return undefined;
        const { status } = await world.call('DELETE', `/api/robots/${robotId}`);
        expect(status).toBe(200);
        agents.get(robotId)?.socket.terminate();
        agents.delete(robotId);
        model.remove(robotId);
        return robotId;
      },
    ],
    [
      2,
      'move',
      async () => {
        const robotId = pick(present());
        const robot = model.robots.get(robotId ?? '');
        const to = fleets.find(({ id }) => id !== robot?.fleetId);
        if (!robot || robotId === undefined) return undefined;
        const { status } = await world.call('PATCH', `/api/robots/${robotId}`, { body: { fleet_id: to?.id } });
        expect(status).toBe(200);
        robot.fleetId = to?.id;
        model.arrive(robotId);
        return robotId;
      },
    ],
    [
      2,
      'deadline',
      async () => {
        const open = model.deployments.flatMap((deployment) =>
          [...deployment.targets].flatMap(([robotId, target]) =>
            model.isOpen(target) && model.hasBegun(deployment, target) ? [{ deployment, robotId, target }] : [],
          ),
        );
        const { deployment, robotId, target } = pick(open) ?? {};
        if (!deployment?.id || !target) return undefined;
        await db('targets')
          .where({ deployment_id: deployment.id, robot_id: robotId })
          .update({ deadline_at: db.raw("now() - interval '1 ms'") });
        model.expire(target);
        return `of ${deployment.name} for ${robotId}`;
      },
    ],
    [
      2,
      'retention',
      async () => {
        const ended = await db('deployments').whereNotNull('ended_at').select('org_id', 'id');
        await db('deployment_retention').insert({}).onConflict().ignore();
        for (const { org_id: orgId, id } of ended) await db.transaction((trx) => removeSettled(trx, { orgId, id }));
        await db('deployment_retention').update({ resume_at: db.fn.now(), walk: 'payloads' });
        const longAgo = db.raw("now() - interval '1 day'");
        await db('payloads').whereRaw("created_at < now() - interval '1 s'").update({ created_at: longAgo });
        await deploymentRetention(db, 0).run();
        return `of ${ended.length} that ended`;
      },
    ],
    [
      2,
      'its time comes',
      async () => {
        const deployment = pick([...isScheduledAhead].filter((each) => !each.cancelled));
        if (!deployment?.id) return undefined;
        isScheduledAhead.delete(deployment);
        await db('deployments').where({ id: deployment.id }).update({ due_at: db.fn.now() });
        deployment.isDue = true;
        return deployment.name;
      },
    ],
    [
      1,
      'restart',
      async () => {
        const linked = [...agents.keys()];
        for (const agent of agents.values()) agent.socket.terminate();
        agents.clear();
        await world[Symbol.asyncDispose]();
        world = await startIsolatedWorld({ shares: base });
        for (const robotId of linked) await link(robotId);
        return `with ${linked.length} robots`;
      },
    ],
  ];

  /** What of the rows and of the robots' lists is not as the model has it; undefined when all is. */
  async function difference(): Promise<string | undefined> {
    // No robot is offline for long, and what is rolled back returns robots only when it is asked to, and when it ends.
    await db('robot_links').update({ last_seen_at: db.fn.now() });
    await db('deployments')
      .whereNotNull('rollback_at')
      .where('decide_at', '>', db.raw("now() + interval '1 second'"))
      .update({ decide_at: db.raw("now() + interval '1 hour'") });
    const rows = await db('deployments').select(
      ...['id', 'cause_id', 'target_id', 'status', 'rollback_of', 'payload_digest'],
    );
    for (const each of model.deployments)
      each.id ??= rows.find(
        (row) =>
          row.cause_id === (each.causeId ?? null) &&
          row.rollback_of === (each.rollbackOf?.id ?? null) &&
          row.payload_digest === each.payload &&
          row.target_id === each.targetId &&
          !model.deployments.some(({ id }) => id === row.id),
      )?.id;
    const is = new Map(rows.map(({ id, status }) => [id as string, status as string]));
    const targets = new Map(
      (await db<TargetRow>('targets')).map((row) => [`${row.deployment_id} ${row.robot_id}`, row]),
    );
    const wrong: string[] = [];
    if (rows.length !== model.deployments.length)
      wrong.push(`${rows.length} deployments, not ${model.deployments.length}`);
    for (const each of model.deployments) {
      const status = is.get(each.id ?? '');
      if (status !== model.statusOf(each)) wrong.push(`${each.name} is ${status}, not ${model.statusOf(each)}`);
      for (const [robotId, target] of each.targets) {
        const row = targets.get(`${each.id} ${robotId}`);
        targets.delete(`${each.id} ${robotId}`);
        const [found, meant] = [`${row?.status} ${row?.reason}`, `${target.status} ${target.reason}`];
        if (found !== meant) wrong.push(`${each.name} of ${robotId} is ${found}, not ${meant}`);
      }
    }
    for (const row of targets.values()) wrong.push(`${row.deployment_id} has ${row.robot_id}, which it should not`);
    for (const robotId of agents.keys()) {
      const line = (lane: string, ids: (string | undefined)[], cancel: boolean) =>
        `${lane} ${ids.toSorted().join()} ${cancel}`;
      const sent = latest(robotId).map(({ lane, deployments, cancel }) => line(lane, deployments, cancel ?? false));
      const meant = model
        .orders()
        .filter((order) => order.robotId === robotId)
        // Those whose target ended by itself are not told.
        .map(({ lane, deployments, cancel }) =>
          line(
            lane,
            deployments.map(({ id }) => id),
            cancel,
          ),
        );
      if (sent.toSorted().join('; ') !== meant.toSorted().join('; '))
        wrong.push(`${robotId} was told [${sent.join('; ')}], not [${meant.join('; ')}]`);
    }
    return wrong.length === 0 ? undefined : wrong.join('\n');
  }

  async function settle(): Promise<void> {
    model.settle();
    const from = performance.now();
    for (;;) {
      const wrong = await difference();
      if (wrong === undefined) return;
      if (performance.now() - from > patienceMs) throw new Error(wrong);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async function checkApi(): Promise<void> {
    for (const each of model.deployments) {
      const { data } = (await world.call('GET', `${pathOf(each)}/${each.id}`)).body;
      expect(data.status, each.name).toBe(model.statusOf(each));
      const counts: Record<string, number> = {};
      for (const { status } of each.targets.values()) counts[status] = (counts[status] ?? 0) + 1;
      expect(data.counts).toMatchObject({ ...counts, total: each.targets.size });
      const { items } = (await world.call('GET', `${pathOf(each)}/${each.id}/targets`)).body;
      const said = (items as TargetRow[]).map(({ robot_id, status }) => `${robot_id} ${status}`);
      expect(said.toSorted()).toEqual([...each.targets].map(([id, { status }]) => `${id} ${status}`).toSorted());
    }
  }

  try {
    for (let count = 0; count < 3; count += 1) await link(await enroll());
    await settle();
    const lots = commands.flatMap(([weight, ...command]) => Array.from({ length: weight }, () => command));
    for (let step = 0; step < steps; step += 1) {
      const [name, run] = pick(lots) ?? ['nothing', () => Promise.resolve(undefined)];
      story.push(`${name} …`);
      const told = await run();
      story.pop();
      if (told === undefined) {
        step -= 0.5; // it did not apply; some other does
        continue;
      }
      story.push(`${name} ${told}`);
      await settle();
    }
    await checkApi();
    await checkRows(db);
  } catch (error) {
    throw new Error(
      `WALK_SEED=${seed}, after:\n${story.join('\n')}\n${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  } finally {
    for (const agent of agents.values()) agent.socket.terminate();
    await world[Symbol.asyncDispose]();
    await base[Symbol.asyncDispose]();
  }
}

const actions = ['pause', 'cancel', 'rollback'] as const;

function randomRollout(random: () => number): ModelRollout {
  const one = (most: number) => 1 + Math.floor(random() * most);
  return {
    sizes: Array.from({ length: one(2) }, () => one(2)),
    pauses: random() < 0.3,
    isLenient: false,
    abort: random() < 0.4 ? { count: one(2), action: actions[Math.floor(random() * 3)] ?? 'pause' } : undefined,
    wave: 0,
    lastWave: 0,
    hasEnded: false,
    hasPaused: false,
  };
}

const wireOf = ({ sizes, pauses, abort }: ModelRollout) => ({
  waves: sizes.map((count) => ({ count })),
  advance: { then: pauses ? 'pause' : 'advance' },
  abort: abort ? [{ reasons: ['any'], ...abort }] : [],
});

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
