import { watch } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkRows } from '../deployments/support.ts';
import { startAgent, stateOf } from '../support/agent-process.ts';
import { startAgentFront, type AgentFront, type Checkpoint } from '../support/agent-front.ts';
import { startHome, type Home } from '../support/cli.ts';
import { startKillableService, type KillableService } from '../support/killable-service.ts';
import { sha256 } from '../support/orders.ts';
import { streamOrders, type OrderStream } from '../support/order-stream.ts';

/** How often the moments are gone through, from the second time on with another victim at each. `npm run test:long` does a hundred rounds. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
/** In the short form, of each pair of moments beside each other the one that more depends on. */
const isShort = process.env['FAULT_ROUNDS'] === undefined;
/** What everything takes at most to come to its end when all are there again. */
const convergenceMs = 5_000;

const victims = ['server', 'agent', 'postgres'] as const;
type Victim = (typeof victims)[number];

interface Scene {
  service: KillableService;
  front: AgentFront;
  home: Home;
  stream: OrderStream;
  robotId: string;
}

/** A moment in the life of an order; what it holds up goes on with `release`. */
interface Moment {
  name: string;
  isInShort?: boolean;
  victim: Victim;
  comes(scene: Scene): Promise<(() => unknown) | undefined>;
}

const moments: Moment[] = [
  {
    name: 'before the order is committed',
    isInShort: true,
    victim: 'server',
    comes: ({ service }) => stuckIn(service, 'audit'),
  },
  {
    name: 'when the order is committed',
    victim: 'postgres',
    async comes({ service: { db } }) {
      const count = async () => (await db('deployments').count<{ count: number }[]>())[0]?.count ?? 0;
      const before = await count();
      await until(async () => (await count()) > before);
      return undefined;
    },
  },
  {
    name: 'between its beginning and its dispatch',
    victim: 'server',
    comes: ({ service }) => stuckIn(service, 'order_sequence'),
  },
  {
    name: 'between the commit of the dispatch and its frame',
    isInShort: true,
    victim: 'server',
    comes: ({ front }) => held(front.hold('server', ({ items }) => (items?.length ?? 0) > 0)),
  },
  {
    name: 'after the frame, before the journal of the agent',
    victim: 'agent',
    async comes({ front }) {
      const known = new Set<string>();
      await front.passes('server', ({ type, items = [] }) => {
        if (type !== 'desired') return false;
        const isNew = known.size > 0 && items.some(({ order_id: id }) => !known.has(id));
        for (const { order_id: id } of items) known.add(id);
        return isNew;
      });
      return undefined;
    },
  },
  {
    name: 'after the journal',
    isInShort: true,
    victim: 'agent',
    comes: ({ front }) =>
      held(front.hold('agent', ({ type, status }) => type === 'report' && status === 'downloading')),
  },
  {
    name: 'after the rename of the config',
    victim: 'agent',
    comes: ({ home }) => changed(configFolder(home), 'default.json'),
  },
  { name: 'before the end of the hook', victim: 'agent', comes: ({ home }) => changed(home.path, 'hooks') },
  {
    name: 'between the report and its commit',
    isInShort: true,
    victim: 'postgres',
    async comes({ service, front }) {
      const report = front.hold('agent', ({ type, status }) => type === 'report' && status === 'applied');
      await report.reached;
      return stuckIn(service, 'robot_reports', report.release);
    },
  },
  {
    name: 'between the commit and the acknowledgement',
    isInShort: true,
    victim: 'server',
    comes: ({ front }) => held(front.hold('server', ({ type, ended }) => type === 'report_ack' && ended === true)),
  },
  {
    name: 'between the acknowledgement and the journal of the agent',
    victim: 'agent',
    async comes({ front }) {
      await front.passes('server', ({ type, ended }) => type === 'report_ack' && ended === true);
      return undefined;
    },
  },
  {
    name: 'during a cancellation',
    isInShort: true,
    victim: 'server',
    async comes({ service: { db, url, token } }) {
      await until(async () => {
        const running = await db('deployments').where({ status: 'in_progress' }).first();
        if (!running) return false;
        const path = `/api/${running.release_id === null ? 'configs/' : ''}deployments/${running.id}/cancel`;
        const headers = { Authorization: `Bearer ${token}` };
        return (await fetch(new URL(path, url), { method: 'POST', headers })).status === 200;
      });
      return undefined;
    },
  },
];

