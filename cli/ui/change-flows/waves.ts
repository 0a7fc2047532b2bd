import { CliError } from '../../command-line/errors.ts';
import { humanize, isTerminal } from '../../output/deployment-format.ts';
import { parseWaves, waveText } from '../../output/rollout-text.ts';
import { firstToChange, newWavesText, waitingIn, waveSizes, wavesNowText, wavesOf } from '../../output/wave-text.ts';
import { deploymentOf, targetOf, whatOf, type ShownDeployment } from '../deployment/deployment.ts';
import type { FormField, Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { deploymentCommand, deploymentFlow } from './deployment-flow.ts';
import { numberFault, numberIn, textIn } from './field-checks.ts';
import { reasonField } from './reason.ts';

interface Change {
  from: number;
  waves: ReturnType<typeof parseWaves>;
  reason: string | undefined;
}

/** Why its waves cannot be changed; undefined if they can. */
function refusal({ deployment: { status, rollout } }: ShownDeployment): string | undefined {
  if (isTerminal(status)) return `it has ended: ${humanize(status)}`;
  if (status === 'cancelling') return 'it is being cancelled';
  if (!rollout) return 'it has no rollout';
  if (rollout.wave === 0) return 'it has not begun';
  if (rollout.approval) return 'people approved it with its waves';
  return rollout.wave < rollout.waves.length ? undefined : 'the last wave has begun';
}

const lineOf = (shown: ShownDeployment, change?: Change) =>
  deploymentCommand(
    shown,
    'waves',
    change && { from: change.from, wave: change.waves.map(waveText), reason: change.reason },
  );

function wavesFault(text: string): string | undefined {
  try {
    return parseWaves(text).length === 0 ? 'at least one wave is required' : undefined;
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

function fieldsOf({ deployment }: ShownDeployment): readonly FormField[] {
  const from = firstToChange(deployment);
  const waves = wavesOf(deployment, from);
  return [
    {
      name: 'from',
      label: 'From wave',
      kind: 'text',
      initial: String(from),
      hint: 'Those before stay',
      check: (value) =>
        value.trim() === '' ? 'a number is required' : numberFault(from, waves.at(-1)?.number ?? from)(value),
    },
    {
      name: 'waves',
      label: 'New waves',
      kind: 'text',
      initial: waves
        .map(waveText)
        .filter((text) => text !== '')
        .join('; '),
      hint: 'Such as 5; canaries: tier=canary; 10%',
      check: wavesFault,
    },
    reasonField,
  ];
}

function planOf(ui: Ui, shown: ShownDeployment, change: Change): Plan {
  const { deploymentKind, deployment } = shown;
  const { from, waves, reason } = change;
  const [what, target] = [whatOf(ui, shown), targetOf(ui, shown)];
  const now = () => wavesOf((deploymentOf(ui, deploymentKind, deployment.id) ?? shown).deployment, from);
  return {
    title: `Change the waves of the deployment of ${what}`,
    get facts() {
      return [
        { label: 'Target', text: target },
        { label: 'Robots', text: `${waitingIn(now())} that wait are assigned again` },
        { label: 'Now', text: wavesNowText(now()) },
        { label: 'New', text: newWavesText(waves) },
        { label: 'Reason', text: reason ?? 'none' },
      ];
    },
    warnings: [`Waves before wave ${from} stay. Percentages are of all robots of the deployment.`],
    line: lineOf(shown, change),
    confirm: { kind: 'enter' },
    isRepeatable: true,
    async run() {
      const made = await ui.mutations.setWaves(deploymentKind, deployment.id, {
        from,
        waves,
        ...(reason !== undefined && { reason }),
      });
      return `Robots by wave: ${waveSizes(wavesOf(made, from))}.`;
    },
  };
}

/** The part of an action that changes the waves of a deployment. */
export const wavesFlow = deploymentFlow({
  refusal,
  open: ({ ui }, one) =>
    ui.overlay.set({
      kind: 'form',
      form: {
        title: 'Change the waves that have not begun',
        fields: fieldsOf(one),
        submit: async (values) =>
          planOf(ui, one, {
            from: numberIn(values['from']) ?? firstToChange(one.deployment),
            waves: parseWaves(values['waves'] ?? ''),
            reason: textIn(values['reason']),
          }),
      },
    }),
  lineOf,
});
