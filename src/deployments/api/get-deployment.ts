import type { Knex } from 'knex';
import { notFound } from '../../kernel/errors.ts';
import { newDeploymentListing } from './new-view.ts';
import { deploymentStore, type NewDeployment } from './store.ts';
import type { DeploymentKind, DeploymentViews } from './views.ts';

/** A deployment as callers see it. @throws not_found, also for a deployment of the other kind */
export async function getDeployment<Each extends DeploymentKind>(
  db: Knex,
  orgId: string,
  deploymentKind: Each,
  id: string,
): Promise<DeploymentViews[Each]> {
  return found(await deploymentStore(db).find(orgId, deploymentKind, id));
}

/** The same of a deployment that this transaction created. */
export async function getNewDeployment<Each extends DeploymentKind>(
  db: Knex,
  orgId: string,
  deploymentKind: Each,
  id: string,
  created: Pick<NewDeployment, 'rollout' | 'targetKind'>,
): Promise<DeploymentViews[Each]> {
  const listing = newDeploymentListing(deploymentKind, created);
  return found(await deploymentStore(db).find(orgId, deploymentKind, id, listing));
}

function found<View>(view: View | undefined): View {
  if (!view) throw notFound('deployment');
  return view;
}
