import type { Knex } from 'knex';
import { logMerging } from './merging.ts';
import { logPartitions } from './partitions.ts';

/** Heads of one robot's spools that are kept; a robot has another spool only when its disk was wiped. */
const maxHeads = 64;

/** What keeps the logs in shape. Every replica does it now and then, each finding little left to do. */
export function logUpkeep(db: Knex, retentionDays: number) {
  return {
    async run(): Promise<void> {
      const partitions = logPartitions(db);
      await partitions.makeAhead();
      await partitions.dropOlder(retentionDays);
      await dropHeads(db);
      await logMerging(db).run();
    },
  };
}

/** A robot that makes up a spool for each frame must not fill the database with heads. */
async function dropHeads(db: Knex): Promise<void> {
  await db.raw(
    `delete from log_heads h using (
       select org_id, robot_id, spool, row_number() over (partition by org_id, robot_id order by moved_at desc, spool) as n
         from log_heads where (org_id, robot_id) in (select org_id, robot_id from log_heads group by 1, 2 having count(*) > ?)
     ) ranked
     where ranked.n > ? and h.org_id = ranked.org_id and h.robot_id = ranked.robot_id and h.spool = ranked.spool`,
    [maxHeads, maxHeads],
  );
}
