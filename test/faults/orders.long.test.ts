import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkRows } from '../deployments/engine/support.ts';
import { startAgent, stateOf } from '../support/agent-process.ts';
import { startAgentFront } from '../support/agent-proxy.ts';
import { startHome } from '../support/cli.ts';
import { startKillableService, type KillableService } from '../support/killable-service.ts';
import { sha256 } from '../support/orders.ts';
import { streamOrders, type Acknowledged } from './order-stream.ts';
import { until, within } from '../support/until.ts';
import { configFolder, moments, victims, type Moment, type Scene, type Victim } from './order-moments.ts';

/** How often the moments are gone through, from the second time on with another victim at each. `npm run test:long` does a hundred rounds. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
/** Without a number of rounds it is a part of `npm run test:full`, which has no time for all of the moments. */
const isShort = process.env['FAULT_ROUNDS'] === undefined;
/** What everything takes at most to come to its end when all are there again. */
const convergenceMs = 5_000;
/** For what has no promise; an agent waits up to 30 s between two tries. */
const patienceMs = 60_000;

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
    const { id: releaseId } = await call('POST', '/api/releases', { tag: 'v1', kind: 'script', ...artifact });
    let agent = startAgent(home, args, { SERVICE_ENROLLMENT_KEY: key });
    const tally = { killed: new Map<Victim, number>(), slowestMs: 0, replays: 0 };
    try {
      await agent.sees('Connected');
      const { id: robotId } = await service.db('robots').first();
      const stream = streamOrders(front.url, service.token, robotId, releaseId);
      const scene: Scene = { service, front, home, stream, cancelled: [] };
      /** What was acknowledged and not looked at yet. */
      let unchecked = 0;
      let scars = await scarsOf(scene);

      /** Resolves when all that was acknowledged until now has ended and agrees. */
      async function checkNew(told: string): Promise<void> {
        const acknowledged = stream.acknowledged.slice(unchecked);
        unchecked += acknowledged.length;
        const story = async () => `${told}: open ${await storyOf(service)}\n${agent.text()}\n${service.said()}`;
        await within(ends(service, acknowledged), patienceMs, story);
        // What the database was away for ends the link, too, which comes back by itself.
        await within(
          until(() => front.live > 0),
          patienceMs,
          story,
        );
        tally.replays += acknowledged.filter(({ isReplay }) => isReplay).length;
        const replays = await within(Promise.all(acknowledged.map(({ again }) => again())), patienceMs, story);
        expect(replays, told).toEqual(acknowledged.map(({ text }) => ({ text, isReplay: true })));
        expect(stream.refusals, told).toEqual([]);
        await checkRows(service.db);
      }

      async function killAt({ name, victim: first, comes }: Moment, round: number): Promise<void> {
        const victim = victims[(victims.indexOf(first) + round) % victims.length] ?? first;
        const told = `round ${round}: ${victim} killed ${name}`;
        const goOn = await within(
          comes(scene),
          patienceMs,
          () => `${told}: the moment did not come\n${stream.refusals.join('\n')}\n${agent.text()}`,
        );
        // In every other round nothing is left to a later order, which would bring along what was forgotten.
        stream.isResting = round % 2 === 0;
        const { welcomes } = front;
        if (victim === 'server') await service.killServer();
        if (victim === 'agent') {
          agent.kill('SIGKILL');
          await agent.ended;
        }
        if (victim === 'postgres') await service.killPostgres();
        await goOn?.();
        if (victim === 'postgres') await service.startPostgres();
        if (victim === 'server') await service.startServer();
        if (victim === 'agent') agent = startAgent(home, args);
        const isLinked = () => front.live > 0 && (victim === 'postgres' || front.welcomes > welcomes);
        await within(until(isLinked), patienceMs, () => `${told}: no link\n${agent.text()}`);
        const backMs = performance.now();
        const open = stream.acknowledged.slice(unchecked);
        await within(ends(service, open), patienceMs, async () => `${told}: open ${await storyOf(service)}`);
        // A link that ended once more since then has begun again.
        const tookMs = performance.now() - Math.max(backMs, front.welcomedMs);
        tally.slowestMs = Math.max(tally.slowestMs, tookMs);
        tally.killed.set(victim, (tally.killed.get(victim) ?? 0) + 1);
        expect(tookMs, told).toBeLessThan(convergenceMs);
        await checkNew(told);
        stream.isResting = false;
        const before = scars;
        scars = await scarsOf(scene);
        const most = victim === 'agent' ? 1 : 0;
        expect(scars.hooksAgain - before.hooksAgain, told).toBeLessThanOrEqual(most);
        expect(scars.cut - before.cut, told).toBeLessThanOrEqual(most);
      }

      for (let round = 0; round < rounds; round += 1)
        for (const moment of moments) if (moment.isInShort ?? !isShort) await killAt(moment, round);
      await within(stream.stop(), patienceMs, () => 'an order is not answered');
      await checkNew('at the end');
      await checkAll(scene, robotId, stream.acknowledged);
      // The answers that moments kept from their caller, at least.
      expect(tally.replays).toBeGreaterThanOrEqual(rounds);
    } finally {
      await agent[Symbol.asyncDispose]();
    }
    const killed = [...tally.killed].map(([victim, times]) => `${victim} ${times} times`).join(', ');
    const slowest = `all had ended at most ${Math.round(tally.slowestMs)} ms after it was back`;
    await annotate(`killed ${killed}; ${slowest}; ${tally.replays} orders were answered by a replay`);
  },
  60_000 + rounds * 240_000,
);

