import type { Knex } from 'knex';
import { namedBindings } from '../../../platform/db/named-bindings.ts';
import { keptTag } from '../downgrades.ts';
import { isFrozen } from '../holds.ts';
import { isOnline } from '../links.ts';
import { selectedSql } from '../target-sql.ts';

/*
 * A deployment to a selector that is dynamic: robots that match later receive it too, in deployments that it causes.
 */

/** Robots that receive it in one transaction. */
export const maxNewcomers = 10_000;

/** Whether robots that match later receive the deployment, as SQL; `of`: name of its row. */
export const isDynamic = (of: string): string =>
  `(${of}.match_at is not null and ${of}.dynamic_until > now() and ${of}.cancelled_at is null and ${of}.rollback_at is null
      and (${of}.started_at is not null or ${of}.ended_at is null))`;

/** What it caused for robots that matched later, with a condition on `c`. */
const caused = (such: string) => `exists (
  select from deployments c where c.org_id = d.org_id and c.cause_id = d.id and c.cause_kind = 'matched' and ${such})`;

/** Why no robot receives the deployment `d` any longer, for people; null while some may. */
export const whyOver = `case
  when d.dynamic_until <= now() then 'its end date has passed'
  when d.rollback_at is not null then 'it was rolled back'
  when d.cancelled_at is not null then 'it was cancelled'
  when exists (select from configs c where c.org_id = d.org_id and c.id = d.config_id and c.deleted_rank > d.rank) then 'its config entry was deleted'
  when ${caused('(c.rollback_at is not null or c.cancelled_at is not null)')} then 'the deployment for robots that matched later was cancelled or rolled back'
  else (select 'deployment ' || n.id || ' to the same selector replaces it' from deployments n
         where n.org_id = d.org_id and n.target_id = d.target_id and n.lane = d.lane and n.payload_key = d.payload_key and n.rank > d.rank
           and n.cause_id is null and n.rollback_of is null and n.retry_of is null order by n.rank limit 1) end`;

/** Robots that are online and work on it, or are to receive it: those before which none follows if it has a pace. */
const isBusy = `exists (
  select from deployments c join targets t on t.org_id = c.org_id and t.deployment_id = c.id
   where c.org_id = d.org_id and (c.id = d.id or c.cause_id = d.id) and c.ended_at is null and t.deadline_at is not null
     and (t.status <> 'waiting' or ${isOnline('t')}))`;

/** Whether the robots that match the deployment `d` wait: as those of a last wave do that has not begun or is paused. */
export const mustWait = `(d.status = 'paused' or ${isFrozen('d')} or d.rollout is not null and d.ended_at is null and d.open_wave < d.last_wave
  or ${caused(`c.status = 'paused'`)} or d.rollout -> 'pace' is not null and not d.is_urgent and ${isBusy})`;

/** A dynamic deployment. */
export interface DynamicDeployment {
  orgId: string;
  deploymentId: string;
  selector: string;
  lane: string;
  payloadKey: string;
}

/**
 * IDs of robots that match and never received it, at most `maxNewcomers`; but none that has its payload already, was to
 * receive something newer, or runs a newer release. What a robot got for its fleet is as old as the deployment of the fleet.
 */
export async function findNewcomers(trx: Knex, deployment: DynamicDeployment): Promise<string[]> {
  const { orgId, deploymentId, selector, lane, payloadKey } = deployment;
  const bindings = namedBindings({ orgId, deploymentId, lane, payloadKey });
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select r.id from robots r join deployments d on d.org_id = r.org_id and d.id = :deploymentId
      where r.org_id = :orgId and r.retired_at is null and ${selectedSql(orgId, selector, bindings.bind)}
        and not exists (select from targets t where t.org_id = :orgId and t.deployment_id = :deploymentId and t.robot_id = r.id)
        and not exists (
          select from targets t join deployments o on o.org_id = t.org_id and o.id = t.deployment_id
            left join deployments cause on cause.org_id = o.org_id and cause.id = o.cause_id
           where t.org_id = :orgId and t.robot_id = r.id and t.lane = :lane and t.payload_key = :payloadKey
             and (o.cause_id = d.id or coalesce(cause.rank, t.rank) > d.rank and t.status <> 'cancelled') offset 0)
        and d.payload_digest is distinct from (
          select o.payload_digest from targets t join deployments o on o.org_id = t.org_id and o.id = t.deployment_id
           where t.org_id = :orgId and t.robot_id = r.id and t.lane = :lane and t.payload_key = :payloadKey
             and t.status not in ('failed', 'rolled_back', 'cancelled') order by t.rank desc limit 1)
        and ${keptTag('d', 'r.id')} is null
      order by r.id limit :limit`,
    { ...bindings.values, limit: maxNewcomers },
  );
  return rows.map(({ id }) => id);
}
