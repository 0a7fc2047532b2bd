import type { Knex } from 'knex';
import { fleetService } from '../../fleets/service.ts';
import { releaseService } from '../../releases/service.ts';
import { robotService } from '../../robots/service.ts';
import { siteService } from '../../sites/service.ts';
import type { Page } from '../../kernel/page.ts';
import type { JsonRows } from '../../platform/db/json-rows.ts';

export type Names = ReadonlyMap<string, string>;

type List = (page: Page) => Promise<JsonRows<string>>;

async function namesOf(list: List, ids: readonly (string | undefined)[], field = 'name'): Promise<Names> {
  const wanted = [...new Set(ids.filter((id) => id !== undefined))];
  if (wanted.length === 0) return new Map();
  const { objects } = await list({ ids: wanted, limit: wanted.length });
  return new Map(
    objects.map((text) => {
      const object = JSON.parse(text) as Record<string, string>;
      return [object['id'] ?? '', object[field] ?? ''];
    }),
  );
}

/** The names behind IDs of an org; those of removed objects are missing. */
export const names = (db: Knex, orgId: string) => ({
  sites: (ids: readonly (string | undefined)[]) => namesOf((page) => siteService(db).list(orgId, {}, page), ids),
  fleets: (ids: readonly (string | undefined)[]) => namesOf((page) => fleetService(db).list(orgId, {}, page), ids),
  robots: (ids: readonly (string | undefined)[]) => namesOf((page) => robotService(db).list(orgId, {}, page), ids),
  releases: (ids: readonly (string | undefined)[]) =>
    namesOf((page) => releaseService(db).list(orgId, {}, page), ids, 'tag'),
});
