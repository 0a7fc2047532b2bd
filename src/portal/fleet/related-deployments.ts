import type { Knex } from 'knex';
import { deploymentService } from '../../deployments/api/service.ts';
import { html, type Html } from '../page.ts';
import { deploymentTable, kindOf, newestOf, type Deployment } from './deployment-rows.ts';
import { rowsOf } from './rows-of.ts';

/** Of each relation. */
const maxShown = 20;

/** What it rolls back, retries or waits for, why it exists, and what rolls back and retries it. Undefined if there are none. */
export async function relatedDeployments(db: Knex, orgId: string, deployment: Deployment): Promise<Html | undefined> {
  const { id, rollback_of: original, retry_of: retried, caused_by: cause, blocked_by: blocking = [] } = deployment;
  const kind = kindOf(deployment);
  const relations = new Map<string, string>(blocking.slice(0, maxShown).map((each) => [each, 'must end first']));
  const newer = replacedBy(deployment);
  if (newer !== undefined) relations.set(newer, 'paused this one');
  if (cause) relations.set(cause.deployment_id, `caused this one: ${cause.kind}`);
  if (retried !== undefined) relations.set(retried, 'retried by this one');
  if (original !== undefined) relations.set(original, 'rolled back by this one');

  const list = async (filter: { rollbackOf?: string; retryOf?: string }, ids?: readonly string[]) => {
    const page = { limit: maxShown + 1, newestFirst: true, ...(ids && { ids, limit: ids.length }) };
    return rowsOf<Deployment>(await deploymentService(db).list(orgId, kind, filter, page));
  };
  const [others, rollbacks, retries] = await Promise.all([
    relations.size === 0 ? [] : list({}, [...relations.keys()]),
    list({ rollbackOf: id }),
    list({ retryOf: id }),
  ]);
  for (const each of rollbacks) relations.set(each.id, 'rolls back this one');
  for (const each of retries) relations.set(each.id, `retries this one, attempt ${each.retry?.attempt ?? ''}`);
  const all = [...others, ...rollbacks.slice(0, maxShown), ...retries.slice(0, maxShown)];
  if (all.length === 0) return undefined;
  const isCut = Math.max(blocking.length, rollbacks.length, retries.length) > maxShown;
  return html`<h2>Related deployments</h2>
    ${await deploymentTable(db, orgId, {
      title: 'Related deployments',
      rows: newestOf(all, all.length),
      also: { Relation: (each) => relations.get(each.id) },
    })}
    ${isCut ? html`<p>Only ${maxShown} of each relation are shown.</p>` : undefined}`;
}

/** The newer deployment that paused it. The service writes its ID into the reason. */
const replacedBy = ({ paused }: Deployment): string | undefined =>
  paused?.code === 'superseded' ? /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.exec(paused.reason ?? '')?.[0] : undefined;