test(
  'whoever is killed at whatever moment of an order: nothing acknowledged is lost, nothing is done twice, and all ends within 5 s',
  async ({ annotate }) => {
    await using service = await startKillableService();
    await using front = await startAgentFront(service.url);
    await using home = await startHome();
    const call = callOf(service);
    const args = ['--backend-url', front.url, '--on-config', `echo "$SVC_ORDER_ID" >> ${home.path}/hooks; sleep 0.05`];
    const key = await placeOf(call);
    const script = `#!/bin/sh\necho "$SVC_ORDER_ID" >> ${home.path}/runs\nsleep 0.05\n`;
    await mkdir(join(stateOf(home), 'artifacts'), { recursive: true, mode: 0o700 });
    await writeFile(join(stateOf(home), 'artifacts', sha256(script)), script);
    const artifact = { artifact_sha256: sha256(script), artifact_size: script.length };
    const release = await call('POST', '/api/releases', { tag: 'v1', kind: 'script', ...artifact });
    let agent = startAgent(home, args, { SERVICE_ENROLLMENT_KEY: key });
    const tally = { killed: new Map<Victim, number>(), slowestMs: 0 };
    try {
      await agent.sees('Connected');
      const robot = await service.db('robots').first();
      const stream = streamOrders(service.url, service.token, robot.id, release.id);
      const scene = { service, front, home, stream, robotId: robot.id as string };
      for (let round = 0; round < rounds; round += 1)
        for (const { name, victim: first, comes } of moments.filter(({ isInShort }) => isInShort ?? !isShort)) {
          const victim = victims[(victims.indexOf(first) + round) % victims.length] ?? first;
          const told = `round ${round}: ${victim} killed ${name}`;
          const release = await within(comes(scene), 20_000, () => `${told}: the moment did not come`);
          const { welcomes } = front;
          if (victim === 'server') await service.killServer();
          if (victim === 'agent') {
            agent.kill('SIGKILL');
            await agent.ended;
          }
          const restarted = victim === 'postgres' ? service.killPostgres() : undefined;
          await release?.();
          await restarted;
          if (victim === 'server') await service.startServer();
          if (victim === 'agent') agent = startAgent(home, args);
          if (victim !== 'postgres')
            await within(
              until(() => front.welcomes > welcomes),
              40_000,
              () => `${told}: no link`,
            );
          const backMs = performance.now();
          const ids = [...stream.acknowledged.values()];
          await within(
            ends(service, ids),
            60_000,
            async () => `${told}: open ${await story(service)}\n${agent.text()}`,
          );
          // A database that was away ends links too: those come back by themselves.
          const tookMs = performance.now() - Math.max(backMs, front.welcomedMs);
          tally.slowestMs = Math.max(tally.slowestMs, tookMs);
          tally.killed.set(victim, (tally.killed.get(victim) ?? 0) + 1);
          expect(tookMs, told).toBeLessThan(convergenceMs);
        }
      await stream.stop();
      await ends(service, [...stream.acknowledged.values()]);
      await checkEverything(scene, tally.killed.get('agent') ?? 0);
    } finally {
      await agent[Symbol.asyncDispose]();
    }
    const killed = [...tally.killed].map(([victim, times]) => `${victim} ${times} times`).join(', ');
    await annotate(`killed ${killed}; all had ended at most ${Math.round(tally.slowestMs)} ms after it was back`);
  },
  60_000 + rounds * 120_000,
);

const configFolder = (home: Home) => join(stateOf(home), 'config');

/** Lets the service run into a lock; resolves when it waits there. Nobody who is killed keeps what the lock was for. */
async function stuckIn({ db }: KillableService, what: 'audit' | 'order_sequence' | 'robot_reports', thenDo = () => {}) {
  const trx = await db.transaction();
  await trx.raw(
    what === 'order_sequence'
      ? 'alter sequence order_sequence increment by 1'
      : `lock table ${what} in share row exclusive mode`,
  );
  thenDo();
  const waiting = `select from pg_locks where not granted and relation = '${what}'::regclass`;
  await until(async () => (await db.raw<{ rows: object[] }>(waiting)).rows.length > 0);
  return () => trx.rollback().catch(() => undefined);
}

