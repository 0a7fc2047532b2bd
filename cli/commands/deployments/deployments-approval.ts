import {
  apiOf,
  type AnyDeployment,
  type Api,
  type ApprovalRequest,
  type DeploymentApproval,
  type DeploymentApprovals,
} from '../../api/api.ts';
import { isDryRun } from '../../command-line/dry-run.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { approvedPart, approvedText, expiryText } from '../../output/approval-text.ts';
import { humanize } from '../../output/deployment-format.ts';
import { planFacts } from '../../output/plan-text.ts';
import { relativeTime } from '../../output/time.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import { confirmEffect, type Effect } from '../effects/effect.ts';
import { nameLookup, targetText } from '../name-lookup.ts';
import { printObject } from '../shared.ts';
import { namedDeploymentIdOf } from './deployment-id.ts';
import type { DeploymentOperations } from './deployment-operations.ts';

type Decision = 'approve' | 'reject';

const view: View<DeploymentApprovals> = {
  columns: [
    {
      field: 'request',
      header: 'APPROVED',
      shown: 'table',
      text: ({ request }) => (request ? approvedText(request) : ''),
    },
    { field: 'author', shown: 'table', text: ({ author }) => author?.name ?? '' },
    { field: 'decisions', shown: 'table', text: ({ decisions }) => decisions.map(decisionText).join('; ') },
  ],
  name: () => 'approvals',
};

/** `ana@example.com approves: tested`. */
const decisionText = ({ by, decision, reason }: DeploymentApproval): string =>
  `${by.name} ${decision}s${reason === undefined ? '' : `: ${reason}`}`;

/** The decisions, as `show` lists them. */
export const decisionView: View<DeploymentApproval> = {
  columns: [
    { field: 'at', header: 'WHEN', shown: 'table', text: ({ at }) => relativeTime(at) },
    { field: 'wave', shown: 'table' },
    { field: 'by', shown: 'table', text: ({ by }) => by.name },
    {
      field: 'decision',
      shown: 'table',
      text: ({ decision, lapsed_at: lapsedAt }) => `${decision}s${lapsedAt === undefined ? '' : ', lapsed'}`,
    },
    { field: 'reason', shown: 'table' },
  ],
  name: ({ at }) => at,
};

/** `deployments approve` and `reject`, and those of configs. */
export async function decideOf<D extends AnyDeployment>(
  call: Invocation,
  operations: DeploymentOperations<D>,
  decision: Decision,
): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const { flags, io } = call;
  const [reason, given] = [flags.text('reason'), flags.text('plan-hash')];
  const { commands } = operations;
  if (decision === 'reject' && reason === undefined)
    throw usage('a rejection needs --reason', 'Example: --reason "not on a Friday"');
  // What nobody read cannot be approved.
  if (given === undefined && !isDryRun(call) && (flags.on('yes') || !io.canAsk))
    throw usage(
      '--plan-hash is required where nothing is asked',
      `Read it with: ${commands.show} <id> --jq .data.approval.plan_hash`,
    );
  const api = await apiOf(call);
  const id = await namedDeploymentIdOf(call, api, operations);
  let shown: ApprovalRequest | undefined;
  await confirmEffect(call, async () => {
    const deployment = (await operations.get(api, id)).body.data;
    shown = deployment.approval;
    if (!shown) throw notWaiting(deployment);
    return effectOf(api, operations, deployment, shown, decision);
  });
  const wave = flags.integer('wave') ?? shown?.wave;
  const reply = await operations.decide(api, id, {
    decision,
    plan_hash: given ?? shown?.plan_hash ?? '',
    ...(wave !== undefined && { wave }),
    ...(reason !== undefined && { reason }),
  });
  await printObject(call, reply, view, doneText(reply.body.data, decision, `${commands.watch} ${id}`));
}

const notWaiting = ({ status }: AnyDeployment) =>
  new CliError(`the deployment does not wait for approval: it is ${humanize(status)}`, { code: 'conflict' });

/** What is approved, and by whom it was so far. */
async function effectOf<D extends AnyDeployment>(
  api: Api,
  operations: DeploymentOperations<D>,
  deployment: D,
  request: ApprovalRequest,
  decision: Decision,
): Promise<Effect> {
  const names = nameLookup(api);
  const [approvals, plan] = await Promise.all([
    operations.approvals(api, deployment.id),
    api.get('/api/deployment-plans/{id}', { path: { id: deployment.plan_id ?? '' } }),
    names.load(operations.references(deployment)),
  ]);
  return {
    title: `${decision === 'approve' ? 'Approve' : 'Reject'} ${approvedPart(request.wave)} ${deployment.id}`,
    facts: [
      ['Brings', operations.subject(deployment, names)],
      ['Target', targetText(deployment, names)],
      ['Author', approvals.body.data.author?.name],
      ...planFacts(plan.body.data),
      ['Approved', approvedText(request)],
      ['Expires', expiryText(request)],
      ['Plan hash', request.plan_hash],
    ],
  };
}

function doneText({ request }: DeploymentApprovals, decision: Decision, watch: string): string {
  if (decision === 'reject')
    return 'Rejected. A deployment that has not begun is cancelled; otherwise it stays paused.';
  if (!request) return `Approved. It continues, unless it is paused. Watch it: ${watch}`;
  const left = request.people - request.approved_by.length;
  return `Approved. It needs ${left} more ${left === 1 ? 'person' : 'people'}.`;
}
