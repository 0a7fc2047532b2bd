import { expect, test } from 'vitest';
import type { Api, AuditAnchor, AuditEntry } from '../../../../cli/api/api.ts';
import { verifyLog } from '../../../../cli/commands/audit/live-log.ts';
import { trimmedLog } from '../../../support/log-trimmed-meanwhile.ts';

/** A service that gives these parts of a log, one for each request. */
const serviceOf = (pages: readonly { items: AuditEntry[]; anchor?: AuditAnchor }[]) => {
  const left = [...pages];
  return { get: async () => ({ orgId: trimmedLog().orgId, body: left.shift() ?? { items: [] } }) } as unknown as Api;
};

const wanted = { known: [], from: undefined, onProgress: () => undefined };

test('a log that is trimmed while it is read is verified from its new beginning', async () => {
  const { entries, anchor } = trimmedLog();
  const api = serviceOf([{ items: entries.slice(0, 1_000) }, { items: entries.slice(2_500), anchor }]);
  expect(await verifyLog(api, wanted)).toMatchObject({ entries: 500, first: 2_501, head: { seq: 3_000 } });
});

test('a page that was read just before the log begins later is verified, and so is the rest', async () => {
  const { entries, anchor } = trimmedLog();
  const before = { items: entries.slice(0, 1_000), anchor };
  const after = { items: entries.slice(2_500), anchor };
  expect(await verifyLog(serviceOf([before, after]), wanted)).toMatchObject({ entries: 500, first: 2_501 });
  const { seq, hash = '' } = entries[600] ?? { seq: 0 };
  const kept = { seq, hash, source: '--from' as const };
  const pages = [599, 1_599, 2_599].map((start) => ({ items: entries.slice(start, start + 1_000), anchor }));
  expect(await verifyLog(serviceOf(pages), { ...wanted, from: kept, known: [kept] })).toMatchObject({
    entries: 2_400,
    head: { seq: 3_000 },
  });
});

test.each(['exported_at', 'file_sha256'])('another %s than the one that the log records is refused', async (name) => {
  const { entries, anchor } = trimmedLog();
  const page = { items: entries.slice(2_500), anchor: { ...anchor, [name]: 'other' } };
  await expect(verifyLog(serviceOf([page]), wanted)).rejects.toThrow('no entry records their export');
});

test('the entry about the beginning may be newer than the response with it, but must come', async () => {
  const { entries, anchor } = trimmedLog();
  const first = { items: entries.slice(2_500, 2_999), anchor };
  const api = serviceOf([first, { items: entries.slice(2_999), anchor }]);
  expect(await verifyLog(api, wanted)).toMatchObject({ entries: 500, head: { seq: 3_000 } });
  await expect(verifyLog(serviceOf([first]), wanted)).rejects.toThrow(
    'entries up to 2500 are missing, and no entry records their export',
  );
});
