import { expect } from 'vitest';
import type { World } from './world.ts';

/** Waits until the robots of a deployment are fixed. */
export const begun = ({ db }: World, id: string) =>
  expect.poll(() => db('deployments').where({ id }).whereNotNull('started_at').first('id')).toBeDefined();

/** Lets the robots of a deployment apply it. */
export async function applied({ db }: World, id: string): Promise<void> {
  const key = { id };
  for (const status of ['dispatched', 'applied'])
    await db.raw(
      "update targets set status = :status, deadline_at = case :status when 'applied' then null else deadline_at end where deployment_id = :id",
      { ...key, status },
    );
  await db.raw('update deployment_counts set waiting = 0, applied = total where deployment_id = :id', key);
  for (const status of ['in_progress', 'applied'])
    await db.raw(
      "update deployments set status = :status, ended_at = case :status when 'applied' then now() end where id = :id",
      { ...key, status },
    );
}
