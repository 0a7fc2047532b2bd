import { countsOf, humanize, isTerminal } from '../../output/deployment-format.ts';
import { resumeEffect, waveToSkip } from '../../output/wave-text.ts';
import { targetOf, whatOf, type ShownDeployment } from '../deployment/deployment.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { deploymentCommand, deploymentFlow } from './deployment-flow.ts';
import { askForReason } from './reason.ts';

type Control = 'pause' | 'resume' | 'advance' | 'skip';

interface ControlTexts {
  /** As in `Pause the deployment`. */
  verb: string;
  effect(deployment: ShownDeployment['deployment']): string;
  done(what: string, target: string): string;
}

const texts: Readonly<Record<Control, ControlTexts>> = {
  pause: {
    verb: 'Pause',
    effect: () => 'No other robot receives it. Robots that have received it finish it.',
    done: (what, target) => `Paused ${what} for ${target}.`,
  },
  resume: {
    verb: 'Continue',
    effect: resumeEffect,
    done: (what, target) => `${what} for ${target} continues.`,
  },
  advance: {
    verb: 'Begin the next wave of',
    effect: () => 'Robots of the next wave receive it now. Those of the current wave continue.',
    done: (what, target) => `The next wave of ${what} for ${target} begins.`,
  },
  skip: {
    verb: 'Skip a wave of',
    effect: (deployment) =>
      `Robots of wave ${waveToSkip(deployment)} that wait do not receive it. Those that have received it finish it.`,
    done: (what, target) => `Skipped a wave of ${what} for ${target}.`,
  },
};

/** Why the deployment cannot be controlled so now; undefined if it can. */
function refusal(to: Control, { deployment }: ShownDeployment): string | undefined {
  const { status, rollout, paused } = deployment;
  const waits = paused?.code === 'approval'; // for nothing else
  if (isTerminal(status)) return `it has ended: ${humanize(status)}`;
  if (status === 'cancelling') return 'it is being cancelled';
  if (to === 'pause') return status === 'paused' && !waits ? 'already paused' : undefined;
  if (deployment.approval && (to === 'advance' || waits)) return 'it waits for approval';
  if (to === 'resume') return status === 'paused' ? undefined : 'not paused';
  if (!rollout) return 'it has no rollout';
  if (rollout.wave === 0) return 'it has not begun';
  if (to === 'skip')
    return waveToSkip(deployment) < rollout.waves.length ? undefined : 'the last wave cannot be skipped';
  if (status === 'paused') return 'it is paused';
  return rollout.wave < rollout.waves.length ? undefined : 'the last wave has begun';
}

/** The part of an action that controls a deployment. */
function flowOf(to: Control) {
  const lineOf = (shown: ShownDeployment, reason?: string) =>
    deploymentCommand(shown, to, { ...(to === 'skip' && { wave: String(waveToSkip(shown.deployment)) }), reason });
  return deploymentFlow({
    refusal: (shown) => refusal(to, shown),
    open: (context, one) =>
      askForReason(context, `${texts[to].verb} the deployment`, (reason) =>
        planOf(context.ui, one, to, reason, lineOf(one, reason)),
      ),
    lineOf,
  });
}

function planOf(
  ui: Ui,
  shown: ShownDeployment,
  to: Control,
  reason: string | undefined,
  line: readonly string[],
): Plan {
  const { deploymentKind, deployment } = shown;
  const [what, target] = [whatOf(ui, shown), targetOf(ui, shown)];
  const { verb, effect, done } = texts[to];
  return {
    title: `${verb} the deployment of ${what}`,
    facts: [
      { label: 'Target', text: target },
      { label: 'Robots', text: countsOf(deployment) || 'selected when it starts' },
      { label: 'Reason', text: reason ?? 'none' },
    ],
    warnings: [effect(deployment)],
    line,
    confirm: { kind: 'enter' },
    async run() {
      const control = to === 'skip' ? { to, wave: waveToSkip(deployment) } : { to };
      await ui.mutations.controlDeployment(deploymentKind, deployment.id, { ...control, reason });
      return done(what, target);
    },
  };
}

export const pauseFlow = flowOf('pause');
export const resumeFlow = flowOf('resume');
export const advanceFlow = flowOf('advance');
export const skipFlow = flowOf('skip');
