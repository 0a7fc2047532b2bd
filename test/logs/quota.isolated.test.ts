import { expect, test, vi } from 'vitest';
import { createLogIngest } from '../../src/logs/service.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { until } from '../support/until.ts';
import { messagesOf, records, sendTo, startIsolatedLogWorld, type LogWorld } from './support.ts';

const setLimit = ({ world }: LogWorld, most?: number) =>
  world.call('PUT', `/api/admin/orgs/${world.orgId}/quotas`, {
    token: world.adminToken,
    body: most === undefined ? {} : { log_bytes_per_day: most },
  });
const quotasOf = async (logs: LogWorld) => (await logs.get('/api/org/quotas')).body.data;
const gapOf = (dropped: number) =>
  `${dropped} records dropped: the org has stored its quota of log bytes for today (UTC); see cli org quotas`;
const stored = (seq: number) => ({ kind: 'stored', spool: 'spool', seq });
const refused = (seq: number) => ({ ...stored(seq), isRefused: true });
/** So large that each flush of these tests exceeds the limits. */
const large = { message: 'x'.repeat(2_000) };

test('records beyond the quota are acknowledged and not stored, and a gap record stands for them', async () => {
  await using logs = await startIsolatedLogWorld();
  const link = await logs.robot();
  await setLimit(logs, 1_000);
  expect(await logs.send(link, records(1, 1, large))).toEqual(stored(1)); // the flush that exceeds it is stored
  expect(await logs.send(link, records(2, 4))).toEqual(refused(4));
  expect(await logs.send(link, records(5, 6))).toEqual(refused(6));
  const all = await logs.all(link.robotId);
  expect(messagesOf(all)).toEqual([large.message, gapOf(3)]);
  expect(all[1]).toMatchObject({ type: 'gap', level: 'warn', source: 'service', dropped: 3, reason: 'org_quota' });
  const { used } = await quotasOf(logs);
  expect(used).toMatchObject({ refused_log_records: 5 });
  expect(used.log_bytes_per_day).toBeGreaterThan(2_000);
  expect(used.log_bytes_per_day).toBeLessThan(2_200);
});

test('refused records are not stored later, and those after them are, once the limit is raised', async () => {
  await using logs = await startIsolatedLogWorld();
  const [link, other] = [await logs.robot(), await logs.robot()];
  await setLimit(logs, 0);
  await logs.send(link, records(1, 3));
  await logs.send(link, records(4, 9));
  await logs.send(other, records(1, 1));
  await logs.send(other, [...records(2, 2), ...records(3, 3, { type: 'gap', dropped: 40 })]);
  await setLimit(logs);
  expect(await logs.send(link, records(10, 11))).toEqual(stored(11));
  expect(await logs.send(other, records(4, 4))).toEqual(stored(4));
  expect(messagesOf(await logs.all(link.robotId))).toEqual([gapOf(3), gapOf(6), 'line 10', 'line 11']);
  expect(messagesOf(await logs.all(other.robotId))).toEqual([gapOf(1), gapOf(41), 'line 4']);
  await logs.merge();
  expect(messagesOf(await logs.all(link.robotId))).toEqual([gapOf(3), gapOf(6), 'line 10', 'line 11']);
});

test('a robot gets one gap record in ten minutes, for all that was refused until then', async () => {
  await using logs = await startIsolatedLogWorld();
  const link = await logs.robot();
  await setLimit(logs, 0);
  using clock = vi.spyOn(performance, 'now');
  for (let seq = 1; seq <= 5; seq += 1) await logs.send(link, records(seq, seq));
  expect(messagesOf(await logs.all(link.robotId))).toEqual([gapOf(1)]);
  const now = performance.now();
  clock.mockImplementation(() => now + 600_000);
  await logs.send(link, records(6, 6));
  clock.mockRestore();
  expect(messagesOf(await logs.all(link.robotId))).toEqual([gapOf(1), gapOf(5)]);
});

test('a link that resends what was refused and acknowledged gets the same answer, and stores nothing twice', async () => {
  await using logs = await startIsolatedLogWorld();
  const link = await logs.robot();
  await logs.send(link, records(1, 2));
  await setLimit(logs, 0);
  await logs.send(link, records(3, 4));
  await logs.send(link, records(5, 6));
  const next = await logs.relink(link);
  expect(await logs.send(next, records(3, 6))).toEqual({
    ...refused(6),
    skipped: { fromSeq: 3, toSeq: 4, records: 2 }, // the gap record has the number 4
  });
  expect(messagesOf(await logs.all(link.robotId))).toEqual(['line 1', 'line 2', gapOf(2)]);
});

