import { expiryDays } from './model.ts';
import { isRobotHeld, keepsWaiting } from './robot-holds.ts';

/*
 * SQL of what keeps waiting targets from being dispatched; `of`: name of a row of `deployments`. A target whose wave has
 * not begun needs no condition: it is not in `open_targets`.
 */

/**
 * What it caused waits: it is paused, or it is a rollout whose last wave has not begun. One that ended before that holds it
 * until its last decision, which gives robots that joined their full time: a deadline may have passed meanwhile. So does
 * what a cancelled rollout, or a deployment that is rolled back, caused, until it is cancelled too (`controls/cancel.ts`).
 */
export const isHolding = (of: string): string =>
  `(${of}.status = 'paused' or ${of}.rollback_at is not null or ${of}.rollout is not null and ${of}.started_at is not null
      and (${of}.cancelled_at is not null or ${of}.open_wave < ${of}.last_wave
      and (${of}.ended_at is null or ${of}.decide_at is not null)))`;

/** All deployments of its org are frozen, and it returns no robots (`controls/freeze.ts`). */
export const isFrozen = (of: string): string =>
  `(${of}.rollback_of is null and exists (
      select from deployment_freezes f where f.org_id = ${of}.org_id and f.thawed_at is null offset 0))`;

/**
 * It was made for a robot that joined a fleet, and the deployment that caused it holds it. `offset 0`: a look-up, not a hash of
 * all deployments.
 */
export const isCauseHolding = (of: string): string =>
  `(${of}.cause_id is not null and exists (
      select from deployments cause
       where cause.org_id = ${of}.org_id and cause.id = ${of}.cause_id and ${isHolding('cause')} offset 0))`;

/** It is paused or frozen, or what caused it holds it. */
export const isHeld = (of: string): string => `(${of}.status = 'paused' or ${isFrozen(of)} or ${isCauseHolding(of)})`;

/** The rollout whose windows and gates it obeys: if it was made for a robot that joined, that of the deployment that caused it. */
export const rolloutOf = (of: string): string =>
  `coalesce((select cause.rollout from deployments cause where cause.org_id = ${of}.org_id and cause.id = ${of}.cause_id), ${of}.rollout)`;

/** Its waiting targets may be dispatched. */
const mayDispatch = (of: string): string => `${of}.status in ('pending', 'in_progress') and not ${isHeld(of)}`;

/** A waiting target may be dispatched. `target`: name of a row of `targets` or `open_targets`. */
export const mayDispatchTo = (of: string, target: string): string =>
  `${mayDispatch(of)} and not ${isRobotHeld(of, `${target}.robot_id`)}`;

/** The agent on the link lacks what the orders need: it would ignore their window, or ask no gates. `link`: of `robot_links`. */
export const lacksCapability = (of: string, link: string): string =>
  `(${of}.required_capabilities <> '{}' and ('windows' = any(${of}.required_capabilities) and not ${link}.keeps_windows
      or 'gates' = any(${of}.required_capabilities) and not ${link}.asks_gates))`;

/**
 * The robot holds an order of the lane. One with a window does not hold up what ignores windows: the robot is asked to return
 * it (`dispatching.ts`). `target`: name of a row of `targets`.
 */
export const isLaneBusy = (of: string, target: string): string =>
  `exists (select from orders o where o.org_id = ${target}.org_id and o.robot_id = ${target}.robot_id and o.lane = ${target}.lane
      and o.ended_at is null and not (${of}.ignores_windows and o.terms -> 'window' is not null) offset 0)`;

/**
 * When a target that waits ends by its deadline; null: not now, as the deployment or its robot is held, or was until a
 * moment ago. A deadline before the usual expiry was brought forward, as that of a removed robot, and nothing holds it.
 */
export const waitingDeadline = (of: string, target: string): string =>
  `case when ${target}.deadline_at < ${of}.started_at + interval '${expiryDays} days' then ${target}.deadline_at
        when not ${isHeld(of)} and not ${keepsWaiting(of, `${target}.robot_id`)} then greatest(${target}.deadline_at, ${of}.waiting_until) end`;
