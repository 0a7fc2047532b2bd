import { countsOf, isTerminal, humanize } from '../../output/deployment-format.ts';
import { targetNameOf, type ShownDeployment } from '../deployment/deployment.ts';
import type { ActionContext } from '../actions/action.ts';
import type { Plan } from '../overlays/overlay.ts';
import { chosenDeployment, marksDisabledReason } from './selection.ts';
import { commandWords } from './command-line.ts';
import { shortId } from '../../command-line/id.ts';
import { typedConfirmation } from './typed-confirmation.ts';
import { staleWarnings } from './when-loaded.ts';

export function cancelDisabledReason(context: ActionContext): string | undefined {
  const one = chosenDeployment(context);
  if (!one) return 'select a deployment first';
  const marked = context.view.place.deployment ? undefined : marksDisabledReason(context);
  if (marked !== undefined) return marked;
  return isTerminal(one.deployment.status) ? `it has ended: ${humanize(one.deployment.status)}` : undefined;
}

export function cancelCommand(context: ActionContext): readonly string[] | undefined {
  const one = chosenDeployment(context);
  return (
    one &&
    commandWords({
      command: one.deploymentKind === 'release' ? 'deployments cancel' : 'configs cancel',
      args: [one.deployment.id],
    })
  );
}

export function openCancel(context: ActionContext): void {
  const one = chosenDeployment(context);
  const line = cancelCommand(context);
  if (one && line) context.ui.overlay.set({ kind: 'plan', plan: cancelPlan(context, one, line) });
}

function cancelPlan({ ui }: ActionContext, shown: ShownDeployment, line: readonly string[]): Plan {
  const { data } = ui;
  const { deploymentKind, deployment } = shown;
  const { id, target_kind: kind, target_id: targetId, status } = deployment;
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
    line,
    confirm: kind === 'robot' ? { kind: 'enter' } : typedConfirmation(ui, name, shortId(targetId)),
    async run() {
      await ui.mutations.cancelDeployment(deploymentKind, id);
      return `Cancelling ${what ?? id} for ${kind} ${name}.`;
    },
  };
}