test('the day is that of UTC: a new one begins with nothing stored, and is reported anew', async () => {
  await using logs = await startIsolatedLogWorld();
  const link = await logs.robot();
  await setLimit(logs, 1_000);
  const entries = async () => (await logs.get('/api/audit?operation=refuseLogRecords')).body.items;
  for (let seq = 1; seq <= 4; seq += 1) await logs.send(link, records(seq, seq, large));
  expect(await entries()).toEqual([
    expect.objectContaining({
      actor_kind: 'system',
      object_kind: 'org',
      object_id: logs.world.orgId,
      after: { quotas: { log_bytes_per_day: 1_000 } },
    }),
  ]);
  const { db, orgId } = logs.world;
  await db('org_logs_today')
    .where({ org_id: orgId })
    .update({ day: db.raw('day - 1') });
  expect((await quotasOf(logs)).used).toMatchObject({ log_bytes_per_day: 0, refused_log_records: 0 });
  await logs.send(link, records(5, 5, large));
  expect(messagesOf(await logs.all(link.robotId)).slice(-2)).toEqual([gapOf(2), large.message]);
  await logs.send(link, records(6, 6, large));
  expect(await entries()).toHaveLength(2);
});

for (const { kind, most } of [
  { kind: 'all that it may', most: 5_000 },
  { kind: 'nothing, as it may not', most: 0 },
])
  test(`an org whose day was counted by a clock that was set back, and which has stored ${kind}, has its quota again`, async () => {
    await using logs = await startIsolatedLogWorld();
    const link = await logs.robot();
    await setLimit(logs, most);
    const { db, orgId } = logs.world;
    await db('org_logs_today').insert({ org_id: orgId, day: '2100-01-01', bytes: most, refused_records: 8 });
    const used = async () => (await quotasOf(logs)).used;
    expect(await used()).toMatchObject({ log_bytes_per_day: 0, refused_log_records: 0 });
    expect(await logs.send(link, records(1, 1, large))).toEqual(most > 0 ? stored(1) : refused(1));
    expect((await used()).refused_log_records).toBe(most > 0 ? 0 : 1);
    const { rows } = await db.raw('select day - utc_today() as days from org_logs_today');
    expect(rows).toEqual([{ days: 0 }]);
  });

test('replicas that store at the same time exceed the quota by less than one flush', async () => {
  await using logs = await startIsolatedLogWorld();
  const most = 100_000;
  const others = [1, 2].map(() =>
    createLogIngest({ db: logs.world.db, log: createLogger('silent', []), flushEveryMs: 5, retryForMs: 60_000 }),
  );
  const links = await Promise.all([1, 2, 3].map(() => logs.robot()));
  await setLimit(logs, most);
  await Promise.all(
    [logs.ingest, ...others].map(async (ingest, index) => {
      for (let seq = 1; seq <= 40; seq += 1) {
        const link = links[index];
        if (link) expect(await sendTo(ingest, link, records(seq, seq, large))).toMatchObject(stored(seq));
      }
    }),
  );
  for (const ingest of others) await ingest.close();
  const { used } = await quotasOf(logs);
  expect(used.log_bytes_per_day).toBeGreaterThanOrEqual(most);
  expect(used.log_bytes_per_day).toBeLessThan(most + 2_200);
  const all = (await Promise.all(links.map(({ robotId }) => logs.all(robotId)))).flat();
  expect(all.filter(({ message }) => message === large.message)).toHaveLength(120 - used.refused_log_records);
});

test('a segment that waits while another replica begins the day is stored if there is room', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db, orgId } = logs.world;
  const link = await logs.robot();
  await setLimit(logs, 1_000);
  const sent = await db.transaction(async (trx) => {
    await trx('org_logs_today').insert({ org_id: orgId, day: trx.raw('utc_today()'), bytes: 5 });
    const sending = logs.send(link, records(1, 1));
    await until(async () => {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%store_log_segment_in_quota%' and pid <> pg_backend_pid()`,
      );
      return rows.length > 0;
    });
    return { sending };
  });
  expect(await sent.sending).toEqual(stored(1));
  expect(messagesOf(await logs.all(link.robotId))).toEqual(['line 1']);
});

test('of an org without the quota nothing is counted, and nothing refused', async () => {
  await using logs = await startIsolatedLogWorld();
  const link = await logs.robot();
  await logs.send(link, records(1, 1, large));
  await setLimit(logs);
  await logs.send(link, records(2, 2, large));
  expect(await logs.world.count('org_logs_today')).toBe(0);
  expect(await quotasOf(logs)).toEqual({ used: { robots: 1, artifact_bytes: 0, live_streams: 0 } });
});
