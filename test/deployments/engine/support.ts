import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { expect } from 'vitest';
import {
  createDeploymentEngine,
  requestCancel,
  type OpenOrder,
  type OrderPort,
  type OrderReport,
} from '../../../src/deployments/api/service.ts';
import { inTransaction } from '../../../src/platform/db/transaction.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { factories } from '../../support/factories.ts';
import { startIsolatedWorld, startWorld, type World } from '../../support/world.ts';

export interface LinkedRobot {
  orgId: string;
  robotId: string;
  epoch: number;
}

export interface Target {
  robot_id: string;
  status: string;
  reason: string | null;
  message: string | null;
  order_id: string | null;
  deadline_at: Date | null;
}

export interface DeploymentWorld extends AsyncDisposable {
  world: World;
  db: Knex;
  orderPort: OrderPort;
  /** Takes part in the world's orders as the replica that holds the links. */
  replicaId: string;
  siteId: string;
  fleetId: string;
  /** Robots of the fleet that are linked and take orders. */
  robots(count: number): Promise<LinkedRobot[]>;
  release(kind?: string): Promise<{ id: string; sha256: string }>;
  /** Sets a config key and gives its id. */
  config(key: string, value: unknown, namespace?: string): Promise<string>;
  /** Orders a release, or a config, and gives the id of the deployment. */
  deploy(what: { releaseId: string } | { configId: string }, target: Place, more?: object): Promise<string>;
  deployment(
    id: string,
  ): Promise<{ status: string; reason: string | null; rank: number | null; is_superseding: boolean }>;
  counts(id: string): Promise<Record<string, number>>;
  targets(id: string): Promise<Target[]>;
  target(id: string, robot: LinkedRobot): Promise<Target | undefined>;
  /** `<status of the deployment> <status of the robot> <reason>` of each event. */
  story(id: string): Promise<string[]>;
  /** Hands out and gives what each robot is to do. */
  handOut(robots: LinkedRobot[], orderPort?: OrderPort): Promise<Map<string, OpenOrder[]>>;
  report(link: LinkedRobot, report: OrderReport, orderPort?: OrderPort): Promise<Outcome>;
  /** Waits until the deployment has this status. */
  reaches(id: string, status: string): Promise<void>;
  /** Lets the time come for which a deployment is scheduled. */
  fallDue(id: string): Promise<void>;
  /** Lets the deadlines of a deployment pass. */
  expire(id: string): Promise<void>;
  /** Holds what is always true against the rows. */
  check(): Promise<void>;
}

export type Outcome = Parameters<Parameters<OrderPort['report']>[2]>[0];
export type Place = { robot: string } | { fleet: string } | { selector: string };

export const sha256 = (fill: string): string => fill.repeat(64).slice(0, 64);

/** A fleet whose orders the test hands out itself. */
export const startDeploymentWorld = async (): Promise<DeploymentWorld> => deploymentWorldOn(await startWorld());

/** The same with a database of its own. */
export const startIsolatedDeploymentWorld = async (): Promise<DeploymentWorld> =>
  deploymentWorldOn(await startIsolatedWorld());

