import { countsOf, humanize, isTerminal } from '../../output/deployment-format.ts';
import type { Action, ActionContext } from '../actions/action.ts';
import { targetOf, whatOf, type ShownDeployment } from '../deployment/deployment.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { commandWords } from './command-line.ts';
import { chosenDeployment, marksDisabledReason } from './selection.ts';

type Flow = Required<Pick<Action, 'disabledReason' | 'run' | 'line'>>;

/** From the contract. */
const maxReason = 500;

/** The part of an action that pauses the deployment of the screen or under the cursor, or continues it. */
function flowOf(to: 'pause' | 'resume'): Flow {
  const lineOf = ({ deploymentKind, deployment }: ShownDeployment, reason?: string) =>
    commandWords({
      command: `${deploymentKind === 'release' ? 'deployments' : 'configs'} ${to}`,
      args: [deployment.id],
      flags: { reason },
    });
  return {
    disabledReason(context) {
      const one = chosenDeployment(context);
      if (!one) return 'select a deployment first';
      const { status } = one.deployment;
      const marked = context.view.place.deployment ? undefined : marksDisabledReason(context);
      if (marked !== undefined) return marked;
      if (isTerminal(status)) return `it has ended: ${humanize(status)}`;
      if (status === 'cancelling') return 'it is being cancelled';
      const isPaused = status === 'paused';
      return isPaused === (to === 'pause') ? (isPaused ? 'already paused' : 'not paused') : undefined;
    },
    run(context) {
      const one = chosenDeployment(context);
      if (one) openReason(context, to, (reason) => planOf(context.ui, one, to, reason, lineOf(one, reason)));
    },
    line(context) {
      const one = chosenDeployment(context);
      return one && lineOf(one);
    },
  };
}

function openReason(
  { ui }: ActionContext,
  to: 'pause' | 'resume',
  planFor: (reason: string | undefined) => Plan,
): void {
  ui.overlay.set({
    kind: 'form',
    form: {
      title: to === 'pause' ? 'Pause the deployment' : 'Continue the deployment',
      fields: [
        {
          name: 'reason',
          label: 'Reason',
          kind: 'text',
          hint: 'For colleagues; may be empty',
          check: (value) => (value.trim().length > maxReason ? `at most ${maxReason} characters` : undefined),
        },
      ],
      submit: async ({ reason = '' }) => planFor(reason.trim() === '' ? undefined : reason.trim()),
    },
  });
}

function planOf(
  ui: Ui,
  shown: ShownDeployment,
  to: 'pause' | 'resume',
  reason: string | undefined,
  line: readonly string[],
): Plan {
  const { deploymentKind, deployment } = shown;
  const [what, target] = [whatOf(ui, shown), targetOf(ui, shown)];
  const isPause = to === 'pause';
  return {
    title: `${isPause ? 'Pause' : 'Continue'} the deployment of ${what}`,
    facts: [
      { label: 'Target', text: target },
      { label: 'Robots', text: countsOf(deployment) || 'selected when it starts' },
      { label: 'Reason', text: reason ?? 'none' },
    ],
    warnings: [
      isPause ? 'No other robot receives it. Robots that have received it finish it.' : 'Robots that wait receive it.',
    ],
    line,
    confirm: { kind: 'enter' },
    async run() {
      await ui.mutations.controlDeployment(deploymentKind, deployment.id, { to, reason });
      return isPause ? `Paused ${what} for ${target}.` : `${what} for ${target} continues.`;
    },
  };
}

export const pauseFlow = flowOf('pause');
export const resumeFlow = flowOf('resume');
