import type { Knex } from 'knex';
import { deploymentService } from '../../deployments/api/service.ts';
import { html, type Html } from '../page.ts';
import { table } from '../table.ts';
import { kindOf, type Deployment } from './deployment-rows.ts';
import { instant } from './instant.ts';
import { names } from './names.ts';
import { robotsPath } from './robots.ts';
import { rowsOf } from './rows-of.ts';
import { waitText, type Gate } from './wait-text.ts';

/** Robots of each table. */
const maxRobots = 100;
type Status = keyof Deployment['counts'];
/** Statuses of robots that need a look. */
const failures = ['failed', 'rolled_back'] as const satisfies Status[];
/** The other ones, in the order of the page: those that change first. */
const otherStatuses = [
  ...['rolling_back', 'cancelling', 'verifying', 'installing', 'downloading', 'dispatched'],
  ...['waiting', 'cancelled', 'applied'],
] as Status[];

/** The fields of a target that the page shows, as in the contract. */
interface TargetRow {
  robot_id: string;
  status: string;
  wave?: number;
  reason?: string;
  message?: string;
  waiting_on?: { code: string; since?: string; detail?: string };
  gate?: Gate;
  updated_at: string;
  progress?: { percent: number; text?: string };
}

/** The robots of a deployment that failed, and the other ones. Undefined: none failed. */
export async function targetTables(
  db: Knex,
  orgId: string,
  deployment: Deployment,
): Promise<{ failed: Html | undefined; others: Html }> {
  const { counts } = deployment;
  const bad = counts.failed + counts.rolled_back;
  return {
    failed: bad === 0 ? undefined : await targetTable(db, orgId, deployment, 'Failed robots', failures, bad),
    others: await targetTable(db, orgId, deployment, 'Other robots', otherStatuses, counts.total - bad),
  };
}

/** The first robots with these statuses, which `total` robots have. */
async function targetTable(
  db: Knex,
  orgId: string,
  deployment: Deployment,
  title: string,
  statuses: readonly Status[],
  total: number,
): Promise<Html> {
  const rows: TargetRow[] = [];
  for (const status of statuses)
    if (deployment.counts[status] > 0 && rows.length < maxRobots)
      rows.push(...(await readTargets(db, orgId, deployment, status, maxRobots - rows.length)));
  const found = await names(db, orgId).robots(rows.map(({ robot_id: id }) => id));
  const columns = {
    Robot: ({ robot_id: id }: TargetRow) => html`<a href="${robotsPath}/${id}">${found.get(id) ?? id}</a>`,
    State: ({ status, progress, gate }: TargetRow) =>
      `${status.replace('_', ' ')}${progress === undefined || gate ? '' : ` ${progress.percent} %`}`,
    ...(deployment.rollout && { Wave: ({ wave }: TargetRow) => wave }),
    'Waits for, or reason': ({ waiting_on: wait, gate, reason = '', message = '' }: TargetRow) =>
      wait ? waitText(wait, gate) : [reason.replaceAll('_', ' '), message].filter((text) => text !== '').join(': '),
    Since: ({ updated_at }: TargetRow) => instant(updated_at),
  };
  const more = total - rows.length;
  return html`<h2>${title}</h2>
    ${table({ title, columns, rows, whenEmpty: more > 0 ? '' : 'None.' })}
    ${more > 0 ? html`<p>${more} more ${more === 1 ? 'is' : 'are'} not shown.</p>` : undefined}`;
}

const readTargets = async (db: Knex, orgId: string, deployment: Deployment, status: Status, limit: number) =>
  rowsOf<TargetRow>(
    await deploymentService(db).listTargets(orgId, kindOf(deployment), deployment.id, { status }, { limit }),
  );
