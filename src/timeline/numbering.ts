import type { Knex } from 'knex';
import { assignNumbers } from '../platform/db/numbered.ts';

/*
 * Entries are written to `timeline_unnumbered`, and move to `timeline` when they get their number: neither table is
 * updated.
 */

/** Orgs looked up per query. */
const orgBatch = 1_000;

/** Numbers the committed entries of one robot, or of all robots of the org. */
export async function numberTimeline(db: Knex, orgId: string, robotId?: string): Promise<void> {
  const ofRobot = robotId === undefined ? '' : 'and robot_id = :robotId';
  const bindings = { orgId, ...(robotId === undefined ? {} : { robotId }) };
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select 1 from timeline_unnumbered where org_id = :orgId ${ofRobot} limit 1`,
    bindings,
  );
  if (rows.length === 0) return;
  await assignNumbers(db, 'timeline', orgId, async (trx, limit) => {
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `with batch as (
         select robot_id, id from timeline_unnumbered where org_id = :orgId ${ofRobot} order by robot_id, at, id limit :limit
       ), moved as (
         delete from timeline_unnumbered u using batch where u.org_id = :orgId and u.robot_id = batch.robot_id and u.id = batch.id
         returning u.*
       ), last as (
         select robot_id, (select coalesce(max(seq), 0) from timeline where org_id = :orgId and robot_id = found.robot_id) as seq
           from (select distinct robot_id from batch) as found
       )
       insert into timeline (org_id, robot_id, id, seq, at, kind, details)
       select :orgId, robot_id, id, last.seq + row_number() over (partition by robot_id order by at, id), at, kind, details
         from moved join last using (robot_id)`,
      { ...bindings, limit },
    );
    return rowCount;
  });
}

/** Numbers the entries of timelines that no caller reads, for a batch of orgs; the next call continues. */
export async function numberAllTimelines(db: Knex): Promise<void> {
  const orgs = db('timeline_unnumbered').distinct('org_id').limit(orgBatch);
  for (const orgId of await orgs.pluck<string[]>('org_id')) await numberTimeline(db, orgId);
}