export async function deploymentWorldOn(world: World): Promise<DeploymentWorld> {
  const { db, orgId } = world;
  const log = createLogger('debug', [], (line) => void world.lines.push(line));
  // Its desk alone: deployments begin and end by the engine of the world.
  const engine = createDeploymentEngine({ db, bus: world.bus, log });
  const { orderPort } = engine;
  const make = factories(world);
  const fleet = await make.fleet();
  const place = { site_id: fleet.site_id as string, fleet_id: fleet.id as string };
  const key = (await post(world, '/api/enrollment-keys', place)) as { id: string };
  const replicaId = randomUUID();
  await db('replicas').insert({ id: replicaId, lease_until: db.raw("now() + interval '1 hour'") });
  let releases = 0;

  const targetRows = (id: string) =>
    db<Target & { deployment_id: string }>('targets').where({ deployment_id: id }).orderBy('robot_id');
  const story = async (id: string) => {
    const events = await db('deployment_events').where({ deployment_id: id }).orderBy('seq');
    return events.map(({ status, target_status: of, reason }) => [status, of, reason].filter(Boolean).join(' '));
  };
  const deployment = async (id: string) => (await db('deployments').where({ id }).first()) as never;

  return {
    world,
    db,
    orderPort,
    replicaId,
    siteId: place.site_id,
    fleetId: place.fleet_id,
    async robots(count) {
      await db.raw(
        `with made as (
           insert into robots (org_id, id, name, site_id, fleet_id, enrollment_key_id)
           select ?, gen_random_uuid(), 'robot ' || gen_random_uuid(), ?, ?, ? from generate_series(1, ?::int) returning org_id, id
         )
         insert into robot_links (org_id, robot_id, epoch, replica_id, connected_at, last_seen_at, agent_version, boot_id, instance, takes_orders)
         select org_id, id, 1, ?, now(), now(), 'test/1', 'boot', 'boot', true from made`,
        [orgId, place.site_id, place.fleet_id, key.id, count, replicaId],
      );
      const rows = await db('robot_links')
        .where({ replica_id: replicaId })
        .orderBy('connected_at', 'desc')
        .limit(count);
      return rows.map(({ robot_id: robotId }) => ({ orgId, robotId, epoch: 1 }));
    },
    async release(kind = 'file') {
      releases += 1;
      const sha = sha256(`${releases}abcdef`);
      const made = await post(world, '/api/releases', {
        tag: `r${releases}`,
        kind,
        artifact_sha256: sha,
        artifact_size: 3,
      });
      return { id: made.id, sha256: sha };
    },
    async config(name, value, namespace = 'default') {
      return (await post(world, '/api/configs', { key: name, value, namespace })).id;
    },
    async deploy(what, target, more = {}) {
      const [path, of] =
        'releaseId' in what
          ? ['/api/deployments', { release_id: what.releaseId }]
          : ['/api/configs/deployments', { config_id: what.configId }];
      const at =
        'selector' in target
          ? { target_kind: 'selector', target_selector: target.selector }
          : 'robot' in target
            ? { target_kind: 'robot', target_id: target.robot }
            : { target_kind: 'fleet', target_id: target.fleet };
      return (await post(world, path, { ...of, ...at, ...more })).id;
    },
    deployment,
    counts: async (id) =>
      (await db('deployment_counts').where({ deployment_id: id }).first()) as Record<string, number>,
    targets: async (id) => targetRows(id),
    target: async (id, robot) => (await targetRows(id)).find((row) => row.robot_id === robot.robotId),
    story,
    async handOut(robots, by = orderPort) {
      await by.dispatch(robots);
      return by.openOrders(robots);
    },
    report: (link, said, by = orderPort) => new Promise((resolve) => by.report(link, said, resolve)),
    async reaches(id, status) {
      await expect
        .poll(async () => ((await deployment(id)) as { status: string }).status, { interval: 20 })
        .toBe(status);
    },
    async fallDue(id) {
      await db('deployments').where({ id }).update({ due_at: db.fn.now() });
    },
    async expire(id) {
      await db('targets')
        .where({ deployment_id: id })
        .whereNotNull('deadline_at')
        .update({ deadline_at: db.raw("now() - interval '1 ms'") });
    },
    check: () => checkRows(db, orgId),
    async [Symbol.asyncDispose]() {
      await engine.stop();
      // While there is another replica, the service of the world is not alone.
      await db('robot_links').where({ replica_id: replicaId }).delete();
      await db('replicas').where({ id: replicaId }).delete();
      await world[Symbol.asyncDispose]();
    },
  };
}

