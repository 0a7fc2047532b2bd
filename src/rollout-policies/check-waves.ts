import type { Knex } from 'knex';
import { parseSelector } from '../kernel/label-selector.ts';
import { checkNames } from '../robots/service.ts';
import type { Rollout } from './rollout.ts';

/**
 * Refuses a rollout with a wave for a site, fleet or capability that does not exist: the wave would be empty, and the next
 * one begin at once.
 * @throws bad_request, naming the wave within `field`
 */
export async function checkWaves(db: Knex, orgId: string, field: string, { waves }: Rollout): Promise<void> {
  for (const [index, { selector }] of waves.entries()) {
    const at = `${field}.waves.${index}.selector`;
    if (selector !== undefined) await checkNames(db, orgId, at, parseSelector(at, selector));
  }
}
