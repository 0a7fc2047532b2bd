import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { canonicalJson } from '../../cli/commands/audit/canonical-json.ts';
import type { World } from './world.ts';

export interface SealedEntry {
  seq: number;
  operation: string;
  object_id: string;
  hash: string;
}

/** Every entry from the API, page by page. */
export async function wholeLog(world: Pick<World, 'call'>, token?: string): Promise<SealedEntry[]> {
  const all: SealedEntry[] = [];
  for (;;) {
    const { body } = await world.call('GET', `/api/audit?limit=1000&after=${all.at(-1)?.seq ?? 0}`, { token });
    const { items } = body as { items: SealedEntry[] };
    all.push(...items);
    if (items.length < 1_000) return all;
  }
}

/** The numbers of entries whose hash does not match their text and the previous entry. */
export function unfit(orgId: string, log: readonly SealedEntry[]): number[] {
  let previous = createHash('sha256').update(orgId).digest();
  return log.flatMap(({ hash, ...entry }, index) => {
    previous = createHash('sha256').update(previous).update(canonicalJson(entry)).digest();
    return previous.toString('hex') === hash && entry.seq === index + 1 ? [] : [entry.seq];
  });
}

/** Writes as a database owner can who disables its guards. */
export const unguarded = (db: Knex, sql: string, bindings: Knex.RawBinding[] = []): Promise<unknown> =>
  db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    await trx.raw(sql, bindings);
  });

/** Unsealed entries, each a millisecond after the previous one. */
export const addEntries = (db: Knex, orgId: string, count: number, after = '{}', daysAgo = 0): Promise<unknown> =>
  db.raw(
    `insert into audit (org_id, id, at, actor_kind, operation, object_kind, object_id, after)
     select ?, gen_random_uuid(), now() - ? * interval '1 day' + n * interval '1 ms', 'system', 'createSite', 'site', n::text, ?::jsonb from generate_series(1, ?) n`,
    [orgId, daysAgo, after, count],
  );
