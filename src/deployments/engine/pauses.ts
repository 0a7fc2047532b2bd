import { expiryDays } from './model.ts';

/*
 * SQL of pauses; `of`: name of a row of `deployments`. A deployment that the service made for a robot that joined a
 * fleet waits while the deployment that caused it is paused.
 */

/** The deployment itself, or the one that caused it, is paused. `offset 0`: a look-up, not a hash of all deployments. */
export const isPaused = (of: string): string =>
  `(${of}.status = 'paused' or ${of}.cause_id is not null and exists (
      select from deployments cause
       where cause.org_id = ${of}.org_id and cause.id = ${of}.cause_id and cause.status = 'paused' offset 0))`;

/** Its waiting targets may be dispatched. */
export const mayDispatch = (of: string): string => `${of}.status in ('pending', 'in_progress') and not ${isPaused(of)}`;

/**
 * When a target that waits ends by its `deadline`; null: not now, as the deployment is paused. A deadline before the
 * usual expiry was brought forward, as that of a removed robot, and no pause holds it.
 */
export const waitingDeadline = (of: string, deadline: string): string =>
  `case when ${deadline} < ${of}.started_at + interval '${expiryDays} days' then ${deadline}
        when not ${isPaused(of)} then greatest(${deadline}, ${of}.waiting_until) end`;
