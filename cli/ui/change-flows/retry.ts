import { randomUUID } from 'node:crypto';
import { humanize, isTerminal } from '../../output/deployment-format.ts';
import { attemptsText, leftOutText, retriedText, retryWarning } from '../../output/retry-text.ts';
import type { Mutations } from '../data/mutations.ts';
import { targetOf, whatOf, type ShownDeployment } from '../deployment/deployment.ts';
import type { FormField, Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { deploymentCommand, deploymentFlow, targetConfirmation } from './deployment-flow.ts';
import { numberFault, numberIn, textIn } from './field-checks.ts';
import { reasonField } from './reason.ts';

type FailedAs = NonNullable<Parameters<Mutations['retryDeployment']>[2]['reasons']>[number];

interface Wish {
  failedAs: FailedAs;
  attempts: number;
  backoff: string;
  reason: string | undefined;
}

const failures: readonly FailedAs[] = ['any', 'failed', 'timed_out', 'rejected', 'rolled_back', 'unreached'];
/** From the contract. */
const maxAttempts = 5;

const fields: readonly FormField[] = [
  {
    name: 'failedAs',
    label: 'Failed as',
    kind: 'choice',
    choices: failures.map((value) => ({ value, text: humanize(value) })),
    hint: 'The robots on which it failed so',
  },
  {
    name: 'attempts',
    label: 'Attempts',
    kind: 'text',
    initial: '1',
    hint: `1 to ${maxAttempts}; each is for those on which it failed again`,
    check: numberFault(1, maxAttempts),
  },
  {
    name: 'backoff',
    label: 'Begin after',
    kind: 'text',
    initial: '0s',
    hint: 'Such as 10m; it doubles with each attempt',
    check: (value) => (/^\s*(\d+[smhd])?\s*$/.test(value) ? undefined : 'a number with s, m, h or d, such as 10m'),
  },
  reasonField,
];

/** Why nothing of the deployment can be retried; undefined if it may be. */
function refusal({ deployment: { status, rollback, rollback_of: original, counts } }: ShownDeployment) {
  if (original !== undefined) return 'it is a rollback';
  if (!isTerminal(status)) return 'it has not ended';
  if (rollback) return 'it was rolled back';
  return counts.failed + counts.rolled_back > 0 ? undefined : 'it failed on no robot';
}

const lineOf = (shown: ShownDeployment, wish?: Wish) =>
  deploymentCommand(shown, 'retry', wish === undefined ? {} : flagsOf(wish));

/** Without the defaults. */
const flagsOf = ({ failedAs, attempts, backoff, reason }: Wish) => ({
  'failed-as': failedAs === 'any' ? undefined : failedAs,
  attempts: attempts === 1 ? undefined : attempts,
  backoff: backoff === '0s' ? undefined : backoff,
  reason,
});

/** The plan shows how many robots are retried, as the service says now. */
async function planOf(ui: Ui, shown: ShownDeployment, wish: Wish): Promise<Plan> {
  const { deploymentKind, deployment } = shown;
  const { failedAs, attempts, backoff, reason } = wish;
  const preview = await ui.mutations.readRetry(deploymentKind, deployment.id, failedAs);
  const [what, target, leftOut] = [whatOf(ui, shown), targetOf(ui, shown), leftOutText(preview)];
  const idempotencyKey = randomUUID();
  return {
    title: `Retry the deployment of ${what}`,
    facts: [
      { label: 'Target', text: target },
      { label: 'Retry', text: retriedText(preview) || 'no robot' },
      ...(leftOut ? [{ label: 'Left out', text: leftOut }] : []),
      { label: 'Attempts', text: attemptsText(attempts, backoff) },
      { label: 'Reason', text: reason ?? 'none' },
    ],
    warnings: [retryWarning],
    line: lineOf(shown, wish),
    confirm: targetConfirmation(ui, shown),
    isRepeatable: true,
    async run() {
      const request = {
        reasons: [failedAs],
        attempts,
        backoff,
        ...(reason !== undefined && { reason }),
        idempotencyKey,
      };
      const made = await ui.mutations.retryDeployment(deploymentKind, deployment.id, request);
      return {
        message: `Retrying ${what} for ${target}.`,
        open: { screen: 'deployment', deployment: { deploymentKind, id: made.id } },
      };
    },
  };
}

/** The part of an action that retries a deployment. */
export const retryFlow = deploymentFlow({
  refusal,
  open: ({ ui }, one) =>
    ui.overlay.set({
      kind: 'form',
      form: {
        title: 'Retry the deployment',
        fields,
        submit: async (values) =>
          planOf(ui, one, {
            failedAs: failures.find((each) => each === values['failedAs']) ?? 'any',
            attempts: numberIn(values['attempts']) ?? 1,
            backoff: textIn(values['backoff']) ?? '0s',
            reason: textIn(values['reason']),
          }),
      },
    }),
  lineOf,
});
