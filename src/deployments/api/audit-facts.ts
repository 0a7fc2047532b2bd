import type { Hint } from '../../platform/bus/bus.ts';
import type { DeploymentKind, DeploymentViews } from './views.ts';

const objectKinds = { release: 'deployment', config: 'config_deployment' } as const;

/** The audit facts of a change, if it was one, and its hints. */
export const changed = (
  orgId: string,
  deploymentKind: DeploymentKind,
  before: DeploymentViews[DeploymentKind],
  after: DeploymentViews[DeploymentKind],
  announce: Hint[],
  reason?: string, // which the view does not show
) => ({
  audit:
    before === after
      ? ('unchanged' as const)
      : {
          orgId,
          objectKind: objectKinds[deploymentKind],
          objectId: after.id,
          before,
          after: reason === undefined ? after : { ...after, reason },
        },
  announce,
});

/** The audit facts of a new deployment, and the hint by which a replica starts it. */
export const created = (orgId: string, deploymentKind: DeploymentKind, after: DeploymentViews[DeploymentKind]) => ({
  audit: { orgId, objectKind: objectKinds[deploymentKind], objectId: after.id, after },
  announce: [{ topic: 'deployment_due', orgId } satisfies Hint],
});
