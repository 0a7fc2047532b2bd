import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { SpooledRecord } from '../../generated/frames.d.ts';
import { createLogIngest, type LinkRef, type LogIngest, type LogOutcome } from '../../src/logs/service.ts';
import { spanMs } from '../../src/logs/model.ts';
import { logPartitions, makeLogPartitions, segmentPartitions } from '../../src/logs/partitions.ts';
import { segmentMerging } from '../../src/logs/segments/merging.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { factories } from '../support/factories.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld, startWorld, type Answer, type IsolatedWorld, type World } from '../support/world.ts';

export interface LogWorld extends AsyncDisposable {
  world: World;
  ingest: LogIngest;
  siteId: string;
  fleetId: string;
  /** Enrolls a robot in the fleet and links it. */
  robot(): Promise<LinkRef>;
  /** Takes the robot's link over. */
  relink(link: LinkRef): Promise<LinkRef>;
  /** The records of a spool from a number on; gives the outcome. */
  send(link: LinkRef, records: readonly SpooledRecord[], spool?: string): Promise<LogOutcome>;
  /** All records of a robot over the API, oldest first. */
  all(robotId: string): Promise<Record<string, unknown>[]>;
  get(path: string): Promise<Answer>;
  /** Merges everything that is stored. */
  merge(): Promise<void>;
  /** From here on records are stored as chunks: as if a replica of the previous release were alive. */
  storeChunks(): Promise<void>;
  /**
   * Moves everything stored so far into the past, as if robots had sent at this pace: chunks by their numbers, segments in
   * their order.
   */
  spread(startMs: number, stepMs: number): Promise<void>;
}

/** A world with a fleet and an ingest that stores at once. */
export const startLogWorld = async (): Promise<LogWorld> => logWorldOn(await startWorld());

/** The same with a database of its own. */
export const startIsolatedLogWorld = async (): Promise<LogWorld & { world: IsolatedWorld }> =>
  logWorldOn(await startIsolatedWorld());

/** The same on a world that is there. */
export async function logWorldOn<W extends World>(world: W): Promise<LogWorld & { world: W }> {
  const log = createLogger('debug', [], (line) => void world.lines.push(line));
  const ingest = createLogIngest({ db: world.db, log, flushEveryMs: 5 });
  await makeLogPartitions(world.db);
  const make = factories(world);
  const fleet = await make.fleet();
  const place = { site_id: fleet.site_id as string, fleet_id: fleet.id as string };
  const key = (await world.call('POST', '/api/enrollment-keys', { body: place })).body.data as { value: string };

  const get = (path: string) => world.call('GET', path);
  return {
    world,
    ingest,
    siteId: place.site_id,
    fleetId: place.fleet_id,
    get,
    async robot() {
      const { robot_id: robotId } = (await make.robot(undefined, key)) as { robot_id: string };
      await world
        .db('robot_links')
        .insert({
          org_id: world.orgId,
          robot_id: robotId,
          epoch: 1,
          replica_id: randomUUID(),
          connected_at: new Date(),
          last_seen_at: new Date(),
          agent_version: 'test/1',
          boot_id: 'boot',
          instance: 'boot',
        })
        .onConflict(['org_id', 'robot_id'])
        .merge();
      return { orgId: world.orgId, robotId, epoch: 1 };
    },
    async relink(link) {
      const epoch = link.epoch + 1;
      await world.db('robot_links').where({ robot_id: link.robotId }).update({ epoch });
      return { ...link, epoch };
    },
    merge: () => mergeSegments(world.db),
    send: (link, records, spool = 'spool') => sendTo(ingest, link, records, spool),
    async all(robotId) {
      const items: Record<string, unknown>[] = [];
      for (let cursor = ''; ;) {
        const page = await get(`/api/robots/${robotId}/logs?after=0&limit=1000${cursor}`);
        items.push(...page.body.items);
        if (page.body.next_cursor === undefined) return items;
        cursor = `&cursor=${page.body.next_cursor}`;
      }
    },
    storeChunks: () => storeChunks(world.db),
    // At once: the service merges what is two minutes old.
    spread: (startMs, stepMs) =>
      world.db.transaction(async (db) => {
        const { orgId } = world;
        const ids = await db('log_segments').where({ org_id: orgId }).orderBy('id').pluck<number[]>('id');
        const times = ids.map((_id, index) => startMs + (index + 1) * stepMs);
        const starts = times.map((ms) => ms - (ms % spanMs));
        await segmentPartitions(db).make(starts.filter((ms, index) => starts.indexOf(ms) === index));
        for (const [index, id] of ids.entries())
          await db('log_segments')
            .where({ id })
            .update({ received_at: new Date(times[index] ?? 0) });
        const [counter] = await db('log_counters').where({ org_id: orgId }).max<{ last: number }[]>('seq as last');
        const days = [startMs, startMs + (counter?.last ?? 0) * stepMs].map((ms) => ms - (ms % 86_400_000));
        await logPartitions(db).make(days.filter((day, index) => days.indexOf(day) === index));
        const start = new Date(startMs);
        const at = `?::timestamptz + first_seq * ? * interval '1 ms'`;
        await db.raw(`update log_chunks set received_at = ${at}, first_at = ${at} where org_id = ?`, [
          ...[start, stepMs, start, stepMs, orgId],
        ]);
        await db.raw(
          `update log_counters set merged_until = ?, received_at = ?::timestamptz + seq * ? * interval '1 ms' where org_id = ?`,
          [start, start, stepMs, orgId],
        );
      }),
    async [Symbol.asyncDispose]() {
      await ingest.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** From here on records are stored as chunks: as if a replica of the previous release were alive. */
export async function storeChunks(db: Knex): Promise<void> {
  await db.raw(`insert into replicas (id, lease_until) values (gen_random_uuid(), now() + interval '1 day')`);
  await db.raw('select choose_log_format()');
}

/** Who waits for a lock of the table. Databases that are copies of one have tables of the same number. */
export const waitersFor = (db: Knex, table: string) =>
  db('pg_locks')
    .where({ granted: false })
    .whereRaw('database = (select oid from pg_database where datname = current_database())')
    .whereRaw('relation = ?::regclass', [table]);

/** Merges everything that is stored in the database, also while the service itself is merging some of it. */
export async function mergeSegments(db: Knex): Promise<void> {
  const merging = segmentMerging(db, { log: createLogger('silent', []), onLost: () => undefined });
  await until(async () => {
    await merging.run(true);
    const { rows } = await db.raw<{ rows: [{ are_left: boolean }] }>('select log_segments_are_left() as are_left');
    return !rows[0].are_left;
  });
}

export function sendTo(
  ingest: LogIngest,
  link: LinkRef,
  records: readonly SpooledRecord[],
  spool = 'spool',
): Promise<LogOutcome> {
  const from = records[0]?.seq ?? 1;
  const to = records.at(-1)?.seq ?? 1;
  const frame = { type: 'logs' as const, spool, from_seq: from, to_seq: to, records: [...records] };
  return new Promise((resolve) => ingest.accept(link, frame, resolve));
}

/** Records with these numbers in the spool. */
export const records = (from: number, to: number, more: object = {}): SpooledRecord[] =>
  Array.from({ length: to - from + 1 }, (_each, index) => ({
    seq: from + index,
    ts: '2026-11-21T09:00:00.000000Z',
    level: 'info',
    source: 'journal',
    message: `line ${from + index}`,
    ...more,
  }));

export const messagesOf = (items: readonly Record<string, unknown>[]): unknown[] => items.map(({ message }) => message);
