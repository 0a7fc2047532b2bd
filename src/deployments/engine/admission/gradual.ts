import type { Knex } from 'knex';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { readRollout, type Rollout } from '../../../rollout-policies/service.ts';
import { expiryDays } from '../model.ts';
import { repairWaves } from '../rollouts/wave-counts.ts';
import { takeBack } from './release-targets.ts';

/*
 * In an org with disruption budgets, every deployment admits its robots step by step.
 */

/** Whether the org of a row has disruption budgets, as SQL. */
export const hasBudgets = (of: string): string =>
  `exists (select from disruption_budgets b where b.org_id = ${of}.org_id)`;

/** What a deployment without a rollout has there: all its robots are one wave. */
export const oneWave: Rollout = readRollout('rollout', { waves: [{ percent: 100 }] });

/** Deployments that are looked at in one query. */
const maxFound = 100;

const toMakeGradual = `
  from (select distinct org_id from disruption_budgets) b join deployments d using (org_id)
 where d.rank is not null and d.ended_at is null and not d.is_gradual`;
export const isAnyToMakeGradual = `exists (select ${toMakeGradual})`;

/**
 * Lets the budgets of an org apply to deployments that began before it had any: what was not dispatched waits for its
 * admission.
 */
export async function makeGradual(db: Knex): Promise<void> {
  const { rows } = await db.raw<{ rows: { org_id: string; id: string }[] }>(
    `select d.org_id, d.id ${toMakeGradual} order by d.id limit ${maxFound}`,
  );
  for (const { org_id: orgId, id: deploymentId } of rows)
    await inTransaction(db, async (trx) => {
      await makeOneGradual(trx, { orgId, deploymentId });
      return { result: undefined, closing: [] };
    });
}

async function makeOneGradual(trx: Knex, key: { orgId: string; deploymentId: string }): Promise<void> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `update deployments set is_gradual = true, rollout = coalesce(rollout, :rollout::jsonb), open_wave = coalesce(open_wave, 1), last_wave = coalesce(last_wave, 1),
            waiting_until = coalesce(waiting_until, greatest(started_at, now()) + make_interval(days => :expiryDays)),
            decide_at = case when status in ('pending', 'in_progress') then clock_timestamp() else decide_at end
      where org_id = :orgId and ended_at is null and not is_gradual
        and id = (select id from deployments where org_id = :orgId and id = :deploymentId for no key update skip locked)`,
    { ...key, rollout: JSON.stringify(oneWave), expiryDays },
  );
  if (rowCount === 0) return;
  await takeBack(trx, key.orgId, [key.deploymentId]);
  await repairWaves(trx, key);
}
