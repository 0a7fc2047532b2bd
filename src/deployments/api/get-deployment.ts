import type { Knex } from 'knex';
import { notFound } from '../../kernel/errors.ts';
import { deploymentStore } from './store.ts';
import type { DeploymentKind, DeploymentViews } from './views.ts';

/** A deployment as callers see it. @throws not_found, also for a deployment of the other kind */
export async function getDeployment<Each extends DeploymentKind>(
  db: Knex,
  orgId: string,
  deploymentKind: Each,
  id: string,
): Promise<DeploymentViews[Each]> {
  const found = await deploymentStore(db).find(orgId, deploymentKind, id);
  if (!found) throw notFound('deployment');
  return found;
}
