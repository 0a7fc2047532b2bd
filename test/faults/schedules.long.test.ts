import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Desired } from '../../generated/frames.js';
import { checkRows } from '../deployments/engine/support.ts';
import { factories } from '../support/factories.ts';
import { connectAgent, type FakeAgent } from '../support/fake-agent.ts';
import { robotsOf, type Identity } from '../support/robots.ts';
import { startServer } from '../support/server-process.ts';
import { testWith } from '../support/tools.ts';
import { replicaBeside, startIsolatedWorld, type IsolatedWorld, type World } from '../support/world.ts';
import { wrongClock } from '../support/wrong-clock.ts';

const isLong = process.env['FAULT_ROUNDS'] !== undefined;
const { count, windowMs, kills } = isLong
  ? { count: 3_000, windowMs: 120_000, kills: 3 }
  : { count: 150, windowMs: 4_000, kills: 1 };
/** From the first order to the first instant. */
const leadMs = 2_000;
/** What 99 of 100 may be late at most; more where other tests need the machine too. */
const p99Ms = isLong ? 1_000 : 10_000;
const callsAtOnce = 5;
const relinkMs = 200;

/** Two replicas whose clocks are an hour wrong, one ahead and one behind. */
async function startReplicas(world: IsolatedWorld) {
  const offsets = ['+1h', '-1h'];
  const clocks = await Promise.all(offsets.map(wrongClock));
  const start = (index: number) => startServer({ ...replicaBeside(world), ...clocks[index]?.env });
  const servers = await Promise.all([start(0), start(1)]);
  let turn = 0;
  return {
    /** Of the one and the other in turn, whether it is up or not. */
    url: () => servers[(turn += 1) % 2]?.url ?? '',
    /** The clock of the one that is left is set from ahead to behind, or back. */
    async kill(index: number) {
      await servers[index]?.end('SIGKILL');
      offsets.reverse();
      await clocks[1 - index]?.set(offsets[1 - index] ?? '');
    },
    async restart(index: number) {
      servers[index] = await start(index);
    },
    async [Symbol.asyncDispose]() {
      for (const each of [...servers, ...clocks]) await each[Symbol.asyncDispose]();
    },
  };
}

/** Robots that apply whatever they are handed at once, and come back as often as their links end. */
function obedientRobots(identities: readonly Identity[], url: () => string, onHanded: (deploymentId: string) => void) {
  const links = new Set<FakeAgent>();
  let over = false;
  const isOver = () => over; // as a function: it changes while links are awaited
  const obey = ({ items = [] }: Partial<Desired>, send: (frame: object) => void) => {
    for (const { order_id, deployments, payload = '' } of items) {
      deployments.forEach(onHanded);
      const { release } = JSON.parse(payload) as { release: { artifact_sha256: string } };
      send({ type: 'report', order_id, status: 'applied', digest: release.artifact_sha256 });
    }
  };
  async function live({ robot_token }: Identity): Promise<void> {
    for (; !isOver(); await sleep(relinkMs)) {
      const agent = await connectAgent(url(), robot_token).catch(() => undefined); // that one is down
      if (!agent) continue;
      agent.socket.on('message', (data: Buffer) => obey(JSON.parse(data.toString()) as Partial<Desired>, agent.send));
      links.add(agent);
      agent.hello({ capabilities: { orders: true } });
      if (isOver()) agent.socket.terminate();
      await agent.closed;
      links.delete(agent);
    }
  }
  const living = identities.map(live);
  return {
    ids: identities.map(({ robot_id }) => robot_id),
    async [Symbol.asyncDispose]() {
      over = true;
      for (const { socket } of links) socket.terminate();
      await Promise.all(living);
    },
  };
}

