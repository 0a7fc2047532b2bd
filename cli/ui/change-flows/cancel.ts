import { countsOf, isTerminal, spoken } from '../../output/deployment-words.ts';
import type { ConfigDeployment, Deployment, DeploymentKind } from '../data/data.ts';
import type { Moment } from '../actions/action.ts';
import type { Plan } from '../overlays/overlay.ts';
import { marksHindrance, selectedOf } from './selection.ts';
import { words } from './command-line.ts';
import { idEnd, typed } from './typed-confirmation.ts';
import { staleWarnings } from './when-loaded.ts';

interface Found {
  deploymentKind: DeploymentKind;
  deployment: Deployment | ConfigDeployment;
}

/** The deployment that one is at: the one that the screen is about, else the one under the cursor. */
function found(moment: Moment): Found | undefined {
  const { ui, view } = moment;
  const [releases, configs] = [ui.data.deployments.get().value, ui.data.configDeployments.get().value];
  const { deployment: own } = view.place;
  if (own) {
    const deployment = (own.deploymentKind === 'release' ? releases : configs)?.byId.get(own.id);
    return deployment && { deploymentKind: own.deploymentKind, deployment };
  }
  const release = selectedOf(moment, releases);
  if (release) return { deploymentKind: 'release', deployment: release };
  const config = selectedOf(moment, configs);
  return config && { deploymentKind: 'config', deployment: config };
}

export function cancelHindrance(moment: Moment): string | undefined {
  const one = found(moment);
  if (!one) return 'no deployment is chosen';
  const marked = moment.view.place.deployment ? undefined : marksHindrance(moment);
  if (marked !== undefined) return marked;
  return isTerminal(one.deployment.status) ? `it has ended: ${spoken(one.deployment.status)}` : undefined;
}

export function cancelLine(moment: Moment): readonly string[] | undefined {
  const one = found(moment);
  return (
    one &&
    words({
      command: one.deploymentKind === 'release' ? 'deployments cancel' : 'configs cancel',
      args: [one.deployment.id],
    })
  );
}

export function openCancel(moment: Moment): void {
  const one = found(moment);
  const line = cancelLine(moment);
  if (one && line) moment.ui.overlay.set({ kind: 'plan', plan: cancelPlan(moment, one, line) });
}

function cancelPlan({ ui }: Moment, { deploymentKind, deployment }: Found, line: readonly string[]): Plan {
  const { data } = ui;
  const { id, target_kind: kind, target_id: targetId, status } = deployment;
  const name = (kind === 'fleet' ? data.fleets : data.robots).get().value?.byId.get(targetId)?.name ?? targetId;
  const what =
    'release_id' in deployment
      ? data.releases.get().value?.byId.get(deployment.release_id)?.tag
      : data.configs.get().value?.byId.get(deployment.config_id)?.key;
  return {
    title: `Cancel the deployment of ${what ?? id}`,
    facts: [
      { label: 'Target', text: `${kind} ${name}` },
      { label: 'Status', text: [spoken(status), countsOf(deployment)].filter((text) => text !== '').join(', ') },
    ],
    get warnings() {
      return [
        'Robots that have not got it never do; those that have it are asked to stop, and tell whether they could.',
        ...staleWarnings(ui, [deploymentKind === 'release' ? data.deployments : data.configDeployments]),
      ];
    },
    line,
    confirm: kind === 'robot' ? { kind: 'enter' } : typed(ui, name, idEnd(targetId)),
    async run() {
      await ui.mutations.cancelDeployment(deploymentKind, id);
      return `Cancelling ${what ?? id} for ${kind} ${name}.`;
    },
  };
}
