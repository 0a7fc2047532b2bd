import type { Knex } from 'knex';
import { insertRow } from '../platform/db/insert.ts';
import { jsonRows } from '../platform/db/json-rows.ts';
import { entryColumns, type AuditAnchor, type AuditTrim, type ExportedRange } from './model.ts';

/** Entries deleted by one statement. */
const deletedAtATime = 5_000;
/** Maximum bytes of details per read: all of it is in memory at once. */
const readBytes = 8 * 1024 * 1024;

interface Row {
  org_id: string;
  seq: number;
  hash: Buffer;
  first_seq: number;
  exported_at: Date;
  file_sha256: Buffer;
  created_at: Date;
  created_by: string;
  effective_at: Date | null;
  finished_at: Date | null;
}

/** SQL: the number of the last entry of the org `:orgId` that was exported and deleted, else 0. */
export const trimmedUpTo = `(select coalesce(max(t.seq), 0) from audit_trims t where t.org_id = :orgId and t.effective_at is not null)`;

export function trimStore(db: Knex) {
  return {
    async anchorOf(orgId: string): Promise<AuditAnchor | undefined> {
      const { rows } = await db.raw<{ rows: Row[] }>(
        'select * from audit_trims where org_id = ? and effective_at is not null order by seq desc limit 1',
        [orgId],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async find(orgId: string, seq: number): Promise<AuditTrim | undefined> {
      const row = await db('audit_trims').where({ org_id: orgId, seq }).first<Row | undefined>();
      return row && fromRow(row);
    },

    /** Newest first. */
    async list(limit: number): Promise<AuditTrim[]> {
      const rows = await db('audit_trims')
        .select<Row[]>('*')
        .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'org_id' }, { column: 'seq' }])
        .limit(limit);
      return rows.map(fromRow);
    },

    /** Nothing is deleted before `takeEffect`. */
    async add(range: ExportedRange, createdBy: string): Promise<void> {
      await insertRow<Row>(db, 'audit_trims', {
        org_id: range.orgId,
        seq: range.seq,
        hash: range.hash,
        first_seq: range.firstSeq,
        exported_at: range.exportedAt,
        file_sha256: Buffer.from(range.fileSha256, 'hex'),
        created_by: createdBy,
      });
    },

    /** The database refuses it until an entry `trimAudit` about it is sealed. */
    async takeEffect(orgId: string, seq: number): Promise<void> {
      await db('audit_trims').where({ org_id: orgId, seq, effective_at: null }).update({ effective_at: db.fn.now() });
    },

    /** Deletes the oldest entries up to `seq`. Returns how many; 0: there are none. */
    async deleteSome(orgId: string, seq: number): Promise<number> {
      const { rowCount } = await db.raw<{ rowCount: number }>(
        `delete from audit where ctid = any(array(
           select ctid from audit where org_id = ? and seq <= ? order by seq limit ${deletedAtATime}))`,
        [orgId, seq],
      );
      return rowCount;
    },

    async finish(orgId: string, seq: number): Promise<void> {
      await db('audit_trims')
        .where({ org_id: orgId, finished_at: null })
        .where('seq', '<=', seq)
        .whereNotNull('effective_at')
        .update({
          finished_at: db.fn.now(),
        });
    },

    /** The hash of a sealed entry. */
    async hashOf(orgId: string, seq: number): Promise<Buffer | undefined> {
      const row = await db('audit').where({ org_id: orgId, seq }).first<{ hash: Buffer | null } | undefined>('hash');
      return row?.hash ?? undefined;
    },

    /** The number of the last sealed entry from before a time (RFC 3339); 0: there is none. */
    async lastBefore(orgId: string, at: string): Promise<number> {
      const row = await db('audit')
        .where({ org_id: orgId })
        .where('at', '<', at)
        .whereNotNull('hash')
        .orderBy('seq', 'desc')
        .first<{ seq: number } | undefined>('seq');
      return row?.seq ?? 0;
    },

    /**
     * Sealed entries after a number, as in the API: up to a number of them and of bytes, but at least one. Fewer do not mean that
     * no more exist.
     */
    async entriesAfter(orgId: string, seq: number, limit: number): Promise<readonly string[]> {
      const { objects } = await jsonRows(db, {
        sql: `select ${entryColumns.join(', ')}, encode(hash, 'hex') as hash from (
                select *, row_number() over in_order as n,
                  sum(coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)) over in_order as bytes
                  from (select * from audit where org_id = $1 and seq > $2 and hash is not null order by seq limit $3) as next
                window in_order as (order by seq)
              ) as measured where n = 1 or bytes <= ${readBytes} order by seq`,
        bindings: [orgId, seq, limit],
      });
      return objects;
    },

    async orgs(): Promise<string[]> {
      return db('orgs').orderBy('id').pluck<string[]>('id');
    },

    /** Keeps an org from being erased until the end of the transaction. Returns false if it is. */
    async holdOrg(orgId: string): Promise<boolean> {
      return (await db('orgs').where({ id: orgId }).forKeyShare().first('id')) !== undefined;
    },
  };
}

const fromRow = (row: Row): AuditTrim => ({
  orgId: row.org_id,
  seq: row.seq,
  hash: row.hash,
  firstSeq: row.first_seq,
  exportedAt: row.exported_at,
  fileSha256: row.file_sha256.toString('hex'),
  createdAt: row.created_at,
  createdBy: row.created_by,
  effectiveAt: row.effective_at ?? undefined,
  finishedAt: row.finished_at ?? undefined,
});
