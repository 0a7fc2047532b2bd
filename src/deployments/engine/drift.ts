import type { Knex } from 'knex';
import { nullableArray, plainArray, textArray } from '../../platform/db/arrays.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { timelineService, type TimelineNote } from '../../timeline/service.ts';
import type { LinkKey, Running } from './order-port.ts';
import { lookUpByKey } from './target-locks.ts';
import { findCurrent } from './links.ts';

/** What one link told of what runs. */
export interface RunningOfLink {
  link: LinkKey;
  running: readonly Running[];
}

/** Entries that a robot's timeline takes in an hour: one whose programs come and go must not fill it. `reported` tells the state in any case. */
const maxToldPerHour = 60;

interface ChangeRow {
  org_id: string;
  robot_id: string;
  kind: string;
  tag: string;
  sha256: string;
  running_sha256: string | null;
  running_tag: string | null;
  is_drift: boolean;
  is_told: boolean;
}

/**
 * Compares what runs with the release that each robot proved last, keeps what differs beside that proof, and tells the timeline of each change. What a
 * robot never proved, and what a lane with an open order runs, is not judged. Gives for each, in their order, whether its link is the one that is known.
 */
export function judgeRunning(db: Knex, told: readonly RunningOfLink[]): Promise<boolean[]> {
  return inTransaction(db, async (trx) => {
    const [, current, changes] = await Promise.all([
      lookUpByKey(trx),
      findCurrent(trx, told),
      keepChanges(trx, newestOf(told)),
    ]);
    const notes = changes.filter((row) => row.is_told).map(noteOf);
    return {
      result: told.map((_each, index) => current.has(index)),
      closing: notes.length > 0 ? [timelineService(trx).recordMany(notes)] : [],
    };
  });
}

/** The last word of each robot on each kind: two would meet in one row. */
function newestOf(told: readonly RunningOfLink[]) {
  const newest = new Map<string, { link: RunningOfLink['link']; running: Running }>();
  for (const { link, running } of told)
    for (const each of running) newest.set(`${link.robotId} ${link.epoch} ${each.kind}`, { link, running: each });
  return [...newest.values()];
}

/** Only rows that change are locked and written, so that a fleet that runs what it should costs a look at each robot. */
async function keepChanges(trx: Knex, told: ReturnType<typeof newestOf>): Promise<ChangeRow[]> {
  if (told.length === 0) return [];
  const isNewHour = `coalesce(p.drifts_since <= now() - interval '1 hour', true)`;
  const { rows } = await trx.raw<{ rows: ChangeRow[] }>(
    `with told as (
       select * from unnest(?::uuid[], ?::uuid[], ?::bigint[], ?::text[], ?::text[]) as t (org_id, robot_id, epoch, kind, running_sha256)
     ), changed as (
       select told.*, p.releases -> told.kind as known, e.tag, e.artifact_sha256 as sha256,
              told.running_sha256 is distinct from e.artifact_sha256 as is_drift
         from told
         join robot_links l using (org_id, robot_id, epoch)
         join robot_reports p using (org_id, robot_id)
         join releases e on e.org_id = told.org_id and e.id = (p.releases -> told.kind ->> 'release_id')::uuid
        where case when told.running_sha256 is distinct from e.artifact_sha256 then coalesce(told.running_sha256, '') end
              is distinct from
              case when p.releases -> told.kind -> 'drift' is not null then coalesce(p.releases -> told.kind -> 'drift' ->> 'running_sha256', '') end
          and not exists (select from orders o where o.org_id = told.org_id and o.robot_id = told.robot_id
                             and o.lane = 'release:' || told.kind and o.ended_at is null)
        order by told.org_id, told.robot_id for no key update of p
     ), found as (
       select c.*, r.id as running_release_id, r.tag as running_tag
         from changed c left join lateral (
           select id, tag from releases r
            where c.is_drift and r.org_id = c.org_id and r.artifact_sha256 = c.running_sha256 and r.kind = c.kind
            order by r.created_at desc, r.id desc limit 1) r on true
     ), kept as (
       update robot_reports p
          set releases = p.releases || f.releases,
              drifts_since = case when ${isNewHour} then now() else p.drifts_since end,
              drifts = case when ${isNewHour} then 0 else p.drifts end + f.changes
         from (
           select org_id, robot_id, count(*)::int as changes, jsonb_object_agg(kind, (known - 'drift') || case when is_drift then
                    jsonb_build_object('drift', jsonb_strip_nulls(jsonb_build_object(
                      'since', coalesce(known -> 'drift' ->> 'since', to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
                      'running_sha256', running_sha256, 'running_release_id', running_release_id, 'running_tag', running_tag)))
                    else '{}' end) as releases
             from found group by org_id, robot_id) f
        where p.org_id = f.org_id and p.robot_id = f.robot_id
       returning p.org_id, p.robot_id, p.drifts
     )
     select f.org_id, f.robot_id, f.kind, f.tag, f.sha256, f.running_sha256, f.running_tag, f.is_drift,
            k.drifts <= ${maxToldPerHour} as is_told
       from found f join kept k using (org_id, robot_id)`,
    [
      plainArray(told.map(({ link }) => link.orgId)),
      plainArray(told.map(({ link }) => link.robotId)),
      plainArray(told.map(({ link }) => link.epoch)),
      textArray(told.map(({ running }) => running.kind)),
      nullableArray(told.map(({ running }) => running.sha256)),
    ],
  );
  return rows;
}

const noteOf = (row: ChangeRow): TimelineNote => ({
  orgId: row.org_id,
  robotId: row.robot_id,
  kind: row.is_drift ? 'drift' : 'drift_ended',
  details: {
    release_kind: row.kind,
    tag: row.tag,
    sha256: row.sha256,
    ...(row.is_drift && {
      running_sha256: row.running_sha256 ?? undefined,
      running_tag: row.running_tag ?? undefined,
    }),
  },
});
