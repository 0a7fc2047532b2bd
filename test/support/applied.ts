import { expect } from 'vitest';
import type { World } from './world.ts';

/** Waits until the robots of a deployment are fixed. */
export const begun = ({ db }: World, id: string) =>
  expect.poll(() => db('deployments').where({ id }).whereNotNull('started_at').first('id')).toBeDefined();

/** Lets the robots of a deployment apply it. */
export const applied = (world: World, id: string) => end(world, id, 'applied');

/** Lets a deployment time out on all of its robots. */
export const timedOut = (world: World, id: string) => end(world, id, 'failed', 'timed_out');

async function end({ db }: World, id: string, end: 'applied' | 'failed', reason: string | null = null): Promise<void> {
  for (const status of ['dispatched', end])
    await db.raw(
      `update targets set status = :status, reason = case :status when :end then :reason end,
              deadline_at = case :status when :end then null else deadline_at end where deployment_id = :id`,
      { id, status, end, reason },
    );
  await db('deployment_counts')
    .where({ deployment_id: id })
    .update({ waiting: 0, [end]: db.ref('total') });
  for (const status of ['in_progress', end])
    await db.raw(
      'update deployments set status = :status, ended_at = case :status when :end then now() end where id = :id',
      { id, status, end },
    );
}

/** Lets a robot report that it runs a release. */
export async function runsRelease(
  { db, orgId }: World,
  robotId: string,
  { id, tag, kind }: { id: string; tag: string; kind: string },
): Promise<void> {
  const report = { release_id: id, tag, deployment_id: id, at: new Date().toISOString() };
  const row = { org_id: orgId, robot_id: robotId, releases: JSON.stringify({ [kind]: report }), configs: '{}' };
  await db('robot_reports').insert(row);
}
