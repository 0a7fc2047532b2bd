import type { Knex } from 'knex';
import { liveLinks, statusColumns } from './summary-store.ts';

/** Numbers of robots in the five minutes that begin at `at`. */
interface HistoryPoint {
  at: Date;
  total: number;
  online: number;
  healthy: number;
  degraded: number;
  unhealthy: number;
}

/** Length of the intervals, and how many are kept. */
export const intervalSeconds = 300;
const intervals = 288;

const thisInterval = `date_bin('${intervalSeconds} seconds', now(), 'epoch')`;

export function historyStore(db: Knex) {
  return {
    /** The intervals of the last 24 hours that were counted, oldest first. */
    async read(orgId: string): Promise<HistoryPoint[]> {
      return (
        db<HistoryPoint & { org_id: string }>('health_history')
          .select('at', 'total', 'online', 'healthy', 'degraded', 'unhealthy')
          .where({ org_id: orgId })
          // A clock that was set back leaves intervals of the future.
          .whereRaw(`at > now() - interval '${intervals * intervalSeconds} seconds' and at <= now()`)
          .orderBy('at')
      );
    },

    /** The robots of all orgs in the newest interval that was counted. Undefined if that is older than 15 minutes. */
    async newestOfAll(): Promise<Omit<HistoryPoint, 'at'> | undefined> {
      const { rows } = await db.raw<{ rows: (Omit<HistoryPoint, 'at'> & { is_counted: boolean })[] }>(
        `select p.at > now() - interval '15 minutes' as is_counted, ${['total', 'online', 'healthy', 'degraded', 'unhealthy'].map((name) => `coalesce(sum(h.${name}), 0)::float8 as ${name}`).join(', ')}
           from health_history_progress p cross join orgs o
           join health_history h on h.org_id = o.id and h.slot = extract(epoch from p.at)::bigint / ${intervalSeconds} % ${intervals} and h.at = p.at
          group by p.at`,
      );
      const [row] = rows;
      if (!row?.is_counted) return undefined;
      const { total, online, healthy, degraded, unhealthy } = row;
      return { total, online, healthy, degraded, unhealthy };
    },

    /**
     * Counts the robots of all orgs, once in each interval by one replica. Returns whether this call did.
     * @param settledSeconds until a replica is up for so long, nothing is counted: after an outage, robots connect again
     *   within a minute, and all of them would be offline
     */
    async count(settledSeconds: number): Promise<boolean> {
      return db.transaction(async (trx) => {
        await trx.raw(
          `insert into health_history_progress select 'epoch' where not exists (select from health_history_progress)
           on conflict do nothing`,
        );
        const { rows: claimed } = await trx.raw<{ rows: unknown[] }>(
          `update health_history_progress set at = ${thisInterval}
            where ctid = (select ctid from health_history_progress where at <> ${thisInterval} for update skip locked)
              and exists (select from replicas where lease_until > now()
                             and started_at not between now() - make_interval(secs => ?) and now())
           returning at`,
          [settledSeconds],
        );
        if (claimed.length === 0) return false;
        await trx.raw(
          `insert into health_history (org_id, slot, at, total, online, healthy, degraded, unhealthy)
           select o.id, extract(epoch from ${thisInterval})::bigint / ${intervalSeconds} % ${intervals}, ${thisInterval},
                  coalesce(total, 0), coalesce(online, 0), coalesce(healthy, 0), coalesce(degraded, 0), coalesce(unhealthy, 0)
             from orgs o left join (
               select r.org_id, ${statusColumns} from robots r ${liveLinks} where r.retired_at is null group by r.org_id
             ) c on c.org_id = o.id
            where o.status = 'approved'
           on conflict (org_id, slot) do update
              set at = excluded.at, total = excluded.total, online = excluded.online, healthy = excluded.healthy,
                  degraded = excluded.degraded, unhealthy = excluded.unhealthy`,
        );
        return true;
      });
    },
  };
}
