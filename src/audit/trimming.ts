import type { Knex } from 'knex';
import type { ExportedRange } from './model.ts';
import { sealingStore } from './sealing.ts';
import { auditStore } from './store.ts';
import { trimStore } from './trim-store.ts';

/**
 * Deletes the oldest entries of a log, whose export was verified. First an entry `trimAudit` is written and sealed, then the log
 * begins after the range for all readers, then entries are deleted in steps. Each step can be repeated after a crash.
 */
export function auditTrimming(db: Knex) {
  const trims = trimStore(db);

  async function begin(range: ExportedRange, createdBy: string): Promise<boolean> {
    return db.transaction(async (trx) => {
      if (!(await trimStore(trx).holdOrg(range.orgId))) return false;
      await trimStore(trx).add(range, createdBy);
      await auditStore(trx).record(range.orgId, {
        actor: { kind: 'system' },
        operation: 'trimAudit',
        objectKind: 'org',
        objectId: range.orgId,
        after: {
          seq: range.seq,
          hash: range.hash.toString('hex'),
          first_seq: range.firstSeq,
          exported_at: range.exportedAt.toISOString(),
          file_sha256: range.fileSha256,
        },
      });
      return true;
    });
  }

  return {
    anchorOf: trims.anchorOf,
    find: trims.find,
    list: trims.list,
    hashOf: trims.hashOf,
    lastBefore: trims.lastBefore,
    entriesAfter: trims.entriesAfter,
    orgs: trims.orgs,

    /**
     * Begins or continues the deletion of a range. Returns the number of deleted entries; undefined if the org is erased.
     */
    async trim(range: ExportedRange, createdBy: string): Promise<number | undefined> {
      const { orgId, seq } = range;
      if (!(await trims.find(orgId, seq)) && !(await begin(range, createdBy))) return undefined;
      while (await sealingStore(db).sealBatch(orgId, 'wait'));
      await trims.takeEffect(orgId, seq);
      let deleted = 0;
      for (let step = await trims.deleteSome(orgId, seq); step > 0; step = await trims.deleteSome(orgId, seq))
        deleted += step;
      await trims.finish(orgId, seq);
      return deleted;
    },
  };
}
