import type { Knex } from 'knex';

/** One thing that was committed. Those of one deployment are in the order in which they were. */
export interface Happening {
  seq: number;
  atMs: number;
  step: number; // of the walk
  kind: 'expanded' | 'moved' | 'rewaved' | 'admitted' | 'changed' | 'operation' | 'decided' | 'disturbed' | 'returned';
  deployment: string;
  robot: string | null;
  facts: Facts;
}

/** What was true at the commit, by the kind. */
export interface Facts {
  wave?: number;
  from?: string | null; // status
  to?: string;
  reason?: string | null;
  isAccepting?: boolean; // failures until then count no longer
  openWave?: number | null;
  openBefore?: number | null;
  status?: string; // of the deployment
  isFrozen?: boolean;
  isCauseHolding?: boolean;
  isEarly?: boolean;
  windows?: { download?: { cron: string; duration: string }[]; zone: string } | null;
  timezone?: string | null;
  isTooOld?: boolean;
  isWithdrawn?: boolean; // the service took the order back that the robot had
  left?: Unreached[]; // robots of the wave that was open before, which have not confirmed their order
  cause?: 'unhealthy' | 'drift';
  isOn?: boolean; // the disturbance has begun, not ended
  by?: string; // ID of who decided
  role?: string;
  isAuthor?: boolean;
  inFlight?: number;
  isAnyway?: boolean; // unavailable, without this deployment
  groups?: { budget: string; unavailable: number; allowed: number }[];
  what?: string;
}

/** A robot that waits, or has an order that it has not confirmed. */
interface Unreached {
  robot: string;
  status: string;
  offlineSeconds: number | null; // null: it is online
  isTooOld: boolean;
}

/*
 * Triggers that run at the end of the transaction, while it holds its locks: what they note of a deployment has the order of
 * the commits. They know nothing of how the engine comes to what it does.
 */
