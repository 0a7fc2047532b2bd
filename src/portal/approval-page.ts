import type { Knex } from 'knex';
import { approvalService, planService, type DeploymentKind } from '../deployments/api/service.ts';
import { downgradeFact } from './downgrades.ts';
import { describe, kindOf, type Deployment } from './fleet/deployment-rows.ts';
import { factList } from './fleet/fact-list.ts';
import { instant } from './fleet/instant.ts';
import { orgFields, type MemberSession } from './org-session.ts';
import { html, type Html } from './page.ts';
import { table } from './table.ts';

export const approvalsPath = '/portal/approvals';

type Request = NonNullable<Deployment['approval']>;

const partOf = ({ wave }: Request): string => (wave === 0 ? 'the beginning' : `wave ${wave}`);

/** `1 of 2, by ana@example.com`. */
export const approvedText = ({ people, approved_by: by }: Request): string =>
  `${by.length} of ${people}${by.length === 0 ? '' : `, by ${by.join(', ')}`}`;

/** What waits for approval, as given. */
export async function approvalTable(db: Knex, orgId: string, rows: readonly Deployment[]): Promise<Html> {
  const { what, target } = await describe(db, orgId, rows);
  const columns = {
    Deployment: (each: Deployment) => html`<a href="${approvalsPath}/${kindOf(each)}/${each.id}">${what(each)}</a>`,
    To: target,
    For: ({ approval }: Deployment) => approval && partOf(approval),
    Approved: ({ approval }: Deployment) => approval && approvedText(approval),
    Expires: ({ approval }: Deployment) => approval?.expires_at && instant(approval.expires_at),
  };
  return table({
    title: 'Deployments that wait for approval',
    columns,
    rows,
    whenEmpty: 'Nothing waits for approval.',
  });
}

/** What a deployment brings to which robots, and who decided what. */
export async function approvalPage(
  db: Knex,
  orgId: string,
  kind: DeploymentKind,
  deployment: Deployment,
): Promise<{ title: string; body: Html }> {
  const { approval, plan_id: planId } = deployment;
  const [{ what, target }, downgrade, { author, decisions }, plan] = await Promise.all([
    describe(db, orgId, [deployment]),
    approval && downgradeFact(db, orgId, deployment),
    approvalService(db).get(orgId, kind, deployment.id),
    approval && planService(db).get(orgId, planId ?? ''),
  ]);
  const facts: Record<string, Html> = {
    State: html`<strong>${deployment.status.replace('_', ' ')}</strong>`,
    To: target(deployment),
    ...(author && { Author: html`${author.name}` }),
    ...(downgrade && { [downgrade.label]: html`<strong>${downgrade.text}</strong>` }),
    ...(plan && {
      Robots: html`${plan.counts.robots}, ${plan.counts.online} online`,
      Waves: html`${plan.waves.map(({ number, name, robots }) => `${name ?? number}: ${robots}`).join('; ')}`,
      ...(plan.conflicts.length > 0 && { Conflicts: html`${plan.conflicts.map(conflictText).join('; ')}` }),
    }),
    ...(approval && {
      For: html`${partOf(approval)}`,
      Approved: html`${approvedText(approval)}`,
      'Least role': html`${approval.role}`,
      'Plan hash': html`<code>${approval.plan_hash}</code>`,
    }),
    ...(approval?.expires_at !== undefined && { Expires: instant(approval.expires_at) }),
    Deployment: html`<a href="/portal/fleet/deployments/${kind}/${deployment.id}">Progress</a>`,
  };
  const columns = {
    Person: ({ by }: (typeof decisions)[number]) => by.name,
    Decision: ({ decision, lapsed_at: lapsedAt }: (typeof decisions)[number]) =>
      `${decision}${lapsedAt === undefined ? '' : ', lapsed'}`,
    Wave: ({ wave }: (typeof decisions)[number]) => (wave === 0 ? 'the beginning' : wave),
    Reason: ({ reason }: (typeof decisions)[number]) => reason,
    When: ({ at }: (typeof decisions)[number]) => instant(at),
  };
  return {
    title: `Approval of ${what(deployment)}`,
    body: html`${factList(facts)}
      <h2>Decisions</h2>
      ${table({ title: 'Decisions', columns, rows: decisions, whenEmpty: 'None yet.' })}
      ${approval ? undefined : html`<p>It does not wait for approval.</p>`}`,
  };
}

/** The form that decides. Its hash is that of the plan on the page. */
export const approvalForm = (visitor: MemberSession, kind: DeploymentKind, id: string, request: Request): Html =>
  html`<h2>Decide</h2>
    <form method="post" action="${approvalsPath}/${kind}/${id}" class="stacked">
      ${orgFields(visitor)}
      <input type="hidden" name="plan_hash" value="${request.plan_hash}" />
      <input type="hidden" name="wave" value="${request.wave}" />
      <label for="reason">Reason, for colleagues</label>
      <input id="reason" name="reason" maxlength="500" autocomplete="off" />
      <button type="submit" name="decision" value="approve">Approve</button>
      <button type="submit" name="decision" value="reject" class="quiet">Reject</button>
    </form>
    <p>
      ${
        request.wave === 0
          ? 'Rejected, it is cancelled, and no robot receives it.'
          : 'Rejected, it stays paused. A resume requests approvals again.'
      }
    </p>`;

const conflictText = ({
  deployment_id: id,
  robots,
  supersede,
}: {
  deployment_id: string;
  robots: number;
  supersede: string;
}) => `${id} (${robots} ${robots === 1 ? 'robot' : 'robots'}): ${supersede}`;
