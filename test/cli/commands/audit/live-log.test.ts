import { expect, test } from 'vitest';
import type { Api, AuditAnchor, AuditEntry } from '../../../../cli/api/api.ts';
import { hashAfter, startOf } from '../../../../cli/commands/audit/chain.ts';
import { verifyLog } from '../../../../cli/commands/audit/live-log.ts';

const orgId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01';

/** A log of 3,000 entries, of which the last one records that it begins after entry 2,500. */
function log() {
  const entries: AuditEntry[] = [];
  let previous = startOf(orgId);
  for (let seq = 1; seq <= 3_000; seq += 1) {
    const entry: AuditEntry = {
      ...{ seq, at: '', actor_kind: 'system', object_kind: 'org', object_id: orgId },
      ...(seq < 3_000
        ? { operation: 'createSite' }
        : { operation: 'trimAudit', after: { seq: 2_500, hash: entries[2_499]?.hash } }),
    };
    previous = hashAfter(previous, entry);
    entries.push({ ...entry, hash: previous });
  }
  const hash = entries[2_499]?.hash ?? '';
  return { entries, anchor: { seq: 2_500, hash, exported_at: '', file_sha256: '' } };
}

/** A service that gives these parts of a log, one for each request. */
const serviceOf = (pages: readonly { items: AuditEntry[]; anchor?: AuditAnchor }[]) => {
  const left = [...pages];
  return { get: async () => ({ orgId, body: left.shift() ?? { items: [] } }) } as unknown as Api;
};

const wanted = { known: [], from: undefined, onProgress: () => undefined };

test('a log that is trimmed while it is read is verified from its new beginning', async () => {
  const { entries, anchor } = log();
  const api = serviceOf([{ items: entries.slice(0, 1_000) }, { items: entries.slice(2_500), anchor }]);
  expect(await verifyLog(api, wanted)).toMatchObject({ entries: 500, first: 2_501, head: { seq: 3_000 } });
});

test('the entry about the beginning may be newer than the response with it, but must come', async () => {
  const { entries, anchor } = log();
  const first = { items: entries.slice(2_500, 2_999), anchor };
  const api = serviceOf([first, { items: entries.slice(2_999), anchor }]);
  expect(await verifyLog(api, wanted)).toMatchObject({ entries: 500, head: { seq: 3_000 } });
  await expect(verifyLog(serviceOf([first]), wanted)).rejects.toThrow(
    'entries up to 2500 are missing, and no entry records their export',
  );
});
