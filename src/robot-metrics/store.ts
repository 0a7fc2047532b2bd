import type { Knex } from 'knex';
import type { Page } from '../kernel/page.ts';
import { isId } from '../kernel/ids.ts';
import { plainArray, textArray } from '../platform/db/arrays.ts';
import { noRows, type JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import { blockMs, spanMs } from './model.ts';

/** A row of samples or of rollups of one robot, as stored. */
export interface PackedRow {
  orgId: string;
  robotId: string;
  startedAt: Date;
  body: Buffer;
}

/** The next span to roll up; robots up to `done` are rolled up already. */
interface Progress {
  spanAt: Date;
  done: { orgId: string; robotId: string } | undefined;
}

interface Row {
  org_id: string;
  robot_id: string;
  started_at: Date;
  body: Buffer;
}

const nowColumns = [
  ...['id', 'name', 'site_id', 'fleet_id', 'created_at', 'online', 'measured_at'],
  ...['battery', 'cpu', 'memory', 'disk', 'temperature', 'delay'],
] as (
  | ('id' | 'name' | 'site_id' | 'fleet_id' | 'created_at' | 'online' | 'measured_at')
  | ('battery' | 'cpu' | 'memory' | 'disk' | 'temperature' | 'delay')
)[];

const arrays = (rows: readonly PackedRow[]) => [
  plainArray(rows.map(({ orgId }) => orgId)),
  plainArray(rows.map(({ robotId }) => robotId)),
  plainArray(rows.map(({ startedAt }) => startedAt.toISOString())),
  textArray(rows.map(({ body }) => `\\x${body.toString('hex')}`)),
];

const fromRow = ({ org_id: orgId, robot_id: robotId, started_at: startedAt, body }: Row): PackedRow => ({
  orgId,
  robotId,
  startedAt,
  body,
});

export function metricStore(db: Knex) {
  return {
    /** Of a retry after a lost response, the samples are stored twice, and read once. */
    async insertBlocks(rows: readonly PackedRow[]): Promise<void> {
      await db.raw(
        `insert into robot_metric_blocks (org_id, robot_id, started_at, samples)
         select * from unnest(?::uuid[], ?::uuid[], ?::timestamptz[], ?::bytea[])`,
        arrays(rows),
      );
    },

    /** Blocks that have samples from `since` to before `until`, and the one that is still open, in any order. */
    async readBlocks(orgId: string, robotId: string, since: Date, until: Date): Promise<PackedRow[]> {
      const { rows } = await db.raw<{ rows: Row[] }>(
        `select org_id, robot_id, started_at, samples as body from robot_metric_blocks
          where org_id = :orgId and robot_id = :robotId and started_at > :from and started_at < :until
         union all
         select org_id, robot_id, open_block_at, open_block from robot_health
          where org_id = :orgId and robot_id = :robotId and open_block_at > :from and open_block_at < :until`,
        { orgId, robotId, from: new Date(since.getTime() - blockMs), until },
      );
      return rows.map(fromRow);
    },

    async readRollups(orgId: string, robotId: string, since: Date, until: Date): Promise<PackedRow[]> {
      const { rows } = await db.raw<{ rows: Row[] }>(
        `select org_id, robot_id, started_at, buckets as body from robot_metric_rollups
          where org_id = ? and robot_id = ? and started_at > ? and started_at < ?`,
        [orgId, robotId, new Date(since.getTime() - spanMs), until],
      );
      return rows.map(fromRow);
    },

    /** Takes the work of rolling up until the transaction ends; undefined: another replica has it. */
    async claimProgress(): Promise<Progress | undefined> {
      await db.raw(
        `insert into robot_metric_progress (span_at) select date_bin('4 hours', now(), 'epoch')
          where not exists (select from robot_metric_progress) on conflict do nothing`,
      );
      const row = await db<{ span_at: Date; done_org_id: string | null; done_robot_id: string | null }>(
        'robot_metric_progress',
      )
        .forUpdate()
        .skipLocked()
        .first();
      if (!row) return undefined;
      const { span_at: spanAt, done_org_id: orgId, done_robot_id: robotId } = row;
      return { spanAt, done: orgId === null || robotId === null ? undefined : { orgId, robotId } };
    },

    async setProgress({ spanAt, done }: Progress): Promise<void> {
      await db('robot_metric_progress').update({
        span_at: spanAt,
        done_org_id: done?.orgId ?? null,
        done_robot_id: done?.robotId ?? null,
      });
    },

    /** The next robots of all orgs, in the order of the progress. */
    async nextRobots(done: Progress['done'], limit: number): Promise<{ orgId: string; robotId: string }[]> {
      const robots = db<{ org_id: string; id: string }>('robots').select('org_id', 'id');
      if (done) void robots.whereRaw('(org_id, id) > (?, ?)', [done.orgId, done.robotId]);
      const rows = await robots.orderBy(['org_id', 'id']).limit(limit);
      return rows.map((row) => ({ orgId: row.org_id, robotId: row.id }));
    },

    /** The blocks of these robots that have samples of the span. */
    async readBlocksOf(robots: readonly { orgId: string; robotId: string }[], spanAt: Date): Promise<PackedRow[]> {
      const { rows } = await db.raw<{ rows: Row[] }>(
        `select b.org_id, b.robot_id, b.started_at, b.samples as body
           from unnest(?::uuid[], ?::uuid[]) as r(org_id, robot_id)
           cross join lateral (select * from robot_metric_blocks b
                                where b.org_id = r.org_id and b.robot_id = r.robot_id and b.started_at > ? and b.started_at < ?) b`,
        [
          plainArray(robots.map(({ orgId }) => orgId)),
          plainArray(robots.map(({ robotId }) => robotId)),
          new Date(spanAt.getTime() - blockMs),
          new Date(spanAt.getTime() + spanMs),
        ],
      );
      return rows.map(fromRow);
    },

    async insertRollups(rows: readonly PackedRow[]): Promise<void> {
      await db.raw(
        `insert into robot_metric_rollups (org_id, robot_id, started_at, buckets)
         select * from unnest(?::uuid[], ?::uuid[], ?::timestamptz[], ?::bytea[])`,
        arrays(rows),
      );
    },

    /** The newest measurements of the robots, as stored with their last snapshot. */
    async listNow(
      orgId: string,
      { siteId, fleetId }: { siteId: string | undefined; fleetId: string | undefined },
      page: Page,
    ): Promise<JsonRows<(typeof nowColumns)[number]>> {
      if ([siteId, fleetId].some((id) => id !== undefined && !isId(id))) return noRows;
      const filter = { org_id: orgId, site_id: siteId, fleet_id: fleetId };
      return readPage(db, { table: 'robot_metrics_now', columns: nowColumns }, filter, page);
    },
  };
}