/** Orders over whichever replica answers; nobody knows what became of a call whose replica was killed, so its key goes to the other one. */
async function order(world: World, url: () => string, body: object): Promise<void> {
  const headers = {
    Authorization: `Bearer ${world.orgToken}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
  };
  for (let tries = 100; ; tries -= 1) {
    const request = fetch(`${url()}/api/deployments`, { method: 'POST', headers, body: JSON.stringify(body) });
    const status = await request.then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 0,
    );
    if (status === 201) return;
    if (tries === 0) throw new Error(`an order was answered ${status}`);
    await sleep(20);
  }
}

const percentile = (sorted: readonly number[], of: number) =>
  Math.round(sorted[Math.max(0, Math.ceil(sorted.length * of) - 1)] ?? Number.NaN);
const figures = (ms: number[]) => {
  ms.sort((one, other) => one - other);
  return `p50 ${percentile(ms, 0.5)} ms, p99 ${percentile(ms, 0.99)} ms, max ${percentile(ms, 1)} ms, min ${percentile(ms, 0)} ms`;
};

interface Begun {
  id: string;
  due_ms: number;
  late_ms: number; // when its robots were fixed
  handed_late_ms: number | null; // when the first robot was given it, by the database
  pending: number; // events that say that it began
}

testWith('faketime')(
  'schedules begin once, never early and 99 of 100 within a second, though the clocks of both replicas are wrong and one is killed',
  async ({ annotate }) => {
    await using world = await startIsolatedWorld();
    const { db } = world;
    const identities = await robotsOf(world).enrollMany(16);
    const [fleetId] = await db<{ fleet_id: string }>('robots').distinct().pluck('fleet_id');
    // A lane each, so that few are replaced before a robot has them.
    const releases = await Promise.all(
      ['file', 'script', 'archive', 'firmware'].map((kind) => factories(world).release({ kind })),
    );
    await world.stop(0); // only the two are left
    await using replicas = await startReplicas(world);
    const handedMs = new Map<string, number>(); // by deployment, the first time; this process has the database's clock
    const onHanded = (id: string) => void handedMs.set(id, Math.min(Date.now(), handedMs.get(id) ?? Infinity));
    await using robots = obedientRobots(identities, replicas.url, onHanded);

    const { rows } = await db.raw<{ rows: [{ now: Date }] }>('select clock_timestamp() as now');
    const startMs = rows[0].now.getTime() + leadMs;
    const instants = Array.from({ length: count }, () => startMs + Math.random() * windowMs).sort(
      (one, other) => other - one,
    );
    const orderAll = async () => {
      for (let at = instants.pop(); at !== undefined; at = instants.pop()) {
        const target =
          instants.length % 5 === 0
            ? { target_kind: 'fleet', target_id: fleetId }
            : { target_kind: 'robot', target_id: robots.ids[instants.length % robots.ids.length] };
        const release_id = releases[instants.length % releases.length].id as string;
        await order(world, replicas.url, { release_id, ...target, scheduled_at: new Date(at).toISOString() });
      }
    };
    const ordering = Promise.all(Array.from({ length: callsAtOnce }, orderAll));
    const countOf = async (such: string) => {
      const found = await db.raw<{ rows: [{ count: number }] }>(
        `select count(*) as count from deployments where ${such}`,
      );
      return found.rows[0].count;
    };
    const begun = (least: number) =>
      expect
        .poll(() => countOf('started_at is not null'), { timeout: windowMs + 30_000, interval: 50 })
        .toBeGreaterThanOrEqual(least);
    for (let kill = 0; kill < kills; kill += 1) {
      await begun((count * (kill + 1)) / (kills + 2));
      await replicas.kill(kill % 2);
      if (!isLong) continue;
      await begun((count * (kill + 1.2)) / (kills + 2));
      await replicas.restart(kill % 2);
    }
    await ordering;
    await begun(count);
    await expect.poll(() => countOf('ended_at is null')).toBe(0);

    const { rows: found } = await db.raw<{ rows: Begun[] }>(
      `select id, extract(epoch from due_at)::float8 * 1000 as due_ms, extract(epoch from started_at - due_at)::float8 * 1000 as late_ms,
              (select extract(epoch from min(dispatched_at) - due_at)::float8 * 1000 from targets t where t.deployment_id = d.id) as handed_late_ms,
              (select count(*) from deployment_events e where e.deployment_id = d.id and e.status = 'pending' and e.robot_id is null
                                                          and e.at >= due_at) as pending
         from deployments d`,
    );
    const late = found.map((each) => each.late_ms);
    const handed = found.flatMap(({ id, due_ms }) => (handedMs.has(id) ? [(handedMs.get(id) ?? 0) - due_ms] : []));
    await annotate(`${count} begun after they were due: ${figures(late)}`);
    await annotate(`${handed.length} handed to a robot after they were due: ${figures(handed)}`);
    expect(found).toHaveLength(count);
    expect(found.filter((each) => each.late_ms < 0 || (each.handed_late_ms ?? 0) < 0)).toEqual([]);
    expect(Math.min(...handed)).toBeGreaterThanOrEqual(0);
    expect(handed.length).toBeGreaterThan(count / 2); // the others were replaced before
    expect(percentile(late, 0.99)).toBeLessThanOrEqual(p99Ms);
    expect(await countOf('due_at < scheduled_at')).toBe(0);
    expect(found.filter(({ pending }) => pending !== 1)).toEqual([]);
    await checkRows(db);
  },
  windowMs + 120_000,
);
