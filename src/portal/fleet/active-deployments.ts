import type { Knex } from 'knex';
import { deploymentService, type DeploymentKind } from '../../deployments/api/service.ts';
import { html, type Html } from '../page.ts';
import { deploymentTable, newestOf, type Deployment } from './deployment-rows.ts';
import { rowsOf } from './rows-of.ts';

const maxShown = 20;

/** Active deployments that people and programs created, newest first; those that the service created are left out, except retries. */
export async function activeDeployments(db: Knex, orgId: string): Promise<Html> {
  const list = async (kind: DeploymentKind) => {
    const filter = { isActive: true, causeKind: 'none', includesRetries: true };
    return rowsOf<Deployment>(
      await deploymentService(db).list(orgId, kind, filter, {
        limit: maxShown + 1,
        newestFirst: true,
      }),
    );
  };
  const all = [...(await list('release')), ...(await list('config'))];
  const rows = newestOf(all, maxShown);
  return html`<h2>Active deployments</h2>
    ${await deploymentTable(db, orgId, {
      title: 'Active deployments',
      rows,
      whenEmpty: 'No active deployments.',
    })}
    <p>
      ${all.length > rows.length ? html`Only the newest ${maxShown} are shown.` : undefined}
      <a href="/portal/fleet/deployments">All deployments</a>
    </p>`;
}
