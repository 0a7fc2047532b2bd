import { approvedPart, approvedText, expiryText } from '../../output/approval-text.ts';
import { planFacts } from '../../output/plan-text.ts';
import { targetOf, whatOf, type ShownDeployment } from '../deployment/deployment.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { deploymentCommand, deploymentFlow } from './deployment-flow.ts';
import { askForReason } from './reason.ts';

type Decision = 'approve' | 'reject';
type ApprovalRequest = NonNullable<ShownDeployment['deployment']['approval']>;

const verbs = { approve: 'Approve', reject: 'Reject' } as const;

const effects: Readonly<Record<Decision, (request: ApprovalRequest) => string>> = {
  approve: ({ people, approved_by: by }) =>
    by.length + 1 < people ? 'It waits for further people.' : 'It continues at once.',
  reject: ({ wave }) =>
    wave === 0 ? 'It is cancelled, and no robot receives it.' : 'It stays paused. A resume requests approvals again.',
};

/** The part of an action that decides what a deployment waits for. */
function flowOf(decision: Decision) {
  const lineOf = (shown: ShownDeployment, reason?: string) => deploymentCommand(shown, decision, { reason });
  return deploymentFlow({
    refusal: ({ deployment }) => (deployment.approval ? undefined : 'it does not wait for approval'),
    open(context, one) {
      const request = one.deployment.approval;
      if (!request) return;
      askForReason(context, `${verbs[decision]} ${approvedPart(request.wave)}`, (reason) =>
        planOf(context.ui, one, { decision, request, reason, line: lineOf(one, reason) }),
      );
    },
    lineOf,
  });
}

interface Wish {
  decision: Decision;
  request: ApprovalRequest;
  reason: string | undefined;
  line: readonly string[];
}

/** The plan shows what is approved, and its hash is what is sent. */
async function planOf(ui: Ui, shown: ShownDeployment, { decision, request, reason, line }: Wish): Promise<Plan> {
  const { deploymentKind, deployment } = shown;
  const { author, plan } = await ui.mutations.readApproval(deploymentKind, deployment);
  const [what, target] = [whatOf(ui, shown), targetOf(ui, shown)];
  const facts: [string, string | undefined][] = [
    ['Target', target],
    ['Author', author],
    ...planFacts(plan),
    ['Approved', approvedText(request)],
    ['Expires', expiryText(request)],
    ['Plan hash', request.plan_hash],
    ['Reason', reason ?? 'none'],
  ];
  return {
    title: `${verbs[decision]} ${approvedPart(request.wave)} of ${what}`,
    facts: facts.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }])),
    warnings: [effects[decision](request)],
    line,
    confirm: { kind: 'enter' },
    isRepeatable: true,
    async run() {
      const { plan_hash: hash, wave } = request;
      const body = { decision, plan_hash: hash, wave, ...(reason !== undefined && { reason }) };
      await ui.mutations.decideApproval(deploymentKind, deployment.id, body);
      return `${decision === 'approve' ? 'Approved' : 'Rejected'} ${what} for ${target}.`;
    },
  };
}

export const approveFlow = flowOf('approve');
export const rejectFlow = flowOf('reject');
