import type { NewDeployment } from './store.ts';
import {
  approvalWith,
  countNames,
  deploymentListing,
  plannedWaves,
  rolloutWith,
  type DeploymentKind,
} from './views.ts';
import { waitsForApproval, waitsForStart } from './views-waits.ts';

const none = 'null::json';

/**
 * The view of a deployment that this transaction created for a caller. It has no robots, waves and approvals yet, so what
 * concerns these is left out: Postgres plans each part with every statement, which takes most of the time.
 */
export const newDeploymentListing = <Each extends DeploymentKind>(
  deploymentKind: Each,
  { rollout, targetKind }: Pick<NewDeployment, 'rollout' | 'targetKind'>,
) => {
  const listing = deploymentListing(deploymentKind);
  const { computed } = listing;
  return {
    ...listing,
    computed: {
      ...computed,
      target_selector: targetKind === 'selector' ? computed.target_selector : none,
      counts: `json_build_object(${countNames.map((name) => `'${name}', 0`).join(', ')})`,
      waiting_on: `coalesce(${waitsForApproval}, ${waitsForStart})`,
      rollback: none,
      retry: none,
      caused_by: none,
      // Only a rollout needs an approval, without which it begins paused.
      ...(rollout
        ? { rollout: rolloutWith(plannedWaves), approval: approvalWith(`'[]'::json`) }
        : { rollout: none, approval: none, paused: none, allow_ungated: none }),
    },
  };
};
