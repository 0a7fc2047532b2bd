import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { spanMs } from '../../src/logs/model.ts';
import { createLogIngest, type LinkRef } from '../../src/logs/service.ts';
import { createLogger } from '../../src/platform/logging.ts';
import type { IsolatedWorld } from '../support/world.ts';
import { startOnDamagedCopy } from './damage.ts';
import { records, sendTo, startIsolatedLogWorld, type LogWorld } from './support.ts';

/** Text that deflating makes hardly shorter than it was as bytes. */
const noise = (bytes: number): string => randomBytes(bytes).toString('base64');

/** Robots that sent a line in each of so many segments an hour ago. */
async function sendHourAgo(
  logs: LogWorld,
  { robots, segments, bytes }: Record<'robots' | 'segments' | 'bytes', number>,
) {
  const links = await Promise.all(Array.from({ length: robots }, () => logs.robot()));
  for (let seq = 1; seq <= segments; seq += 1)
    await Promise.all(links.map((link) => logs.send(link, records(seq, seq, { message: `${seq} ${noise(bytes)}` }))));
  const hourAgo = Date.now() - 3_600_000;
  await logs.spread(hourAgo - (hourAgo % spanMs), 1);
  return links;
}

interface Place {
  id: number; // of a segment
  page: number;
  relation: string;
  records: number;
}

const placesIn = async ({ db }: IsolatedWorld): Promise<Place[]> => {
  const { rows } = await db.raw<{ rows: Place[] }>(
    `select id, records, (ctid::text::point)[0]::int as page, tableoid::regclass::text as relation from log_segments order by id`,
  );
  return rows;
};

/** The numbers of a robot's records. */
async function seqsIn({ call }: IsolatedWorld, { robotId }: LinkRef): Promise<number[]> {
  const page = await call('GET', `/api/robots/${robotId}/logs?after=0&limit=1000`);
  expect(page.status).toBe(200);
  return (page.body.items as { seq: number }[]).map(({ seq }) => seq);
}

/** The segments that the service reported at level error, with their lost records. */
const reportsIn = ({ lines }: IsolatedWorld) =>
  lines
    .map((line) => JSON.parse(line) as { segment?: number; records?: number })
    .flatMap(({ segment, records: lost }) => (segment === undefined ? [] : [{ segment, lost }]));

const countedIn = async ({ call }: IsolatedWorld): Promise<number> =>
  Number(/^fleet_log_records_lost_total (\d+)$/m.exec((await call('GET', '/metrics', { token: '' })).text)?.[1]);

/** Once everything is merged, and the damaged partition is gone. */
async function merged({ db }: IsolatedWorld, { id, relation }: Place): Promise<void> {
  await expect.poll(() => db('log_orgs').pluck('merged_id')).toEqual([id]);
  await expect
    .poll(async () => (await db.raw('select to_regclass(?) as there', [relation])).rows)
    .toEqual([{ there: null }]);
}

test('a page of segments that Postgres cannot read loses only the segments on it, which are counted and reported', async () => {
  await using logs = await startIsolatedLogWorld();
  const [link] = await sendHourAgo(logs, { robots: 1, segments: 40, bytes: 900 });
  const places = await placesIn(logs.world);
  const [first, last] = [places[0], places.at(-1)];
  if (!link || !first || !last) throw new Error('nothing was stored');
  const lost = places.filter(({ page }) => page === first.page || page === last.page);
  expect(lost.length).toBeGreaterThan(2);
  expect(lost.length).toBeLessThan(30);

  await using damaged = await startOnDamagedCopy(
    logs,
    [first, last].map(({ relation, page }) => ({ relation, page, with: 'noise' })),
  );
  await merged(damaged, last);
  const read = places.flatMap((place, index) => (lost.includes(place) ? [] : [index + 1]));
  expect(await seqsIn(damaged, link)).toEqual(read);
  expect(reportsIn(damaged)).toEqual(lost.map(({ id }) => ({ segment: id, lost: undefined })));
  expect(await countedIn(damaged)).toBe(lost.length);
});

test.each(['noise', 'zeros'] as const)(
  'a page of the long values of segments that became %s loses only the groups on it, and no number is given twice',
  async (content) => {
    await using logs = await startIsolatedLogWorld();
    const links = await sendHourAgo(logs, { robots: 12, segments: 3, bytes: 6_000 });
    const places = await placesIn(logs.world);
    const last = places.at(-1);
    if (!last) throw new Error('nothing was stored');
    const { rows } = await logs.world.db.raw<{ rows: [{ relation: string; pages: number }] }>(
      `select reltoastrelid::regclass::text as relation, pg_relation_size(reltoastrelid) / 8192 as pages
         from pg_class where oid = ?::regclass`,
      [last.relation],
    );
    const [{ relation, pages }] = rows; // the last pages have the last records of some robots
    await using damaged = await startOnDamagedCopy(logs, [{ relation, page: pages - 2, with: content }]);
    await merged(damaged, last);
    const seqs = await Promise.all(links.map((link) => seqsIn(damaged, link)));
    const lost = seqs.reduce((total, each) => total + 3 - each.length, 0);
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(6); // a page has four pieces of values
    expect(reportsIn(damaged).reduce((total, report) => total + (report.lost ?? 0), 0)).toBe(lost);
    expect(await countedIn(damaged)).toBe(lost);

    const ingest = createLogIngest({ db: damaged.db, log: createLogger('silent', []), flushEveryMs: 5 });
    for (const link of links)
      expect(await sendTo(ingest, link, records(1, 4))).toMatchObject({ seq: 4, skipped: { records: 3 } });
    await ingest.close();
    for (const [index, link] of links.entries())
      expect(await seqsIn(damaged, link)).toEqual([...(seqs[index] ?? []), 4]);
  },
);

test('without the index of segments, which Postgres cannot read, nothing is lost', async () => {
  await using logs = await startIsolatedLogWorld();
  const links = await sendHourAgo(logs, { robots: 2, segments: 10, bytes: 10 });
  const last = (await placesIn(logs.world)).at(-1);
  if (!last) throw new Error('nothing was stored');
  await using damaged = await startOnDamagedCopy(logs, [{ relation: `${last.relation}_pkey`, page: 1, with: 'noise' }]);
  await merged(damaged, last);
  for (const link of links) expect(await seqsIn(damaged, link)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(reportsIn(damaged)).toEqual([]);
});
