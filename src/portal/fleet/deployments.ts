import type { Knex } from 'knex';
import { deploymentService, type DeploymentKind } from '../../deployments/api/service.ts';
import { html, type Html } from '../page.ts';
import { deploymentTable, type Deployment } from './deployment-rows.ts';
import { regionOf, type Region } from './live-page.ts';
import { linkTo, oneOf, pageOf } from './query.ts';
import { rowsOf } from './rows-of.ts';

export const deploymentsQuery = ['kind', 'cursor'] as const;
type DeploymentsQuery = Partial<Record<(typeof deploymentsQuery)[number], string>>;

const path = '/portal/fleet/deployments';
const kinds: readonly DeploymentKind[] = ['release', 'config'];
const words = { release: 'Releases', config: 'Configs' } as const;

/** The region of the list of deployments of a kind, newest first. @throws bad_request for an invalid query */
export async function deploymentsRegion(db: Knex, orgId: string, query: DeploymentsQuery): Promise<Region> {
  const kind = oneOf('kind', query.kind, kinds) ?? 'release';
  const { objects, links } = await pageOf(path, query, (page) =>
    deploymentService(db).list(orgId, kind, {}, { ...page, newestFirst: true }),
  );
  const rows = rowsOf<Deployment>({ objects });
  const title = `Deployments of ${words[kind].toLowerCase()}`;
  return regionOf(
    html`${await deploymentTable(db, orgId, { title, rows, whenEmpty: 'No deployments yet.' })} ${links}`,
  );
}

/** Links to the deployments of each kind. */
export const kindLinks = (chosen = 'release'): Html =>
  html`<ul class="pages kinds" aria-label="Kind">
    ${kinds.map(
      (kind) =>
        html`<li>
          ${
            kind === chosen
              ? html`<strong>${words[kind]}</strong>`
              : html`<a href="${linkTo(path, { kind })}">${words[kind]}</a>`
          }
        </li>`,
    )}
  </ul>`;
