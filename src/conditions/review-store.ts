import type { Knex } from 'knex';
import { lowestId } from '../kernel/ids.ts';
import { plainArray } from '../platform/db/arrays.ts';
import { latestMark } from '../platform/db/latest-mark.ts';
import { toKey, type RobotKey } from './status-store.ts';

/** Which robots of an org to evaluate again; without a part: all. */
export interface ReviewScope {
  siteId?: string | undefined;
  fleetId?: string | undefined;
  robotId?: string | undefined;
}

interface Row {
  id: string;
  org_id: string;
  site_id: string | null;
  fleet_id: string | null;
  done_until: string | null;
}

/** Robots that wait to be evaluated again. `db`: a transaction, which locks what it takes. */
export function reviewStore(db: Knex) {
  return {
    /**
     * Adds nothing if an equal request waits. One that has begun does not count, as its robots may have been evaluated
     * before this change. The lock keeps the waiting one from beginning before this change is committed.
     */
    async request(orgId: string, { siteId, fleetId, robotId }: ReviewScope): Promise<void> {
      await db.raw(
        `with wanted as (
           select :orgId::uuid as org_id, :siteId::uuid as site_id, :fleetId::uuid as fleet_id, :robotId::uuid as robot_id
         ), waiting as (
           select from condition_reviews r, wanted w
            where r.org_id = w.org_id and r.done_until is null
              and (r.site_id, r.fleet_id, r.robot_id) is not distinct from (w.site_id, w.fleet_id, w.robot_id)
            limit 1 for share of r skip locked
         )
         insert into condition_reviews (org_id, site_id, fleet_id, robot_id)
         select * from wanted where not exists (select from waiting)`,
        { orgId, siteId: siteId ?? null, fleetId: fleetId ?? null, robotId: robotId ?? null },
      );
    },

    async requestEach(robots: readonly RobotKey[]): Promise<void> {
      await db.raw('insert into condition_reviews (org_id, robot_id) select * from unnest(?::uuid[], ?::uuid[])', [
        plainArray(robots.map(({ orgId }) => orgId)),
        plainArray(robots.map(({ robotId }) => robotId)),
      ]);
    },

    /** Whether robots wait, or will because their maintenance is over. */
    async isNeeded(): Promise<boolean> {
      const { rows } = await db.raw<{ rows: [{ is_needed: boolean }] }>(
        `select exists (select from condition_reviews)
             or exists (select from maintenance_windows where ended_at is null and ends_at <= now()) as is_needed`,
      );
      return rows[0].is_needed;
    },

    /** Takes requests for single robots. */
    async takeRobots(limit: number): Promise<RobotKey[]> {
      const { rows } = await db.raw<{ rows: { org_id: string; robot_id: string }[] }>(
        `delete from condition_reviews where id in (
           select id from condition_reviews where robot_id is not null order by created_at, id limit ? for update skip locked
         ) returning org_id, robot_id`,
        [limit],
      );
      const byId = new Map(rows.map((row) => [row.robot_id, toKey(row)]));
      return [...byId.values()];
    },

    /** Takes the next robots of the oldest request for several; undefined if there is none. */
    async takePage(limit: number): Promise<RobotKey[] | undefined> {
      const { rows } = await db.raw<{ rows: Row[] }>(
        `select id, org_id, site_id, fleet_id, done_until from condition_reviews
          where robot_id is null order by created_at, id limit 1 for update skip locked`,
      );
      const [review] = rows;
      if (!review) return undefined;
      const { rows: robots } = await db.raw<{ rows: { org_id: string; robot_id: string }[] }>(
        `select org_id, id as robot_id from robots where org_id = :orgId and id > :after
            and (:siteId::uuid is null or site_id = :siteId) and (:fleetId::uuid is null or fleet_id = :fleetId)
          order by id limit :limit`,
        {
          orgId: review.org_id,
          siteId: review.site_id,
          fleetId: review.fleet_id,
          after: review.done_until ?? lowestId,
          limit,
        },
      );
      if (robots.length < limit) await db.raw('delete from condition_reviews where id = ?', [review.id]);
      else
        await db.raw('update condition_reviews set done_until = ? where id = ?', [
          robots.at(-1)?.robot_id ?? null,
          review.id,
        ]);
      return robots.map(toKey);
    },

    /**
     * Requests the review of robots of these orgs that have been offline for a number of seconds since the last call.
     * Another replica may do it instead. The first call for this number looks back: a new rule is reviewed as it is
     * created, and robots may pass its limit before this call.
     */
    async requestOffline(seconds: number, orgIds: readonly string[]): Promise<void> {
      await db.raw(
        `insert into offline_sweeps (seconds, swept_until) values (:seconds, now() - interval '10 minutes') on conflict do nothing`,
        { seconds },
      );
      await db.raw(
        `with swept as (
           select seconds, swept_until from offline_sweeps where seconds = :seconds for update skip locked
         ), passed as (
           select swept_until - make_interval(secs => seconds) as since, now() - make_interval(secs => seconds) as until from swept
         ), corrected as (
           -- Made before the clock of the database was set back: these robots are offline from now on.
           update robot_links set disconnected_at = now(), last_seen_at = least(last_seen_at, now())
            where (org_id, robot_id) in (
              select l.org_id, l.robot_id from passed, robot_links l
               where l.replica_id is null and l.disconnected_at > ${latestMark} and l.org_id = any(:orgIds::uuid[])
               limit 1000 for update of l skip locked)
         ), requested as (
           insert into condition_reviews (org_id, robot_id)
           select l.org_id, l.robot_id from passed, robot_links l
            where l.replica_id is null and l.disconnected_at > since and l.disconnected_at <= until and l.org_id = any(:orgIds::uuid[])
           union all
           select r.org_id, r.id from passed, robots r
            where r.org_id = any(:orgIds::uuid[]) and r.created_at > since and r.created_at <= until
              and not exists (select from robot_links l where l.org_id = r.org_id and l.robot_id = r.id)
         )
         update offline_sweeps o set swept_until = now() from swept where o.seconds = swept.seconds`,
        { seconds, orgIds: plainArray(orgIds) },
      );
    },
  };
}