const triggers = `
  create table walk (step integer not null);
  insert into walk values (0);
  create table history (
    seq bigserial primary key, at timestamptz not null default clock_timestamp(), step integer not null,
    kind text not null, deployment uuid not null, robot uuid, facts jsonb not null);

  create function note(kind text, deployment uuid, robot uuid, facts jsonb) returns void language sql as
    $$ insert into history (step, kind, deployment, robot, facts) select w.step, $1, $2, $3, $4 from walk w $$;

  create function is_linked(robot uuid) returns boolean language sql as
    $$ select exists (select from robot_links l join replicas p on p.id = l.replica_id where l.robot_id = $1 and p.lease_until > now()) $$;

  -- Of a deployment that this one was made by.
  create function is_held(d deployments) returns boolean language sql as
    $$ select exists (select from deployments c where c.id = d.cause_id and (
         c.status = 'paused' or c.rollback_at is not null
         or c.rollout is not null and c.started_at is not null and (c.cancelled_at is not null or c.ended_at is null and c.open_wave < c.last_wave))) $$;

  create function is_frozen(d deployments) returns boolean language sql as
    $$ select d.rollback_of is null and exists (select from deployment_freezes f where f.org_id = d.org_id and f.thawed_at is null) $$;

  create function is_too_old(d deployments, l robot_links) returns boolean language sql as
    $$ select coalesce('windows' = any(d.required_capabilities) and not l.keeps_windows or 'gates' = any(d.required_capabilities) and not l.asks_gates, false) $$;

  create function unreached(d deployments, of_wave integer) returns jsonb language sql as
    $$ select coalesce(jsonb_agg(jsonb_build_object('robot', t.robot_id, 'status', t.status, 'isTooOld', is_too_old(d, l),
                'offlineSeconds', case when not is_linked(t.robot_id) then extract(epoch from clock_timestamp() - l.last_seen_at) end)), '[]')
         from targets t left join robot_links l using (org_id, robot_id)
        where t.deployment_id = d.id and t.wave = of_wave and t.status in ('waiting', 'dispatched') $$;

  -- 'but': a deployment that does not count.
  create function is_unavailable(r robots, but uuid) returns boolean language sql as
    $$ select not is_linked(r.id)
         or exists (select from robot_status s where s.robot_id = r.id and (s.severity >= 2 or s.maintenance is not null))
         or exists (select from targets t join deployments d on d.id = t.deployment_id
                     where t.robot_id = r.id and t.deployment_id is distinct from but and t.deadline_at is not null
                       and (t.status <> 'waiting' or exists (select from open_targets o where o.robot_id = t.robot_id and o.deployment_id = t.deployment_id)
                            and d.status in ('pending', 'in_progress') and not is_held(d) and not is_frozen(d))) $$;

  create function group_of(b disruption_budgets, r robots) returns text language sql as
    $$ select case when r.retired_at is null and (b.selector is null or r.labels ->> 'tier' = 'canary') then
         coalesce((select jsonb_agg(case when k = '@site' then r.site_id::text else r.labels ->> k end) from jsonb_array_elements_text(b.group_by) k), '[]')::text end $$;

  create function budget_groups(own robots) returns jsonb language sql as
    $$ select coalesce(jsonb_agg(jsonb_build_object('budget', name, 'unavailable', unavailable, 'allowed',
                case when most is not null then coalesce((most ->> 'count')::int, ceil(total * (most ->> 'percent')::numeric / 100))
                     else total - coalesce((least ->> 'count')::int, ceil(total * (least ->> 'percent')::numeric / 100)) end)), '[]')
         from (select b.name, b.max_unavailable as most, b.min_available as least, count(*) as total,
                      count(*) filter (where is_unavailable(r, null)) as unavailable
                 from disruption_budgets b join robots r on group_of(b, r) = group_of(b, own) group by b.id, b.name, b.max_unavailable, b.min_available) g $$;

  create function target_changed() returns trigger language plpgsql as $$
  declare d deployments; l robot_links; cause deployments;
  begin
    if tg_op = 'INSERT' then
      perform note('expanded', new.deployment_id, new.robot_id, jsonb_build_object('wave', new.wave));
      return null;
    end if;
    if old.wave <> new.wave then perform note('rewaved', new.deployment_id, new.robot_id, '{}'); end if;
    if old.status = new.status then return null; end if;
    select * into d from deployments where id = new.deployment_id;
    select * into cause from deployments where id = d.cause_id;
    select * into l from robot_links where robot_id = new.robot_id;
    perform note('moved', new.deployment_id, new.robot_id, jsonb_build_object(
      'wave', new.wave, 'from', old.status, 'to', new.status, 'reason', new.reason, 'status', d.status, 'openWave', d.open_wave,
      'isFrozen', is_frozen(d), 'isCauseHolding', is_held(d), 'isEarly', d.started_at is null or d.due_at > clock_timestamp(),
      'windows', coalesce(cause.rollout, d.rollout) -> 'windows', 'timezone', l.timezone,
      'isTooOld', is_too_old(d, l), 'isWithdrawn', (select o.is_cancelled from orders o where o.id = old.order_id)));
    return null;
  end $$;
  create constraint trigger history after insert or update on targets deferrable initially deferred for each row execute function target_changed();

  create function target_opened() returns trigger language plpgsql as $$
  declare d deployments; r robots;
  begin
    select * into d from deployments where id = new.deployment_id;
    select * into r from robots where id = new.robot_id;
    if not d.is_gradual or r.id is null then return null; end if;
    if not exists (select from targets t where t.deployment_id = d.id and t.robot_id = r.id and t.status = 'waiting' and t.deadline_at > clock_timestamp()) then return null; end if;
    perform note('admitted', d.id, r.id, jsonb_build_object(
      'inFlight', (select count(*) from targets t where t.deployment_id = d.id and t.deadline_at is not null and case t.status
        when 'waiting' then exists (select from open_targets o where o.robot_id = t.robot_id and o.deployment_id = t.deployment_id)
        when 'dispatched' then is_linked(t.robot_id) else true end),
      'isAnyway', is_unavailable(r, d.id), 'groups', budget_groups(r)));
    return null;
  end $$;
  create constraint trigger history after insert on open_targets deferrable initially deferred for each row execute function target_opened();

  create function deployment_changed() returns trigger language plpgsql as $$
  begin
    perform note('changed', new.id, null, jsonb_build_object('left', unreached(new, old.open_wave), 'from', case when tg_op = 'UPDATE' then old.status end, 'to', new.status, 'reason', new.pause_code,
      'openWave', new.open_wave, 'openBefore', case when tg_op = 'UPDATE' then old.open_wave end,
      'isAccepting', case when tg_op = 'UPDATE' then new.accepted_at is distinct from old.accepted_at else false end));
    return null;
  end $$;
  create constraint trigger history after insert or update of status, open_wave on deployments deferrable initially deferred for each row execute function deployment_changed();

  create function approval_changed() returns trigger language plpgsql as $$
  begin
    perform note('decided', new.deployment_id, null, jsonb_build_object('wave', new.wave, 'by', new.by_id,
      'what', case when new.lapsed_at is null then new.decision else 'lapse' end,
      'role', case when new.by_kind = 'org' then 'admin' else (select role from users where id = new.by_id) end,
      'isAuthor', (select author_id = new.by_id from deployments where id = new.deployment_id)));
    return null;
  end $$;
  create constraint trigger history after insert or update on deployment_approvals deferrable initially deferred for each row execute function approval_changed();

  -- Of all deployments that the robot has a target of.
  create function note_robot(kind text, robot uuid, facts jsonb) returns void language sql as
    $$ select note($1, t.deployment_id, $2, $3) from targets t where t.robot_id = $2 $$;

  create function status_changed() returns trigger language plpgsql as $$
  begin
    if (old.severity = 2) is distinct from (new.severity = 2) then
      perform note_robot('disturbed', new.robot_id, jsonb_build_object('cause', 'unhealthy', 'isOn', new.severity = 2));
    end if;
    return null;
  end $$;
  create constraint trigger history after update on robot_status deferrable initially deferred for each row execute function status_changed();

  create function report_changed() returns trigger language plpgsql as $$
  begin
    if (old.releases #> '{file,drift}' is null) <> (new.releases #> '{file,drift}' is null) then
      perform note_robot('disturbed', new.robot_id, jsonb_build_object('cause', 'drift', 'isOn', new.releases #> '{file,drift}' is not null));
    end if;
    return null;
  end $$;
  create constraint trigger history after update on robot_reports deferrable initially deferred for each row execute function report_changed();

  create function link_changed() returns trigger language plpgsql as $$
  begin
    if old.replica_id is null and new.replica_id is not null then perform note_robot('returned', new.robot_id, '{}'); end if;
    return null;
  end $$;
  create constraint trigger history after update on robot_links deferrable initially deferred for each row execute function link_changed();
`;

