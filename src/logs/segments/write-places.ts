import type { Knex } from 'knex';
import { limits } from '../../../generated/protocol.js';
import { sortInSlices } from '../../kernel/sliced-sort.ts';
import { plainArray, textArray } from '../../platform/db/arrays.ts';
import type { RobotPlace } from './places.ts';

/** Robots that one statement writes. */
const robotsAtATime = 500;

/**
 * Writes how far robots are merged. If a robot then has more than `maxSpoolsPerRobot`, those that moved longest ago are
 * deleted. Rows are written in one order, as another transaction may write some of them too.
 */
export async function writePlaces(
  trx: Knex,
  orgId: string,
  places: ReadonlyMap<string, Pick<RobotPlace, 'seq' | 'receivedAtMs' | 'storedSeqs'>>,
): Promise<void> {
  const sorted = await sortInSlices([...places], ([a], [b]) => (a < b ? -1 : 1));
  for (let start = 0; start < sorted.length; start += robotsAtATime) {
    const some = sorted.slice(start, start + robotsAtATime);
    const heads = some.flatMap(([robotId, { storedSeqs }]) =>
      [...storedSeqs].slice(-limits.maxSpoolsPerRobot).map(([spool, seq], order) => ({ robotId, spool, seq, order })),
    );
    await trx.raw(countersSql, {
      orgId,
      robots: plainArray(some.map(([robotId]) => robotId)),
      seqs: plainArray(some.map(([, { seq }]) => seq)),
      times: plainArray(some.map(([, { receivedAtMs }]) => new Date(receivedAtMs).toISOString())),
    });
    const { rows: written } = await trx.raw<{ rows: { robot_id: string; is_new: boolean }[] }>(headsSql, {
      orgId,
      robots: plainArray(heads.map(({ robotId }) => robotId)),
      spools: textArray(heads.map(({ spool }) => spool)),
      seqs: plainArray(heads.map(({ seq }) => seq)),
      orders: plainArray(heads.map(({ order }) => order)),
    });
    const grown = new Set(written.filter((row) => row.is_new).map((row) => row.robot_id));
    await trx.raw(pruneSql, { orgId, robots: plainArray([...grown]), most: limits.maxSpoolsPerRobot });
  }
}

// Robots that were removed have no rows.
const countersSql = `
  insert into log_counters as c (org_id, robot_id, seq, received_at)
  select r.org_id, r.id, w.seq, w.received_at
    from unnest(:robots::uuid[], :seqs::bigint[], :times::timestamptz[]) w (robot_id, seq, received_at)
   cross join lateral (select org_id, id from robots where org_id = :orgId and id = w.robot_id offset 0) r
  on conflict (org_id, robot_id) do update
     set seq = greatest(c.seq, excluded.seq), received_at = greatest(c.received_at, excluded.received_at)`;

// Heads of one robot that move together keep their order, a millisecond apart.
const headsSql = `
  insert into log_heads as h (org_id, robot_id, spool, stored_seq, moved_at)
  select r.org_id, r.id, w.spool, w.seq, now() + w.place * interval '1 millisecond'
    from unnest(:robots::uuid[], :spools::text[], :seqs::bigint[], :orders::int[]) w (robot_id, spool, seq, place)
   cross join lateral (select org_id, id from robots where org_id = :orgId and id = w.robot_id offset 0) r
  on conflict (org_id, robot_id, spool) do update
     set stored_seq = greatest(h.stored_seq, excluded.stored_seq), moved_at = excluded.moved_at
  returning robot_id, xmax = 0 as is_new`;

const pruneSql = `
  delete from log_heads h using unnest(:robots::uuid[]) g (robot_id) cross join lateral (
    select spool from log_heads l where l.org_id = :orgId and l.robot_id = g.robot_id order by moved_at desc, spool offset :most
  ) old
  where h.org_id = :orgId and h.robot_id = g.robot_id and h.spool = old.spool`;
