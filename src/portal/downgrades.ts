import type { Knex } from 'knex';
import { planService } from '../deployments/api/service.ts';
import type { Deployment } from './fleet/deployment-rows.ts';

/** More are not counted on the pages. */
const maxCounted = 1_000;

/** How many robots of deployments run a newer release now, by the ID of the deployment; those without such a robot are missing. */
export async function downgradeTexts(
  db: Knex,
  orgId: string,
  deployments: readonly Deployment[],
): Promise<ReadonlyMap<string, string>> {
  const planned = deployments.flatMap(({ id, plan_id: planId }) => (planId === undefined ? [] : [{ id, planId }]));
  const planIds = planned.map(({ planId }) => planId);
  const counts = await planService(db).countDowngrades(orgId, planIds, maxCounted);
  return new Map(
    planned.flatMap(({ id, planId }) => {
      const count = counts.get(planId);
      return count === undefined ? [] : [[id, downgradeText(count)]];
    }),
  );
}

const downgradeText = (count: number): string =>
  count === 1
    ? '1 robot runs a newer release'
    : `${count}${count === maxCounted ? ' or more' : ''} robots run a newer release`;
