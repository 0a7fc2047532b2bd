import { shortId } from '../../command-line/id.ts';
import type { Action, ActionContext } from '../actions/action.ts';
import { targetNameOf, type ShownDeployment } from '../deployment/deployment.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { commandWords } from './command-line.ts';
import { chosenDeployment, marksDisabledReason } from './selection.ts';
import { typedConfirmation } from './typed-confirmation.ts';

/** The part of an action that changes the deployment of the screen or under the cursor. */
type DeploymentFlow = Required<Pick<Action, 'disabledReason' | 'run' | 'line'>>;

interface DeploymentChange {
  /** Why the deployment cannot be changed so now; undefined if it can. */
  refusal(shown: ShownDeployment): string | undefined;
  /** Opens the form or the plan. */
  open(context: ActionContext, shown: ShownDeployment): void;
  /** The same as a `cli` command. */
  lineOf(shown: ShownDeployment): readonly string[];
}

export const deploymentFlow = ({ refusal, open, lineOf }: DeploymentChange): DeploymentFlow => ({
  disabledReason(context) {
    const one = chosenDeployment(context);
    if (!one) return 'select a deployment first';
    const marked = context.view.place.deployment ? undefined : marksDisabledReason(context);
    return marked ?? refusal(one);
  },
  run(context) {
    const one = chosenDeployment(context);
    if (one) open(context, one);
  },
  line(context) {
    const one = chosenDeployment(context);
    return one && lineOf(one);
  },
});

/** `deployments <verb> <id>`, or `configs <verb> <id>`. */
export const deploymentCommand = (
  { deploymentKind, deployment }: ShownDeployment,
  verb: string,
  flags: Parameters<typeof commandWords>[0]['flags'] = {},
): readonly string[] =>
  commandWords({
    command: `${deploymentKind === 'release' ? 'deployments' : 'configs'} ${verb}`,
    args: [deployment.id],
    flags,
  });

/** For one robot, enter is enough; for others the name of the target is typed. */
export function targetConfirmation(ui: Ui, shown: ShownDeployment): Plan['confirm'] {
  const { target_kind: kind, target_id: id } = shown.deployment;
  return kind === 'robot' ? { kind: 'enter' } : typedConfirmation(ui, targetNameOf(ui, shown), shortId(id));
}
