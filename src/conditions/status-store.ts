import type { Knex } from 'knex';
import { nullableArray, plainArray, textArray } from '../platform/db/arrays.ts';
import { latestMark } from '../platform/db/latest-mark.ts';
import type { ConditionState } from './condition-state.ts';
import { severityRank, type RobotCondition, type RobotPlace } from './model.ts';

export interface RobotKey {
  orgId: string;
  robotId: string;
}

/** A robot with everything that an evaluation needs. */
export interface RobotRecord extends RobotKey {
  place: RobotPlace;
  version: number; // of the stored status
  isKnown: boolean; // it has sent a health snapshot
  isRetired: boolean; // no rule applies to it
  state: ConditionState;
  /** The stored window that silences its conditions, as on the wire; null: none. */
  maintenance: Maintenance | null;
  /** The window that does so now. */
  maintenanceNow: Maintenance | null;
  offlineSeconds: number; // 0 while it is online
  reconnects: number; // within the last hour
  reconnectsUntilMs: number; // when that hour ends
  agentVersion: string | undefined;
  snapshot: string | undefined; // JSON
}

/** In wire format. */
export interface Maintenance {
  id: string;
  until: string;
  reason: string;
}

/** An entry of the robot's timeline. */
export interface StatusNote {
  kind: 'condition_started' | 'condition_ended' | 'maintenance_started' | 'maintenance_ended';
  details: Record<string, unknown>;
}

/** A status to write, if the stored one still has this version. */
export interface StatusWrite extends RobotKey {
  version: number;
  isKnown: boolean;
  severity: number;
  state: ConditionState;
  dueAt: Date | undefined;
  maintenance: Maintenance | null;
  notes: readonly StatusNote[];
}

interface Row {
  org_id: string;
  robot_id: string;
  site_id: string;
  fleet_id: string;
  labels: Record<string, string>;
  version: number;
  is_known: boolean;
  is_retired: boolean;
  conditions: RobotCondition[];
  state: StoredState;
  maintenance: Maintenance | null;
  maintenance_now: Maintenance | null;
  offline_seconds: number;
  reconnects: number;
  reconnects_until: Date | null;
  agent_version: string | null;
  snapshot: string | null;
}

/** The part of a state that `conditions` does not have. */
interface StoredState {
  pending?: ConditionState['pending'];
  ended?: ConditionState['ended'];
  holds?: Record<string, number>; // of the firing rules
}

export type StatusStore = ReturnType<typeof statusStore>;

export function statusStore(db: Knex) {
  return {
    /** Robots that do not exist are left out. */
    async read(robots: readonly RobotKey[]): Promise<RobotRecord[]> {
      const { rows } = await db.raw<{ rows: Row[] }>(
        `select r.org_id, r.id as robot_id, r.site_id, r.fleet_id, r.labels, r.retired_at is not null as is_retired, s.version, s.is_known, s.conditions, s.state, s.maintenance,
                w.window as maintenance_now, l.agent_version, h.snapshot,
                case when p.lease_until > now() then 0
                     else extract(epoch from now() - coalesce(l.last_seen_at, r.created_at))::float8 end as offline_seconds,
                case when l.told_since between now() - interval '1 hour' and ${latestMark} then greatest((l.told - 1) / 2, 0) else 0 end as reconnects,
                l.told_since + interval '1 hour' as reconnects_until
           from unnest(?::uuid[], ?::uuid[]) as wanted(org_id, id)
           join robots r using (org_id, id)
           join robot_status s on s.org_id = r.org_id and s.robot_id = r.id
           left join robot_links l on l.org_id = r.org_id and l.robot_id = r.id
           left join replicas p on p.id = l.replica_id
           left join robot_health h on h.org_id = r.org_id and h.robot_id = r.id
           left join lateral (
             select jsonb_build_object('id', m.id, 'until', to_char(m.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                                       'reason', m.reason) as window
               from maintenance_windows m
              where m.org_id = r.org_id and m.target_id in (r.id, r.fleet_id, r.site_id) and m.ended_at is null and m.ends_at > now()
              order by m.ends_at desc, m.id limit 1
           ) w on true`,
        [plainArray(robots.map(({ orgId }) => orgId)), plainArray(robots.map(({ robotId }) => robotId))],
      );
      return rows.map(toRecord);
    },

    /** Those robots whose stored status has another version than this. */
    async changed(robots: readonly (RobotKey & { version: number })[]): Promise<Set<string>> {
      if (robots.length === 0) return new Set();
      const { rows } = await db.raw<{ rows: { robot_id: string }[] }>(
        `select s.robot_id from unnest(?::uuid[], ?::uuid[], ?::integer[]) as known(org_id, robot_id, version)
           join robot_status s using (org_id, robot_id) where s.version <> known.version`,
        [
          plainArray(robots.map(({ orgId }) => orgId)),
          plainArray(robots.map(({ robotId }) => robotId)),
          plainArray(robots.map(({ version }) => version)),
        ],
      );
      return new Set(rows.map(({ robot_id: robotId }) => robotId));
    },

    /**
     * Writes statuses with their timeline entries. Returns the robots that were written; the status of the others was
     * changed since it was read.
     */
    async write(writes: readonly StatusWrite[]): Promise<Set<string>> {
      const { rows } = await db.raw<{ rows: { robot_id: string }[] }>(
        `with change as (
           select * from unnest(:orgs::uuid[], :robots::uuid[], :versions::integer[], :known::boolean[], :severities::smallint[],
                                :firing::text[], :conditions::jsonb[], :states::jsonb[], :dues::timestamptz[], :windows::jsonb[], :notes::jsonb[])
             as c(org_id, robot_id, version, is_known, severity, firing, conditions, state, due_at, maintenance, notes)
         ), written as (
           update robot_status s
              set version = s.version + 1, is_known = change.is_known, severity = change.severity,
                  since = case when change.severity = 0 then null when change.severity = s.severity then s.since else now() end,
                  firing = change.firing::uuid[], conditions = change.conditions, state = change.state, due_at = change.due_at,
                  maintenance = change.maintenance
             from change
            where s.org_id = change.org_id and s.robot_id = change.robot_id and s.version = change.version
           returning s.org_id, s.robot_id, change.notes
         ), noted as (
           insert into timeline_unnumbered (org_id, robot_id, id, kind, details)
           select org_id, robot_id, gen_random_uuid(), note ->> 'kind', note -> 'details'
             from written, jsonb_array_elements(notes) as note
         )
         select robot_id from written`,
        columnsOf(writes),
      );
      return new Set(rows.map(({ robot_id: robotId }) => robotId));
    },

    /** Robots with a pending condition that is due, and that no replica with their link has begun. Locks them. */
    async takeDue(limit: number): Promise<RobotKey[]> {
      const { rows } = await db.raw<{ rows: { org_id: string; robot_id: string }[] }>(
        `select org_id, robot_id from robot_status where due_at < now() - interval '5 seconds'
          order by due_at limit ? for update skip locked`,
        [limit],
      );
      return rows.map(toKey);
    },
  };
}

