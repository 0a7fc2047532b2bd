import type { Knex } from 'knex';
import { planService } from '../deployments/api/service.ts';
import type { Deployment } from './fleet/deployment-rows.ts';

/** More are not counted on the pages. */
const maxCounted = 1_000;

/**
 * How many robots of the plan of a deployment run a newer release now, and whether they receive it or are left out.
 * Undefined if there are none, without a plan, and at the end; also once those that are left out are known, as an event
 * has their number.
 */
export async function downgradeFact(
  db: Knex,
  orgId: string,
  deployment: Deployment,
): Promise<{ label: 'Downgrade' | 'Left out'; text: string } | undefined> {
  const { plan_id: planId, started_at: startedAt, ended_at: endedAt } = deployment;
  const leavesOut = 'allow_downgrade' in deployment && !deployment.allow_downgrade;
  if (planId === undefined || endedAt !== undefined || (leavesOut && startedAt !== undefined)) return undefined;
  const count = await planService(db).countDowngrades(orgId, planId, maxCounted);
  if (count === 0) return undefined;
  const text = runningText(count);
  if (!leavesOut) return { label: 'Downgrade', text };
  return { label: 'Left out', text: `${text} and ${count === 1 ? 'keeps' : 'keep'} it` };
}

const runningText = (count: number): string =>
  count === 1
    ? '1 robot runs a newer release'
    : `${count}${count === maxCounted ? ' or more' : ''} robots run a newer release`;
