import type { Knex } from 'knex';
import type { operations } from '../../../generated/api.d.ts';
import { parseSelector, selectorText } from '../../kernel/label-selector.ts';
import { selectorStore } from './selector-store.ts';
import type { DeploymentFilter } from './store.ts';

type ListQuery = NonNullable<operations['listDeployments']['parameters']['query']>;
type SharedQuery = Omit<ListQuery, 'release_id'>;

/** No ID of anything. */
const nothing = '';

/** The filter of a list of deployments of either kind, without what only one has. @throws bad_request */
export async function readListFilter(db: Knex, orgId: string, query: SharedQuery): Promise<DeploymentFilter> {
  const { target_id: targetId, target_selector: selector } = query;
  const wantedId = selector === undefined ? targetId : await idOfSelector(db, orgId, selector);
  return {
    status: query.status,
    targetId: (targetId ?? wantedId) === wantedId ? wantedId : nothing,
    causeKind: query.cause_kind,
    rollbackOf: query.rollback_of,
    retryOf: query.retry_of,
    awaitsApproval: query.waiting_on === 'approval',
  };
}

/** `nothing` if no deployment was made for it. */
async function idOfSelector(db: Knex, orgId: string, text: string): Promise<string> {
  const normal = selectorText(parseSelector('query.target_selector', text));
  return (await selectorStore(db).findId(orgId, normal)) ?? nothing;
}
