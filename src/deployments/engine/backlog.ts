import type { Knex } from 'knex';
import { isToStart } from './due-deployments.ts';

/** Active deployments of all orgs. */
interface Backlog {
  byStatus: Record<string, number>;
  pausedBy: Record<string, number>; // by pause code
  overdue: Record<string, number>; // by step
}

const activeStatuses = ['scheduled', 'pending', 'in_progress', 'paused', 'cancelling'];
/** The engine works on each of these within seconds. */
const lateBy = "interval '1 minute'";

/** Steps of the engine, and how many deployments have been due for each for a minute. */
const overdueSql = {
  start: `select count(*) from deployments where ${isToStart} and due_at < now() - ${lateBy}`,
  deadline: `select count(*) from deployment_counts where next_deadline_at < now() - ${lateBy}`,
  decision: `select count(*) from deployments where decide_at < now() - ${lateBy} and (rollout is not null or rollback_at is not null)`,
};

/** Counts the active deployments. */
export async function readBacklog(db: Knex): Promise<Backlog> {
  const steps = Object.entries(overdueSql);
  const { rows } = await db.raw<{ rows: [{ active: { status: string; code: string | null; count: number }[] }] }>(
    `select coalesce((select json_agg(c) from (
              select status, pause_code as code, count(*) from deployments where ended_at is null group by 1, 2) c), '[]') as active,
            ${steps.map(([step, sql]) => `(${sql})::float8 as ${step}`).join(', ')}`,
  );
  const [{ active, ...overdue }] = rows;
  const byStatus = Object.fromEntries(activeStatuses.map((status) => [status, 0]));
  const pausedBy: Record<string, number> = {};
  for (const { status, code, count } of active) {
    byStatus[status] = (byStatus[status] ?? 0) + count;
    if (status === 'paused' && code !== null) pausedBy[code] = count;
  }
  return { byStatus, pausedBy, overdue };
}
