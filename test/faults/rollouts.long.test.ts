import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { checkRows } from '../deployments/engine/support.ts';
import { unfit, wholeLog } from '../support/audit-log.ts';
import { startKillableService, type KillableService } from '../support/killable-service.ts';
import { randomFrom } from '../support/random.ts';
import type { Identity } from '../support/robots.ts';
import { until, within } from '../support/until.ts';
import type { World } from '../support/world.ts';
import { rolloutRobots } from './rollout-robots.ts';

/** Kills, one in each rollout. `npm run test:long` does a hundred; `ROLLOUT_KILLS` and `ROLLOUT_SEED` say others. */
const rounds = Number(process.env['ROLLOUT_KILLS'] ?? process.env['FAULT_ROUNDS'] ?? 4);
const seed = Number(process.env['ROLLOUT_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const robotCount = 12;
const sizes = [3, 4];
/** Of a rollout: an order and an end for each robot, before and between them the creation and soak times. */
const eventCount = 2 * robotCount + 2;
const patienceMs = 90_000;

/** What a rollout comes to. In those that abort, one robot of the second wave fails. */
const kinds = ['apply', 'cancel', 'rollback'] as const;
const victims = ['service', 'postgres'] as const;
const terminal = ['applied', 'failed', 'rolled_back', 'cancelled'];

interface TargetRow {
  deployment_id: string;
  robot_id: string;
  status: string;
  wave: number;
}

test(
  'whoever is killed in whatever step of a rollout: its waves are those of its plan, no robot gets an order twice, and every target ends',
  async ({ annotate }) => {
    const random = randomFrom(seed);
    await using service = await startKillableService();
    const { db } = service;
    const call = callOf(service);
    const site = await call('POST', '/api/sites', { name: 'Osaka' });
    const fleet = await call('POST', '/api/fleets', { name: 'pickers', site_id: site['id'] });
    const key = await call('POST', '/api/enrollment-keys', { site_id: site['id'], fleet_id: fleet['id'] });
    const identities: Identity[] = [];
    for (let index = 0; index < robotCount; index += 1)
      identities.push((await call('POST', '/agent/enroll', {}, {}, key['value'] as string)) as unknown as Identity);
    const bad = new Map<string, string>(); // artifact → the robot on which it fails
    await using robots = rolloutRobots(
      service.url.href.replace(/\/$/, ''),
      identities,
      (sha, robotId) => bad.get(sha) === robotId,
    );
    const killed = new Map<string, number>();
    const outcomes = new Map<string, number>();
    let slowestMs = 0;

    async function kill(victim: (typeof victims)[number]): Promise<void> {
      if (victim === 'service') {
        await service.killServer();
        await service.startServer();
      } else {
        await service.killPostgres();
        await service.startPostgres();
      }
    }

    async function round(number: number): Promise<void> {
      const kind = kinds[number % kinds.length] ?? 'apply';
      const victim = random.pick(victims);
      const event = (number * 7 + seed) % eventCount;
      const delayMs = random.pick([0, 0, random.below(100), random.below(1_000)]);
      const told = `ROLLOUT_SEED=${seed}, round ${number}: ${kind}, ${victim} killed ${delayMs} ms after event ${event}`;
      await within(
        until(() => robots.linked() === robotCount),
        patienceMs,
        () => `${told}: only ${robots.linked()} robots are linked\n${service.said().slice(-2_000)}`,
      );
      const sha256 = randomBytes(32).toString('hex');
      const release = await call('POST', '/api/releases', {
        tag: `r${randomUUID()}`,
        kind: 'file',
        artifact_sha256: sha256,
        artifact_size: 3,
      });
      const rollout = {
        waves: sizes.map((count) => ({ count })),
        advance: { soak: '1s', applied_percent: 50 },
        abort: kind === 'apply' ? [] : [{ reasons: ['any'], count: 1, action: kind }],
      };
      const plan = await call('POST', '/api/deployment-plans', {
        kind: 'release',
        release_id: release['id'],
        target_kind: 'fleet',
        target_id: fleet['id'],
        rollout,
      });
      const planned = new Map<string, number>(
        (await db('plan_robots').where({ plan_id: plan['id'] })).map((each) => [each.robot_id, each.wave]),
      );
      if (kind !== 'apply') bad.set(sha256, [...planned].find(([, wave]) => wave === 2)?.[0] ?? '');
      const comes = robots.event(event);
      const headers = { 'Idempotency-Key': randomUUID() };
      const creating = call('POST', '/api/deployments', { plan_id: plan['id'] }, headers);
      const isOver = async () => {
        const rows = await db('deployments').where({ plan_id: plan['id'] }).whereNotNull('ended_at');
        return rows.length === 1;
      };
      const giveUp = new AbortController();
      const killing = Promise.race([comes, until(async () => giveUp.signal.aborted || isOver())])
        .then(() => sleep(delayMs))
        .then(() => kill(victim));
      const { id } = (await within(
        creating,
        patienceMs,
        () => `${told}: it was not created\n${service.said().slice(-2_000)}`,
      )) as { id: string };
      await within(killing, patienceMs, () => `${told}: the moment did not come`);
      giveUp.abort();
      const backMs = performance.now();
      const story = async () =>
        `${told}: ${JSON.stringify(await db('targets').where({ deployment_id: id }).select('robot_id', 'status', 'wave'))}\n${JSON.stringify(await db('deployments').where({ id }).orWhere({ rollback_of: id }))}\n${service.said().slice(-2_000)}`;
      await within(
        until(
          async () =>
            (await isOver()) &&
            (await db('deployments').whereNull('ended_at')).length === 0 &&
            (await isReturned(id, kind)),
        ),
        patienceMs,
        story,
      );
      slowestMs = Math.max(slowestMs, performance.now() - backMs);
      killed.set(victim, (killed.get(victim) ?? 0) + 1);
      await checkRound({ id, kind, planned, sha256, told });
    }

    /** A rollback is decided on after its request. */
    async function isReturned(id: string, kind: string): Promise<boolean> {
      if (kind !== 'rollback') return true;
      const applied = (await db<TargetRow>('targets').where({ deployment_id: id, status: 'applied' })).length;
      return (await db('rollback_robots').where({ deployment_id: id })).length === applied;
    }

    async function checkRound({
      id,
      kind,
      planned,
      sha256,
      told,
    }: {
      id: string;
      kind: string;
      planned: Map<string, number>;
      sha256: string;
      told: string;
    }) {
      const targets = await db<TargetRow>('targets').where({ deployment_id: id });
      const { status } = await db('deployments').where({ id }).first();
      outcomes.set(`${kind}: ${status}`, (outcomes.get(`${kind}: ${status}`) ?? 0) + 1);
      expect(
        targets.filter((each) => !terminal.includes(each.status)),
        told,
      ).toEqual([]);
      expect(new Map(targets.map((each) => [each.robot_id, each.wave])), told).toEqual(planned);
      expect(status, told).toBe(kind === 'apply' ? 'applied' : 'failed');
      const waves = (
        await db('deployment_events').where({ deployment_id: id, reason: 'wave_started' }).orderBy('seq')
      ).map(({ message }) => Number(/\d+/.exec(message)?.[0]));
      expect(waves, told).toEqual(kind === 'apply' ? [1, 2, 3] : [1, 2]);
      const mine = robots.carried.filter(({ deployments }) => deployments.includes(id));
      expect(new Set(mine.map(({ robotId }) => robotId)).size, `${told}: a robot got two orders`).toBe(mine.length);
      expect(
        mine.every((each) => each.sha256 === sha256),
        told,
      ).toBe(true);
      const last = Math.max(...mine.map(({ robotId }) => planned.get(robotId) ?? 0));
      expect(last, told).toBe(kind === 'apply' ? 3 : 2);
      // In the order of the waves: 50 % of one suffice for the next.
      const order = mine.map(({ robotId }) => planned.get(robotId) ?? 0);
      expect(order, told).toEqual(order.toSorted((one, other) => one - other));
      if (kind !== 'apply')
        expect(
          targets.filter((each) => each.status === 'failed'),
          told,
        ).toHaveLength(1);
      await checkRows(db);
    }

    for (let number = 0; number < rounds; number += 1) await round(number);
    const { org_id: orgId } = await db('robots').first();
    await until(async () => (await db('audit').where({ org_id: orgId }).whereNull('seq')).length === 0);
    expect(unfit(orgId, await wholeLog({ call: readOf(service) }))).toEqual([]);
    const told = (counts: Map<string, number>) => [...counts].map(([what, count]) => `${what} ${count}`).join(', ');
    await annotate(
      `seed ${seed}: killed ${told(killed)}; rollouts ${told(outcomes)}; all had ended at most ${Math.round(slowestMs)} ms after it was back`,
    );
  },
  120_000 + rounds * 60_000,
);

/** Sends a request until the service answers. */
function callOf({ url, token }: KillableService) {
  return async (
    method: string,
    path: string,
    body: object,
    headers: Record<string, string> = {},
    as = token,
  ): Promise<Record<string, unknown>> => {
    for (;;) {
      const sent = { Authorization: `Bearer ${as}`, 'Content-Type': 'application/json', ...headers };
      const answer = await fetch(new URL(path, url), { method, headers: sent, body: JSON.stringify(body) }).catch(
        () => undefined,
      );
      if (answer?.status === 200 || answer?.status === 201)
        return ((await answer.json()) as { data: Record<string, unknown> }).data;
      const isAgain =
        answer === undefined || answer.status === 503 || (answer.status === 409 && 'Idempotency-Key' in headers);
      if (!isAgain) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
      await answer?.arrayBuffer();
      await sleep(50);
    }
  };
}

/** Reads as a world does. */
const readOf =
  ({ url, token }: KillableService): World['call'] =>
  async (method, path) => {
    const answer = await fetch(new URL(path, url), { method, headers: { Authorization: `Bearer ${token}` } });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
  };
