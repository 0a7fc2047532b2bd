import { countsOf, isTerminal, humanize } from '../../output/deployment-format.ts';
import { targetNameOf, type ShownDeployment } from '../deployment/deployment.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { deploymentCommand, deploymentFlow, targetConfirmation } from './deployment-flow.ts';
import { staleWarnings } from './when-loaded.ts';

const lineOf = (shown: ShownDeployment) => deploymentCommand(shown, 'cancel');

function planOf(ui: Ui, shown: ShownDeployment): Plan {
  const { data } = ui;
  const { deploymentKind, deployment } = shown;
  const { id, target_kind: kind, status } = deployment;
  const name = targetNameOf(ui, shown);
  const what =
    'release_id' in deployment
      ? data.releases.get().value?.byId.get(deployment.release_id)?.tag
      : data.configs.get().value?.byId.get(deployment.config_id)?.key;
  return {
    title: `Cancel the deployment of ${what ?? id}`,
    facts: [
      { label: 'Target', text: `${kind} ${name}` },
      { label: 'Status', text: [humanize(status), countsOf(deployment)].filter((text) => text !== '').join(', ') },
    ],
    get warnings() {
      return [
        'Robots that have not received it will not receive it. Robots that have it are asked to stop; one that is already installing may still apply it.',
        ...staleWarnings(ui, [deploymentKind === 'release' ? data.deployments : data.configDeployments]),
      ];
    },
    line: lineOf(shown),
    confirm: targetConfirmation(ui, shown),
    async run() {
      await ui.mutations.cancelDeployment(deploymentKind, id);
      return `Cancelling ${what ?? id} for ${kind} ${name}.`;
    },
  };
}

/** The part of an action that cancels a deployment. */
export const cancelFlow = deploymentFlow({
  refusal: ({ deployment: { status } }) => (isTerminal(status) ? `it has ended: ${humanize(status)}` : undefined),
  open: ({ ui }, one) => ui.overlay.set({ kind: 'plan', plan: planOf(ui, one) }),
  lineOf,
});
