import type { Knex } from 'knex';
import { nullableArray, plainArray, textArray } from '../../platform/db/arrays.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { timelineService, type NewTimelineEntry } from '../../timeline/service.ts';
import type { LinkKey, Running } from './order-port.ts';
import { lookUpByKey } from './target-locks.ts';
import { findCurrent } from './links.ts';

/** What one link reported as running. */
export interface RunningOfLink {
  link: LinkKey;
  running: readonly Running[];
}

/**
 * Timeline entries per robot and hour: programs that start and stop must not fill the timeline. `reported` always has
 * the current state.
 */
const maxEntriesPerHour = 60;

interface ChangeRow {
  org_id: string;
  robot_id: string;
  kind: string;
  tag: string;
  sha256: string;
  running_sha256: string | null;
  running_tag: string | null;
  is_drift: boolean;
  is_noted: boolean;
}

/**
 * Compares what runs with the release that each robot proved last. Stores differences beside that proof, and adds each
 * change to the timeline. Skips what a robot never proved and lanes with an open order. Returns for each report, in
 * order, whether its link is the current one.
 */
export function judgeRunning(db: Knex, reported: readonly RunningOfLink[]): Promise<boolean[]> {
  return inTransaction(db, async (trx) => {
    const [, current, changes] = await Promise.all([
      lookUpByKey(trx),
      findCurrent(trx, reported),
      keepChanges(trx, newestOf(reported)),
    ]);
    const notes = changes.filter((row) => row.is_noted).map(noteOf);
    return {
      result: reported.map((_each, index) => current.has(index)),
      closing: notes.length > 0 ? [timelineService(trx).recordMany(notes)] : [],
    };
  });
}

/** The last report of each robot on each kind: two would update one row. */
function newestOf(reported: readonly RunningOfLink[]) {
  const newest = new Map<string, { link: RunningOfLink['link']; running: Running }>();
  for (const { link, running } of reported)
    for (const each of running) newest.set(`${link.robotId} ${link.epoch} ${each.kind}`, { link, running: each });
  return [...newest.values()];
}

/** Locks and writes only rows that change: a fleet without drift costs one look-up per robot. */
async function keepChanges(trx: Knex, reported: ReturnType<typeof newestOf>): Promise<ChangeRow[]> {
  if (reported.length === 0) return [];
  const isNewHour = `coalesce(p.drifts_since <= now() - interval '1 hour', true)`;
  const { rows } = await trx.raw<{ rows: ChangeRow[] }>(
    `with reported as (
       select * from unnest(?::uuid[], ?::uuid[], ?::bigint[], ?::text[], ?::text[]) as t (org_id, robot_id, epoch, kind, running_sha256)
     ), changed as (
       select reported.*, p.releases -> reported.kind as known, e.tag, e.artifact_sha256 as sha256,
              reported.running_sha256 is distinct from e.artifact_sha256 as is_drift
         from reported
         join robot_links l using (org_id, robot_id, epoch)
         join robot_reports p using (org_id, robot_id)
         join releases e on e.org_id = reported.org_id and e.id = (p.releases -> reported.kind ->> 'release_id')::uuid
        where case when reported.running_sha256 is distinct from e.artifact_sha256 then coalesce(reported.running_sha256, '') end
              is distinct from
              case when p.releases -> reported.kind -> 'drift' is not null then coalesce(p.releases -> reported.kind -> 'drift' ->> 'running_sha256', '') end
          and not exists (select from orders o where o.org_id = reported.org_id and o.robot_id = reported.robot_id
                             and o.lane = 'release:' || reported.kind and o.ended_at is null)
        order by reported.org_id, reported.robot_id for no key update of p
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
            k.drifts <= ${maxEntriesPerHour} as is_noted
       from found f join kept k using (org_id, robot_id)`,
    [
      plainArray(reported.map(({ link }) => link.orgId)),
      plainArray(reported.map(({ link }) => link.robotId)),
      plainArray(reported.map(({ link }) => link.epoch)),
      textArray(reported.map(({ running }) => running.kind)),
      nullableArray(reported.map(({ running }) => running.sha256)),
    ],
  );
  return rows;
}

const noteOf = (row: ChangeRow): NewTimelineEntry => ({
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
