import { countsOf } from '../../output/deployment-format.ts';
import { excludedTexts, returnsText } from '../../output/rollback-text.ts';
import { targetOf, whatOf, type ShownDeployment } from '../deployment/deployment.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { deploymentCommand, deploymentFlow, targetConfirmation } from './deployment-flow.ts';
import { askForReason } from './reason.ts';

/** Why the deployment cannot be rolled back; undefined if it can. */
function refusal({ deployment: { rollback, rollback_of: original, started_at: startedAt } }: ShownDeployment) {
  if (original !== undefined) return 'it is a rollback itself';
  if (rollback) return 'it is rolled back already';
  return startedAt === undefined ? 'it has not begun' : undefined;
}

const lineOf = (shown: ShownDeployment, reason?: string) => deploymentCommand(shown, 'rollback', { reason });

/** The plan shows which robots return to what, as the service says now. */
async function planOf(ui: Ui, shown: ShownDeployment, reason: string | undefined): Promise<Plan> {
  const { deploymentKind, deployment } = shown;
  const planned = await ui.mutations.readRollback(deploymentKind, deployment.id);
  const releases = ui.data.releases.get().value?.byId;
  const [what, target] = [whatOf(ui, shown), targetOf(ui, shown)];
  const keep = excludedTexts(planned);
  return {
    title: `Roll back the deployment of ${what}`,
    facts: [
      { label: 'Target', text: target },
      { label: 'Robots', text: countsOf(deployment) },
      { label: 'Return', text: returnsText(planned, { get: (id) => releases?.get(id)?.tag }) || 'no robot' },
      ...(keep.length > 0 ? [{ label: 'Keep it', text: keep.join(', ') }] : []),
      { label: 'Reason', text: reason ?? 'none' },
    ],
    warnings: [
      'Robots that have not received it will not receive it. Those that applied it return, newest wave first.',
    ],
    line: lineOf(shown, reason),
    confirm: targetConfirmation(ui, shown),
    async run() {
      await ui.mutations.rollBackDeployment(deploymentKind, deployment.id, reason);
      return `Rolling back ${what} for ${target}.`;
    },
  };
}

/** The part of an action that rolls back a deployment. */
export const rollbackFlow = deploymentFlow({
  refusal,
  open: (context, one) =>
    askForReason(context, 'Roll back the deployment', (reason) => planOf(context.ui, one, reason)),
  lineOf,
});
