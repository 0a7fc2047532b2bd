import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';
import { keepsWaiting } from './robot-holds.ts';

/** A target by its place in a list. */
interface NumberedTarget {
  n: number;
  orgId: string;
  deploymentId: string;
  robotId: string;
}

/** The numbers of those of these targets, waiting and due, whose robots keep waiting. Nearly always, no target is due. */
export async function findThatKeepWaiting(trx: Knex, due: readonly NumberedTarget[]): Promise<Set<number>> {
  if (due.length === 0) return new Set();
  const { rows } = await trx.raw<{ rows: { n: number }[] }>(
    `select k.n from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::int[]) as k (org_id, deployment_id, robot_id, n)
       join deployments d on d.org_id = k.org_id and d.id = k.deployment_id
      where ${keepsWaiting('d', 'k.robot_id')}`,
    [
      plainArray(due.map(({ orgId }) => orgId)),
      plainArray(due.map(({ deploymentId }) => deploymentId)),
      plainArray(due.map(({ robotId }) => robotId)),
      plainArray(due.map(({ n }) => n)),
    ],
  );
  return new Set(rows.map(({ n }) => n));
}