async function post(world: World, path: string, body: object) {
  const answer = await world.call('POST', path, { body, headers: { 'Idempotency-Key': randomUUID() } });
  if (answer.status > 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body.data;
}

const statuses =
  'waiting dispatched downloading installing verifying cancelling rolling_back applied failed rolled_back cancelled'.split(
    ' ',
  );

/**
 * Counts are those of the targets, also by wave, events have no gaps and end with the deployment, no lane is held by nobody, nothing is
 * without a deadline, and no robot has an order before its wave begins.
 * Of one org, or of all.
 */
export async function checkRows(db: Knex, orgId?: string): Promise<void> {
  const isOurs = (rows: string) => (orgId === undefined ? 'true' : `${rows}.org_id = '${orgId}'`);
  const wrong = {
    counts: await rows(
      db,
      `select c.deployment_id from deployment_counts c left join targets t using (org_id, deployment_id)
        where ${isOurs('c')} group by c.org_id, c.deployment_id
       having (${statuses.map((status) => `c.${status}`).join(', ')}, c.total) is distinct from
              (${statuses.map((status) => `count(*) filter (where t.status = '${status}')`).join(', ')}, count(t.robot_id))`,
    ),
    events: await rows(
      db,
      `select deployment_id from deployment_counts c join deployment_events e using (org_id, deployment_id)
        where ${isOurs('c')} group by c.org_id, c.deployment_id
       having max(e.seq) <> c.event_seq or count(*) <> c.event_seq`,
    ),
    lastEvents: await rows(
      db,
      `select d.id from deployments d join deployment_counts c on c.deployment_id = d.id
         join deployment_events e on e.deployment_id = d.id and e.seq = c.event_seq where e.status <> d.status and ${isOurs('d')}`,
    ),
    ends: await rows(
      db,
      `select id from deployments d where ${isOurs('d')} and ((ended_at is not null) <> (status in ('applied', 'failed', 'rolled_back', 'cancelled'))
          or rank is not null and (ended_at is null) <> exists (select from targets t where t.deployment_id = d.id and t.deadline_at is not null))`,
    ),
    lanes: await rows(
      db,
      `select o.id from orders o where ${isOurs('o')} and (o.ended_at is null) <> exists (select from targets t where t.order_id = o.id and t.deadline_at is not null)`,
    ),
    waves: await rows(
      db,
      `select w.deployment_id, w.wave from waves w join deployments d on d.id = w.deployment_id and d.rollout is not null
         left join targets t on t.deployment_id = w.deployment_id and t.wave = w.wave
        where ${isOurs('w')} group by w.org_id, w.deployment_id, w.wave
       having (${statuses.map((status) => `w.${status}`).join(', ')}, w.total) is distinct from
              (${statuses.map((status) => `count(*) filter (where t.status = '${status}')`).join(', ')}, count(t.robot_id))`,
    ),
    early: await rows(
      db,
      `select t.robot_id from targets t join deployments d on d.id = t.deployment_id
        where ${isOurs('t')} and d.rollout is not null and t.wave > d.open_wave
          and (t.order_id is not null or exists (select from open_targets o where o.robot_id = t.robot_id and o.deployment_id = t.deployment_id))`,
    ),
    unheld: await rows(
      db,
      `select t.robot_id from targets t where ${isOurs('t')} and t.status not in ('waiting', 'applied', 'failed', 'rolled_back', 'cancelled')
          and not exists (select from orders o where o.id = t.order_id and o.robot_id = t.robot_id and o.lane = t.lane and o.ended_at is null)`,
    ),
  };
  expect(wrong).toEqual(Object.fromEntries(Object.keys(wrong).map((name) => [name, []])));
}

const rows = async (db: Knex, sql: string): Promise<unknown[]> => (await db.raw<{ rows: unknown[] }>(sql)).rows;

/** Asks a deployment to stop, as the API does. */
export const cancel = ({ world, db }: DeploymentWorld, id: string) =>
  inTransaction(db, async (trx) => {
    const outcome = await requestCancel(trx, world.orgId, id);
    return { result: outcome, ...world.bus.announcing(trx, outcome?.kind === 'changed' ? outcome.announce : []) };
  });

/** A robot that enrolls in the fleet, with a link. */
export async function newcomerOf(it: DeploymentWorld) {
  const key = await it.world.call('POST', '/api/enrollment-keys', {
    body: { site_id: it.siteId, fleet_id: it.fleetId },
  });
  const { robot_id: robotId } = (await it.world.call('POST', '/agent/enroll', { token: key.body.data.value, body: {} }))
    .body.data;
  await it.db.raw(
    `insert into robot_links (org_id, robot_id, epoch, replica_id, connected_at, last_seen_at, agent_version, boot_id, instance, takes_orders)
     values (?, ?, 1, ?, now(), now(), 'test/1', 'boot', 'boot', true)`,
    [it.world.orgId, robotId, it.replicaId],
  );
  const [made] = (await it.world.call('GET', `/api/deployments?target_id=${robotId}`)).body.items;
  return { newcomer: { orgId: it.world.orgId, robotId: robotId as string, epoch: 1 }, made };
}

/** Exactly so many, by name. */
export function some<Item>(items: readonly Item[]): [Item, Item, Item, Item] {
  return items as unknown as [Item, Item, Item, Item]; // a test takes those that it made
}

/** The only order of a robot. */
export function only(orders: Map<string, OpenOrder[]>, { robotId }: LinkedRobot): OpenOrder {
  const [order, ...others] = orders.get(robotId) ?? [];
  if (!order || others.length > 0) throw new Error(`the robot has ${order ? others.length + 1 : 'no'} orders`);
  return order;
}