/** Notes from now on what is committed in this database. */
export const startHistory = (db: Knex) => db.raw(triggers);

export const readHistory = async (db: Knex): Promise<Happening[]> =>
  (
    await db.raw<{ rows: Happening[] }>(
      `select seq, extract(epoch from at)::float8 * 1000 as "atMs", step, kind, deployment, robot, facts from history order by seq`,
    )
  ).rows;

export const noteOperation = (db: Knex, deployment: string, what: string) =>
  db.raw(`select note('operation', ?::uuid, null, ?::jsonb)`, [deployment, JSON.stringify({ what })]);

/** Deployments whose next wave waits, although all robots of the open one have applied it or are offline for too long. */
export const heldUpByOffline = async (db: Knex): Promise<string[]> =>
  (
    await db.raw<{ rows: { id: string }[] }>(
      `with asked as (
         select d.*, make_interval(secs => replace(rollout -> 'advance' ->> 'offline_after', 'm', '')::int * 60 + 10) as after from deployments d
          where status in ('pending', 'in_progress') and rollback_at is null and open_wave < last_wave and not is_frozen(d)
            and rollout -> 'advance' -> 'offline_after' is not null and rollout -> 'advance' ->> 'soak' = '0s' and rollout -> 'advance' ->> 'then' = 'advance'
       )
       select d.id from asked d join waves w on w.deployment_id = d.id and w.wave = d.open_wave and w.started_at < clock_timestamp() - d.after
         join targets t on t.deployment_id = d.id and t.wave = d.open_wave left join robot_links l on l.robot_id = t.robot_id
        group by d.id
       having count(*) filter (where t.status = 'applied') >= (min(d.rollout::text)::jsonb -> 'advance' ->> 'min_ended')::int
          and bool_and(t.status = 'applied' and not exists (select from robot_status s where s.robot_id = t.robot_id and s.severity = 2)
                                            and not exists (select from robot_reports p where p.robot_id = t.robot_id and p.releases #> '{file,drift}' is not null)
                       or t.status in ('waiting', 'dispatched') and not is_linked(t.robot_id) and l.last_seen_at < clock_timestamp() - d.after)`,
    )
  ).rows.map(({ id }) => id);
