import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';
import { timelineService } from '../../timeline/service.ts';
import { requestPause } from './controls/pause.ts';
import { findKept, type NewerRobot } from './downgrades.ts';
import { insertDeploymentEvent } from './events.ts';
import type { RobotWave, TargetRobots } from './rollouts/read-waves.ts';

/*
 * Robots of the target that keep a newer release when a deployment begins that may be no downgrade.
 */

interface DeploymentKey {
  orgId: string;
  deploymentId: string;
}

export interface LeftOut {
  ids: ReadonlySet<string>;
  note: string; // who is left out, for people
}

/** Timeline entries of one statement. */
const maxEntries = 5_000;

/** Undefined: nobody. */
export async function findLeftOut(
  trx: Knex,
  target: TargetRobots,
  deploymentId: string,
): Promise<(LeftOut & { release: string; robots: readonly NewerRobot[] }) | undefined> {
  const kept = await findKept(trx, target, deploymentId);
  return kept && { ...kept, ids: new Set(kept.robots.map(({ id }) => id)), note: `left out: ${kept.text}` };
}

/** The target without these robots. */
export const without = <Target extends TargetRobots>(target: Target, { ids }: LeftOut): Target => ({
  ...target,
  isTarget: `(${target.isTarget}) and r.id <> all(${target.bindings.bind(plainArray([...ids]))}::uuid[])`,
});

/** In the events of the deployment, and in the timeline of each robot. */
export async function noteLeftOut(
  trx: Knex,
  { orgId, deploymentId }: DeploymentKey,
  { note, release, robots }: NonNullable<Awaited<ReturnType<typeof findLeftOut>>>,
): Promise<void> {
  const reason = 'downgrade_left_out';
  await insertDeploymentEvent(trx, { orgId, deploymentId, status: 'scheduled', reason, message: note });
  const entries = robots.map(({ id: robotId, tag: running }) => ({
    ...({ orgId, robotId, kind: reason } as const),
    details: { deployment_id: deploymentId, release, running },
  }));
  for (let start = 0; start < entries.length; start += maxEntries)
    await timelineService(trx).recordMany(entries.slice(start, start + maxEntries));
}

/**
 * Pauses a rollout whose wave before the last one lost all of its robots: nothing would be learned from it, and the next one
 * would begin at once. A person may resume it without them. `waves`: with those that are left out.
 */
export async function pauseIfEmptied(
  trx: Knex,
  key: DeploymentKey,
  { ids }: LeftOut,
  { waves, lastWave }: { waves: readonly RobotWave[]; lastWave: number },
): Promise<void> {
  const left = new Set(waves.filter(({ id }) => !ids.has(id)).map(({ wave }) => wave));
  const emptied = [...new Set(waves.map(({ wave }) => wave))].filter((wave) => wave < lastWave && !left.has(wave));
  if (emptied.length === 0) return;
  const names = emptied.toSorted((a, b) => a - b).join(', ');
  const reason = `all robots of ${emptied.length === 1 ? 'wave' : 'waves'} ${names} run a newer release`;
  await requestPause(trx, { ...key, reason }, 'downgrade_left_out');
}
