import type { Knex } from 'knex';
import { notFound } from '../../kernel/errors.ts';
import { deploymentService, type DeploymentKind } from '../../deployments/api/service.ts';
import { html, type Html } from '../page.ts';
import { table } from '../table.ts';
import { describe, kindOf, progressOf, type Deployment } from './deployment-rows.ts';
import { bar, numbers } from './health.ts';
import { factList } from './fact-list.ts';
import { instant } from './instant.ts';
import { names, type Names } from './names.ts';
import { regionOf, type Region } from './live-page.ts';
import { robotsPath } from './robots.ts';
import { rowsOf } from './rows-of.ts';

/** Robots of each list. */
const maxRobots = 100;
/** Statuses of robots that need a look. */
const failures = ['failed', 'rolled_back'] as const;
/** The other ones, in the order of the page: those that change first. */
const otherStatuses = [
  ...['rolling_back', 'cancelling', 'verifying', 'installing', 'downloading', 'dispatched'],
  ...['waiting', 'cancelled', 'applied'],
] as (keyof Deployment['counts'])[];

/** The fields of a target that the page shows, as in the contract. */
interface TargetRow {
  robot_id: string;
  status: string;
  reason?: string;
  message?: string;
  updated_at: string;
  progress?: { percent: number; text?: string };
}

/** What a deployment brings, and the region of its page. @throws not_found */
export async function deploymentPage(
  db: Knex,
  orgId: string,
  { kind, id }: { kind: string; id: string },
): Promise<{ title: string; region: Region }> {
  if (kind !== 'release' && kind !== 'config') throw notFound('deployment');
  const deployment: Deployment = await deploymentService(db).get(orgId, kind, id);
  const { counts } = deployment;
  const list = async (statuses: readonly (keyof typeof counts)[]) =>
    (
      await Promise.all(
        statuses
          .filter((status) => counts[status] > 0)
          .map((status) => targets(db, orgId, { kind, id, status, limit: maxRobots })),
      )
    ).flat();
  const [{ what, target }, failed, all] = await Promise.all([
    describe(db, orgId, [deployment]),
    list(failures),
    list(otherStatuses),
  ]);
  const others = all.slice(0, maxRobots);
  const found = await names(db, orgId).robots([...failed, ...others].map(({ robot_id }) => robot_id));
  const bad = counts.failed + counts.rolled_back;
  return {
    title: `Deployment of ${what(deployment)}`,
    region: regionOf(
      html`${facts(deployment, target(deployment))}
      ${bad === 0 ? undefined : robotTable('Failed robots', failed, bad, found)}
      ${robotTable('Other robots', others, counts.total - bad, found)}`,
    ),
  };
}

async function targets(
  db: Knex,
  orgId: string,
  { kind, id, status, limit }: { kind: DeploymentKind; id: string; status: string; limit: number },
): Promise<TargetRow[]> {
  return rowsOf(await deploymentService(db).listTargets(orgId, kind, id, { status }, { limit }));
}

const facts = (deployment: Deployment, target: Html): Html => {
  const { id, status, reason, scheduled_at, created_at, started_at, ended_at, waiting_on } = deployment;
  const rows: Record<string, Html> = {
    State: html`<strong>${status.replace('_', ' ')}</strong> ${reason === undefined ? undefined : html`(${reason})`}`,
    ...(waiting_on && { 'Waits for': html`${waiting_on.code.replaceAll('_', ' ')} ${decideLink(deployment)}` }),
    To: target,
    Created: instant(created_at),
    ...(scheduled_at !== undefined && { 'Scheduled for': instant(scheduled_at) }),
    ...(started_at !== undefined && { Started: instant(started_at) }),
    ...(ended_at !== undefined && { Ended: instant(ended_at) }),
    ID: html`<code>${id}</code>`,
  };
  return html`${factList(rows)}
    <h2>Progress</h2>
    <p class="progress">${bar(progressOf(deployment))} ${numbers(progressOf(deployment))}</p>`;
};

/** Where people approve it, if it waits for that. */
const decideLink = (deployment: Deployment): Html | undefined =>
  deployment.approval && html`(<a href="/portal/approvals/${kindOf(deployment)}/${deployment.id}">decide</a>)`;

function robotTable(title: string, rows: readonly TargetRow[], total: number, found: Names): Html {
  const columns = {
    Robot: ({ robot_id: id }: TargetRow) => html`<a href="${robotsPath}/${id}">${found.get(id) ?? id}</a>`,
    State: ({ status, progress }: TargetRow) =>
      html`${status.replace('_', ' ')} ${progress === undefined ? undefined : html`${progress.percent} %`}`,
    Reason: ({ reason = '', message = '' }: TargetRow) =>
      [reason.replaceAll('_', ' '), message].filter((text) => text !== '').join(': '),
    Since: ({ updated_at }: TargetRow) => instant(updated_at),
  };
  const more = total - rows.length;
  return html`<h2>${title}</h2>
    ${table({ title, columns, rows, whenEmpty: more > 0 ? '' : 'None.' })}
    ${more > 0 ? html`<p>${more} more ${more === 1 ? 'is' : 'are'} not shown.</p>` : undefined}`;
}