async function held({ reached, release }: Checkpoint) {
  await reached;
  return release;
}

/** Resolves when this file is written or renamed to. */
async function changed(folder: string, name: string): Promise<undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await new Promise<void>((resolve) => {
    const watcher = watch(folder, (_event, changedName) => {
      if (changedName !== name) return;
      watcher.close();
      resolve();
    });
  });
}

/** A database that was killed meanwhile does not know yet. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await (async () => condition())().catch(() => false)))
    await new Promise((resolve) => setTimeout(resolve, 2));
}

async function within<T>(work: Promise<T>, ms: number, why: () => string | Promise<string>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => void Promise.resolve(why()).then((text) => reject(new Error(text)), reject), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const ends = ({ db }: KillableService, ids: string[]) =>
  until(async () => {
    const open = await db('deployments').whereIn('id', ids).whereNull('ended_at').first();
    return open === undefined;
  });

const story = async ({ db }: KillableService) =>
  JSON.stringify({
    targets: await db('targets')
      .whereNotNull('deadline_at')
      .select('deployment_id', 'lane', 'rank', 'status', 'order_id'),
    orders: await db('orders').whereNull('ended_at'),
    scheduled: await db('deployments').where({ status: 'scheduled' }).select('id', 'due_at'),
  });

/** Every acknowledged order is there once and has ended; rows agree with each other, and with what is on the disk of the robot. */
async function checkEverything({ service: { db }, home, stream, robotId }: Scene, agentKills: number): Promise<void> {
  const acknowledged = [...stream.acknowledged.values()];
  expect((await db('deployments').whereNotNull('ended_at').pluck('id')).toSorted()).toEqual(acknowledged.toSorted());
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  await checkRows(db);

  const linesOf = async (name: string) => (await readFile(join(home.path, name), 'utf8')).trim().split('\n');
  const targets: { status: string; reason: string | null; order_id: string | null; lane: string }[] =
    await db('targets');
  const ordersThat = (lane: string, are: (target: (typeof targets)[number]) => boolean) =>
    new Set(
      targets.flatMap((target) => (target.lane === lane && are(target) && target.order_id ? [target.order_id] : [])),
    );
  const isApplied = ({ status }: { status: string }) => status === 'applied';
  const runs = await linesOf('runs');
  expect(runs.toSorted()).toEqual([...new Set(runs)].toSorted());
  // A program that was cut is not run again, and may have done what it does.
  const cut = ordersThat('release:script', ({ reason }) => reason === 'interrupted');
  expect(runs.filter((id) => !cut.has(id)).toSorted()).toEqual([...ordersThat('release:script', isApplied)].toSorted());
  expect(cut.size).toBeLessThanOrEqual(agentKills);
  // The hook is run again where the agent was killed before it knew its end.
  const hooks = await linesOf('hooks');
  for (const id of ordersThat('config', isApplied)) expect(hooks).toContain(id);
  expect(hooks.length - new Set(hooks).size).toBeLessThanOrEqual(agentKills);

  const reported = (await db('robot_reports').where({ robot_id: robotId }).first()).configs['default/round'];
  const { config_id, revision } = reported as { config_id: string; revision: number };
  const { value } = await db('config_revisions').where({ config_id, revision }).first();
  expect(await readFile(join(configFolder(home), 'default.json'), 'utf8')).toBe(`{\n  "round": ${value}\n}\n`);
}

function callOf({ url, token }: KillableService) {
  return async (method: string, path: string, body: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(new URL(path, url), { method, headers, body: JSON.stringify(body) });
    return ((await answer.json()) as { data: { id: string; value: string } }).data;
  };
}

/** A key by which a robot comes to a fleet. */
async function placeOf(call: ReturnType<typeof callOf>): Promise<string> {
  const site = await call('POST', '/api/sites', { name: 'Osaka' });
  const fleet = await call('POST', '/api/fleets', { name: 'pickers', site_id: site.id });
  return (await call('POST', '/api/enrollment-keys', { site_id: site.id, fleet_id: fleet.id })).value;
}
