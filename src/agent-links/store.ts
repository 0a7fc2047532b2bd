import type { Knex } from 'knex';
import { newId } from '../kernel/ids.ts';
import { fromJoinedSql, joinedTexts, nullableArray, plainArray, textArray } from '../platform/db/arrays.ts';
import { latestMark } from '../platform/db/latest-mark.ts';
import { countEntriesSql, maxEntriesPerHour } from './timeline-throttle.ts';
import type { Beat, Ending, JoinOutcome, JoinRequest, LinkKey, Measured, Staleness } from './model.ts';

/**
 * More takeovers than this in `fightMinutes` mean two agents with one identity. An agent that replaces its own dead
 * link takes nothing over.
 */
const maxTakeovers = 3;
const fightMinutes = 5;

interface JoinRow {
  org_id: string;
  robot_id: string;
  name: string;
  epoch: number | null;
  replaced: string | null;
  is_duplicate: boolean;
  rotation_wanted_at: Date | null;
}

const column = <Item, Name extends keyof Item>(items: Item[], name: Name) => items.map((item) => item[name]);

/** The links of this replica, of all orgs: each statement names the org beside each robot. */
export function linkStore(db: Knex, replicaId: string) {
  // Timeline entries of one instant are numbered in the order of their IDs.
  let lastMs = 0;
  const nextId = () => newId((lastMs = Math.max(lastMs + 1, Date.now())));

  return {
    /**
     * Makes each request the robot's link: the newest wins, with the next epoch. The timeline gets `connected` and the
     * end of the link before it, unless there were too many recently. It gets `duplicate_agent` on the takeover that
     * reveals two agents. At most one request per robot; the results are in their order.
     */
    async join(requests: JoinRequest[]): Promise<JoinOutcome[]> {
      const { rows } = await db.raw<{ rows: JoinRow[] }>(
        `with request as (
           select * from unnest(:orgs::uuid[], :robots::uuid[], :versions::text[], :boots::text[], :instances::text[], :addresses::text[],
                                :takers::boolean[], :shells::boolean[], :cameras::jsonb[], :topics::boolean[], :signers::boolean[], :askers::boolean[], :keepers::boolean[], :zones::text[], :ends::uuid[], :starts::uuid[], :fights::uuid[])
             as w(org_id, robot_id, agent_version, boot_id, instance, address, takes_orders, opens_shells, cameras, has_topics, signed_only, asks_gates, keeps_windows, timezone,
                  end_id, start_id, fight_id)
         ), earlier as (
           select l.org_id, l.robot_id, l.replica_id, l.connected_at, l.taken_over_at, l.takeovers, l.takeovers_since, l.duplicate_at,
                  coalesce(p.lease_until > now(), false) as is_alive,
                  coalesce(p.lease_until > now(), false) and l.instance <> request.instance as is_takeover,
                  coalesce(l.takeovers_since between now() - make_interval(mins => :fightMinutes) and ${latestMark}, false) as in_window
             from request join robot_links l using (org_id, robot_id) left join replicas p on p.id = l.replica_id
            order by l.org_id, l.robot_id for update of l
         ), judged as (
           select request.*, r.name, e.replica_id as replaced, e.connected_at as since, coalesce(e.is_alive, false) as is_alive,
                  coalesce(e.is_takeover, false) as is_takeover,
                  coalesce(e.is_alive and e.taken_over_at between now() - interval '1 second' and ${latestMark}, false) as is_refused,
                  case when e.is_takeover is not true then coalesce(e.takeovers, 0) when e.in_window then e.takeovers + 1 else 1 end as takeovers,
                  case when e.is_takeover and not e.in_window then now() else e.takeovers_since end as takeovers_since,
                  case when e.is_alive then now() else e.taken_over_at end as taken_over_at,
                  case when e.duplicate_at <= ${latestMark} then e.duplicate_at end as duplicate_at
             from request
             join robots r on r.org_id = request.org_id and r.id = request.robot_id
             left join earlier e on e.org_id = request.org_id and e.robot_id = request.robot_id
         ), made as (
           insert into robot_links as l (org_id, robot_id, epoch, replica_id, connected_at, last_seen_at, agent_version, boot_id, instance,
                                         address, takes_orders, opens_shells, cameras, has_topics, signed_only, asks_gates, keeps_windows, timezone,
                                         takeovers, takeovers_since, taken_over_at, duplicate_at, told_since, told)
           select org_id, robot_id, 1, :replicaId::uuid, now(), now(), agent_version, boot_id, instance, address, takes_orders, opens_shells, cameras, has_topics, signed_only, asks_gates, keeps_windows, timezone,
                  takeovers, takeovers_since, taken_over_at, case when is_takeover and takeovers > :maxTakeovers then now() else duplicate_at end, now(), 1
             from judged where not is_refused
           on conflict (org_id, robot_id) do update
              set epoch = l.epoch + 1, replica_id = excluded.replica_id, connected_at = excluded.connected_at,
                  last_seen_at = excluded.last_seen_at, disconnected_at = null, agent_version = excluded.agent_version,
                  boot_id = excluded.boot_id, instance = excluded.instance, address = excluded.address,
                  takes_orders = excluded.takes_orders, opens_shells = excluded.opens_shells, cameras = excluded.cameras,
                  has_topics = excluded.has_topics, signed_only = excluded.signed_only,
                  asks_gates = excluded.asks_gates, keeps_windows = excluded.keeps_windows, timezone = excluded.timezone, takeovers = excluded.takeovers, takeovers_since = excluded.takeovers_since,
                  taken_over_at = excluded.taken_over_at, duplicate_at = excluded.duplicate_at,
                  ${countEntriesSql('case when l.replica_id is null then 1 else 2 end')}
           returning org_id, robot_id, epoch, left_out
         ), outcome as (
           select judged.*, made.epoch, made.left_out = 0 as is_noted,
                  made.epoch is not null and is_takeover and takeovers = :maxTakeovers + 1 as is_duplicate
             from judged left join made using (org_id, robot_id)
         ), noted as (
           insert into timeline_unnumbered (org_id, robot_id, id, kind, details)
           select org_id, robot_id, end_id, 'disconnected', jsonb_build_object(
                    'reason', case when is_takeover then 'replaced' when is_alive then 'lost' else 'service_lost' end,
                    'seconds', floor(extract(epoch from now() - since)))
             from outcome where is_noted and replaced is not null
           union all
           select org_id, robot_id, start_id, 'connected', jsonb_strip_nulls(jsonb_build_object(
                    'agent_version', agent_version, 'boot_id', boot_id, 'address', address))
             from outcome where is_noted
           union all
           select org_id, robot_id, fight_id, 'duplicate_agent', jsonb_build_object('takeovers', takeovers) from outcome where is_duplicate
         )
         select org_id, robot_id, name, epoch, replaced, is_duplicate,
                (select max(t.rotation_wanted_at) from tokens t where t.org_id = outcome.org_id and t.robot_id = outcome.robot_id
                    and t.rotation_wanted_at is not null and t.revoked_at is null) as rotation_wanted_at
           from outcome`,
        {
          orgs: plainArray(column(requests, 'orgId')),
          robots: plainArray(column(requests, 'robotId')),
          versions: textArray(column(requests, 'agentVersion')),
          boots: textArray(column(requests, 'bootId')),
          instances: textArray(column(requests, 'instance')),
          addresses: nullableArray(column(requests, 'address')),
          takers: plainArray(column(requests, 'takesOrders')),
          shells: plainArray(column(requests, 'opensShells')),
          cameras: textArray(requests.map(({ cameras }) => JSON.stringify(cameras))),
          topics: plainArray(column(requests, 'hasTopics')),
          signers: plainArray(column(requests, 'signedOnly')),
          askers: plainArray(column(requests, 'asksGates')),
          keepers: plainArray(column(requests, 'keepsWindows')),
          zones: nullableArray(column(requests, 'timezone')),
          ends: plainArray(requests.map(nextId)),
          starts: plainArray(requests.map(nextId)),
          fights: plainArray(requests.map(nextId)),
          replicaId,
          maxTakeovers,
          fightMinutes,
        },
      );
      const byRobot = new Map(rows.map((row) => [row.robot_id, row]));
      return requests.map(({ robotId }) => toJoined(byRobot.get(robotId)));
    },

    /** Writes signs of life. Returns the robots whose link is the current one; the others changed nothing. */
    async beat(beats: Beat[]): Promise<Set<string>> {
      const { rows } = await db.raw<{ rows: { robot_id: string }[] }>(
        `with beat as (
           select * from unnest(:orgs::uuid[], :robots::uuid[], :epochs::bigint[], ${fromJoinedSql(':snapshots')},
                                :batteries::real[], :cpus::real[], :memories::real[], :disks::real[], :temperatures::real[], :delays::real[],
                                :blockTimes::timestamptz[], :blocks::bytea[])
             as b(org_id, robot_id, epoch, snapshot, battery, cpu, memory, disk, temperature, delay, open_block_at, open_block)
         ), seen as (
           update robot_links l set last_seen_at = now() from beat
            where l.org_id = beat.org_id and l.robot_id = beat.robot_id and l.epoch = beat.epoch and l.replica_id = :replicaId
           returning beat.*
         ), stored as (
           insert into robot_health as h (org_id, robot_id, received_at, snapshot, measured_at,
                                          battery, cpu, memory, disk, temperature, delay, open_block_at, open_block)
           select org_id, robot_id, now(), snapshot, now(), battery, cpu, memory, disk, temperature, delay, open_block_at, open_block
             from seen where snapshot is not null
           on conflict (org_id, robot_id) do update
              set received_at = excluded.received_at, snapshot = excluded.snapshot, measured_at = excluded.measured_at,
                  battery = excluded.battery, cpu = excluded.cpu, memory = excluded.memory, disk = excluded.disk,
                  temperature = excluded.temperature, delay = excluded.delay,
                  open_block_at = coalesce(excluded.open_block_at, h.open_block_at),
                  open_block = coalesce(excluded.open_block, h.open_block)
         )
         select robot_id from seen`,
        {
          ...keys(beats),
          snapshots: joinedTexts(beats.map(({ snapshot }) => snapshot)),
          batteries: measured(beats, 'battery'),
          cpus: measured(beats, 'cpu'),
          memories: measured(beats, 'memory'),
          disks: measured(beats, 'disk'),
          temperatures: measured(beats, 'temperature'),
          delays: measured(beats, 'delay'),
          blockTimes: nullableArray(beats.map(({ openBlock }) => openBlock?.startedAt.toISOString())),
          blocks: nullableArray(beats.map(({ openBlock }) => openBlock && `\\x${openBlock.samples.toString('hex')}`)),
          replicaId,
        },
      );
      return new Set(rows.map(({ robot_id: robotId }) => robotId));
    },

    /**
     * Ends links of this replica, each with a timeline entry; stale links have already ended. A link refused before it
     * was up (epoch 0) only gets an entry, which counts like any other. For a robot that never had a link, 60 entries
     * an hour are written.
     */
    async end(endings: Ending[]): Promise<void> {
      await db.raw(
        `with gone as (
           select *, row_number() over (partition by robot_id, epoch = 0 order by id) as nth
             from unnest(:orgs::uuid[], :robots::uuid[], :epochs::bigint[], :reasons::text[], :codes::integer[], :closeReasons::text[], :ids::uuid[])
               as g(org_id, robot_id, epoch, reason, code, close_reason, id)
         ), refusals as (
           select org_id, robot_id, count(*)::integer as entries from gone where epoch = 0 group by org_id, robot_id
         ), ended as (
           update robot_links l
              set replica_id = null, disconnected_at = now(),
                  last_seen_at = case when gone.reason in ('timeout', 'service_failed') then least(l.last_seen_at, now()) else now() end,
                  ${countEntriesSql('1 + coalesce((select entries from refusals r where r.org_id = gone.org_id and r.robot_id = gone.robot_id), 0)')}
             from gone
            where l.org_id = gone.org_id and l.robot_id = gone.robot_id and l.epoch = gone.epoch and l.replica_id = :replicaId
           returning l.org_id, l.robot_id, gone.id, gone.reason, gone.code, gone.close_reason, floor(extract(epoch from now() - l.connected_at)) as seconds,
                     l.left_out
         ), refused as (
           update robot_links l set ${countEntriesSql('refusals.entries')} from refusals
            where l.org_id = refusals.org_id and l.robot_id = refusals.robot_id
              -- A statement updates a row once.
              and not exists (select from ended e where e.org_id = refusals.org_id and e.robot_id = refusals.robot_id)
           returning l.org_id, l.robot_id, l.left_out
         ), refused_first as (
           select gone.* from gone join robots r on r.org_id = gone.org_id and r.id = gone.robot_id
            where epoch = 0 and nth <= ${maxEntriesPerHour} and not exists (select from robot_links l where l.org_id = gone.org_id and l.robot_id = gone.robot_id)
              and (select count(*) from (select org_id, robot_id, kind, at from timeline union all select org_id, robot_id, kind, at from timeline_unnumbered) t
                    where t.org_id = gone.org_id and t.robot_id = gone.robot_id
                      and t.kind = 'link_refused' and t.at between now() - interval '1 hour' and ${latestMark}) < ${maxEntriesPerHour}
         )
         insert into timeline_unnumbered (org_id, robot_id, id, kind, details)
         select org_id, robot_id, id, 'disconnected',
                jsonb_strip_nulls(jsonb_build_object('reason', reason, 'code', code, 'close_reason', close_reason, 'seconds', seconds))
           from ended where left_out = 0
         union all
         select org_id, robot_id, id, 'link_refused', jsonb_strip_nulls(jsonb_build_object('code', code, 'close_reason', close_reason))
           from (select gone.org_id, gone.robot_id, gone.id, gone.code, gone.close_reason
                   from gone join (select org_id, robot_id, left_out from refused union all select org_id, robot_id, left_out from ended) l
                             using (org_id, robot_id)
                  where gone.epoch = 0 and l.left_out = 0 and gone.nth <= ${maxEntriesPerHour}
                 union all select org_id, robot_id, id, code, close_reason from refused_first) refusals`,
        {
          ...keys(endings),
          reasons: plainArray(column(endings, 'reason')),
          codes: nullableArray(column(endings, 'code')),
          closeReasons: nullableArray(column(endings, 'closeReason')),
          ids: plainArray(endings.map(nextId)),
          replicaId,
        },
      );
    },

    /** Why links are no longer current, by robot. */
    async whyStale(links: LinkKey[]): Promise<Map<string, Staleness>> {
      const { rows } = await db.raw<{ rows: { robot_id: string; is_replaced: boolean }[] }>(
        `select l.robot_id, l.epoch > link.epoch and l.replica_id is not null as is_replaced
           from unnest(:orgs::uuid[], :robots::uuid[], :epochs::bigint[]) as link(org_id, robot_id, epoch)
           join robot_links l using (org_id, robot_id)`,
        keys(links),
      );
      const found = new Map(rows.map((row) => [row.robot_id, row.is_replaced ? 'replaced' : 'ended'] as const));
      return new Map(links.map(({ robotId }) => [robotId, found.get(robotId) ?? 'gone']));
    },
  };
}

const keys = (links: LinkKey[]) => ({
  orgs: plainArray(column(links, 'orgId')),
  robots: plainArray(column(links, 'robotId')),
  epochs: plainArray(column(links, 'epoch')),
});

const measured = (beats: readonly Beat[], name: keyof Measured): string =>
  nullableArray(beats.map((beat) => beat.measured?.[name]));

function toJoined(row: JoinRow | undefined): JoinOutcome {
  if (!row) return { kind: 'gone' };
  if (row.epoch === null) return { kind: 'refused' };
  return {
    kind: 'joined',
    epoch: row.epoch,
    robotName: row.name,
    replaced: row.replaced ?? undefined,
    isDuplicate: row.is_duplicate,
    rotationWantedAt: row.rotation_wanted_at ?? undefined,
  };
}