const ends = ({ db }: KillableService, orders: readonly Acknowledged[]) =>
  until(async () => {
    const ids = orders.map(({ id }) => id);
    return (await db('deployments').whereIn('id', ids).whereNotNull('ended_at')).length === ids.length;
  });

const storyOf = async ({ db }: KillableService) =>
  JSON.stringify({
    targets: await db('targets')
      .whereNotNull('deadline_at')
      .select('deployment_id', 'lane', 'rank', 'status', 'order_id'),
    orders: await db('orders').whereNull('ended_at'),
    scheduled: await db('deployments').where({ status: 'scheduled' }).select('id', 'due_at'),
  });

const linesOf = async (home: Scene['home'], name: string) =>
  (await readFile(join(home.path, name), 'utf8').catch(() => '')).split('\n').slice(0, -1);

/** What only the death of the agent may leave: hooks that were run again, as nobody knew their end, and programs that were cut and never are. */
async function scarsOf({ home, service: { db } }: Scene): Promise<{ hooksAgain: number; cut: number }> {
  const hooks = await linesOf(home, 'hooks');
  const cut = await db('targets').where({ reason: 'interrupted' });
  return { hooksAgain: hooks.length - new Set(hooks).size, cut: cut.length };
}

/** Every order is there once, as its caller was told; rows agree with what is on the disk of the robot. */
async function checkAll(
  { service: { db }, home, cancelled }: Scene,
  robotId: string,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const ids = acknowledged.map(({ id }) => id);
  expect((await db('deployments').pluck('id')).toSorted()).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  expect(await db('deployments').whereIn('id', cancelled).whereNull('cancelled_at')).toEqual([]);

  const targets: { status: string; reason: string | null; order_id: string | null; lane: string }[] =
    await db('targets');
  const ordersThat = (lane: string, are: (target: (typeof targets)[number]) => boolean) =>
    new Set(
      targets.flatMap((target) => (target.lane === lane && are(target) && target.order_id ? [target.order_id] : [])),
    );
  const isApplied = ({ status }: { status: string }) => status === 'applied';
  const runs = await linesOf(home, 'runs');
  expect(runs.toSorted()).toEqual([...new Set(runs)].toSorted());
  // A program that was cut may have done what it does.
  const cut = ordersThat('release:script', ({ reason }) => reason === 'interrupted');
  expect(runs.filter((id) => !cut.has(id)).toSorted()).toEqual([...ordersThat('release:script', isApplied)].toSorted());
  const hooks = await linesOf(home, 'hooks');
  for (const id of ordersThat('config', isApplied)) expect(hooks).toContain(id);

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
