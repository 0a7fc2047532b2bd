import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { entryColumns } from '../../../src/audit/model.ts';
import { plainArray } from '../../../src/platform/db/arrays.ts';
import { jsonRows } from '../../../src/platform/db/json-rows.ts';

/** As many as the sealer takes. */
const batchEntries = 1_000;

/**
 * What sealing cannot do without: reads the entries of an org that wait, in their order and as JSON, hashes that text as it is, and writes number
 * and hash, a transaction a batch. No lock, no canonical form, no chain, no limit of bytes.
 */
export async function sealBarely(db: Knex, orgId: string): Promise<void> {
  for (let seq = 0, found = batchEntries; found === batchEntries;) {
    found = await db.transaction(async (trx) => {
      const page = await jsonRows(trx, {
        sql: `select id, ${entryColumns.join(', ')} from audit where org_id = $1 and hash is null order by seq, at, id limit $2`,
        bindings: [orgId, batchEntries],
      });
      const rows = page.objects.map((text) => ({
        id: (JSON.parse(text) as { id: string }).id,
        seq: (seq += 1),
        hash: createHash('sha256').update(text).digest('hex'),
      }));
      await trx.raw(
        `update audit set seq = sealed.seq, hash = decode(sealed.hash, 'hex')
           from unnest(?::uuid[], ?::bigint[], ?::text[]) as sealed (id, seq, hash)
          where audit.org_id = ? and audit.id = sealed.id`,
        [
          plainArray(rows.map(({ id }) => id)),
          plainArray(rows.map((row) => row.seq)),
          plainArray(rows.map(({ hash }) => hash)),
          orgId,
        ],
      );
      return rows.length;
    });
  }
}

/** What verifying cannot do without: reads the JSON of each entry and hashes that text as it is. */
export function verifyBarely(texts: readonly string[]): void {
  for (const text of texts) {
    JSON.parse(text);
    createHash('sha256').update(text).digest('hex');
  }
}
