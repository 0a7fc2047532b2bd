import type { Knex } from 'knex';
import { parseSelector, selectorText } from '../../kernel/label-selector.ts';
import { selectorStore } from './selector-store.ts';
import type { DeploymentFilter } from './store.ts';

/** Of deployments of either kind. */
export interface ListFilter extends DeploymentFilter {
  targetSelector?: string | undefined; // in any form
}

/** No ID of anything. */
const nothing = '';

/** The filter with the ID of its selector. @throws bad_request */
export async function withTargetId(
  db: Knex,
  orgId: string,
  { targetSelector, ...filter }: ListFilter,
): Promise<DeploymentFilter> {
  if (targetSelector === undefined) return filter;
  const normal = selectorText(parseSelector('query.target_selector', targetSelector));
  const found = (await selectorStore(db).findId(orgId, normal)) ?? nothing;
  return { ...filter, targetId: (filter.targetId ?? found) === found ? found : nothing };
}