export const toKey = (row: { org_id: string; robot_id: string }): RobotKey => ({
  orgId: row.org_id,
  robotId: row.robot_id,
});

function columnsOf(writes: readonly StatusWrite[]): Record<string, string> {
  const firing = writes.map(({ state }) =>
    Object.values(state.firing)
      .map(({ condition }) => condition)
      .sort((one, other) => severityRank[other.severity] - severityRank[one.severity]),
  );
  return {
    orgs: plainArray(writes.map(({ orgId }) => orgId)),
    robots: plainArray(writes.map(({ robotId }) => robotId)),
    versions: plainArray(writes.map(({ version }) => version)),
    known: plainArray(writes.map(({ isKnown }) => String(isKnown))),
    severities: plainArray(writes.map(({ severity }) => severity)),
    firing: textArray(
      writes.map(({ maintenance }, index) =>
        plainArray(maintenance ? [] : (firing[index] ?? []).map((each) => each.rule_id)),
      ),
    ),
    conditions: textArray(firing.map((conditions) => JSON.stringify(conditions))),
    states: textArray(writes.map(({ state }) => JSON.stringify(toStored(state)))),
    dues: nullableArray(writes.map(({ dueAt }) => dueAt?.toISOString())),
    windows: nullableArray(writes.map(({ maintenance }) => (maintenance ? JSON.stringify(maintenance) : undefined))),
    notes: textArray(writes.map(({ notes }) => JSON.stringify(notes))),
  };
}

const toStored = ({ pending, ended, firing }: ConditionState): StoredState => ({
  pending,
  ended,
  holds: Object.fromEntries(Object.entries(firing).map(([id, { holdMs }]) => [id, holdMs])),
});

const toRecord = (row: Row): RobotRecord => ({
  orgId: row.org_id,
  robotId: row.robot_id,
  place: { siteId: row.site_id, fleetId: row.fleet_id, labels: row.labels },
  version: row.version,
  isKnown: row.is_known,
  isRetired: row.is_retired,
  state: {
    pending: row.state.pending ?? {},
    ended: row.state.ended ?? {},
    firing: Object.fromEntries(
      row.conditions.map((condition) => [
        condition.rule_id,
        { condition, holdMs: row.state.holds?.[condition.rule_id] ?? 0 },
      ]),
    ),
  },
  maintenance: row.maintenance,
  maintenanceNow: row.maintenance_now,
  offlineSeconds: row.offline_seconds,
  reconnects: row.reconnects,
  reconnectsUntilMs: row.reconnects_until?.getTime() ?? 0,
  agentVersion: row.agent_version ?? undefined,
  snapshot: row.snapshot ?? undefined,
});
