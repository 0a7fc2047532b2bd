import type { Knex } from 'knex';
import { limits } from '../../generated/protocol.js';
import { plainArray, startsOf, textArray } from '../platform/db/arrays.ts';
import { chunkLength } from './batch.ts';
import { packText } from './body.ts';
import type { Delivery, LogStore, StoreOutcome } from './delivery.ts';

interface PackedChunk {
  records: number;
  maxLevel: number;
  bytes: number; // of the text
  body: Buffer;
}

interface PackedDelivery extends Delivery {
  chunks: readonly PackedChunk[];
}

/**
 * Deliveries of one statement. Before the tables are analyzed, Postgres may join their rows in a nested loop: a square
 * that must stay small.
 */
const maxDeliveries = 1_000;

/**
 * Stores records as replicas of the previous release do, so that they and this one may store side by side: a row for
 * what a robot sent of a spool, and one for how far the spool is stored. The next release does without it.
 */
export function chunkWriter(db: Knex): LogStore {
  return {
    /**
     * Creates the rows that `store` moves. If a robot then has more than `maxSpoolsPerRobot`, those that moved longest
     * ago are deleted.
     */
    async readHeads(spools) {
      const { rows } = await db.raw<{ rows: { n: number; stored_seq: number }[] }>(
        `with wanted as materialized (
           select w.* from unnest(?::uuid[], ?::uuid[], ?::text[]) with ordinality as w (org_id, robot_id, spool, n)
             join robots r on r.org_id = w.org_id and r.id = w.robot_id
         ), counters as (
           insert into log_counters (org_id, robot_id, seq, received_at) select distinct org_id, robot_id, 0, now() from wanted
           on conflict do nothing
         ), heads as (
           insert into log_heads (org_id, robot_id, spool, stored_seq) select org_id, robot_id, spool, 0 from wanted
           on conflict do nothing
           returning org_id, robot_id
         ), grown as (
           select org_id, robot_id, count(*) as added from heads group by 1, 2
         ), room as (
           -- The rows before the insert; those that are asked for stay.
           delete from log_heads h using (
             select o.org_id, o.robot_id, o.spool from grown g cross join lateral (
               select * from log_heads l where l.org_id = g.org_id and l.robot_id = g.robot_id
                order by exists (select from wanted w where w.org_id = l.org_id and w.robot_id = l.robot_id and w.spool = l.spool) desc,
                         l.moved_at desc, l.spool
               offset greatest(0, ? - g.added)
             ) o
           ) old
           where h.org_id = old.org_id and h.robot_id = old.robot_id and h.spool = old.spool
         )
         select n::int, coalesce(stored_seq, 0) as stored_seq from wanted left join log_heads using (org_id, robot_id, spool)`,
        [
          plainArray(spools.map(({ orgId }) => orgId)),
          plainArray(spools.map(({ robotId }) => robotId)),
          textArray(spools.map(({ spool }) => spool)),
          limits.maxSpoolsPerRobot,
        ],
      );
      const found = new Map(rows.map((row) => [row.n, row.stored_seq]));
      return spools.map((_spool, index) => found.get(index + 1));
    },

    /** In one statement, and so in one transaction: a head only moves forward, over records after it. */
    async store(deliveries) {
      const outcomes: StoreOutcome[] = [];
      for (let start = 0; start < deliveries.length; start += maxDeliveries)
        outcomes.push(...(await storeSome(deliveries.slice(start, start + maxDeliveries))));
      return outcomes;
    },
  };

  async function storeSome(some: readonly Delivery[]): Promise<StoreOutcome[]> {
    const deliveries = await Promise.all(some.map(packed));
    const chunks = deliveries.flatMap(chunksOf);
    const { rows } = await db.raw<{ rows: { n: number; first_seq: number | null }[] }>(storeSql, [
      plainArray(deliveries.map((_delivery, n) => n)),
      plainArray(deliveries.map(({ orgId }) => orgId)),
      plainArray(deliveries.map(({ robotId }) => robotId)),
      plainArray(deliveries.map(({ epoch }) => epoch)),
      textArray(deliveries.map(({ spool }) => spool)),
      plainArray(deliveries.map(({ fromSeq }) => fromSeq)),
      plainArray(deliveries.map(({ toSeq }) => toSeq)),
      plainArray(deliveries.map(({ lines }) => lines.length)),
      Buffer.concat(chunks.map(({ body }) => body)),
      ...[
        chunks.map(({ n }) => n),
        chunks.map(({ skip }) => skip),
        chunks.map(({ records }) => records),
        chunks.map(({ bytes }) => bytes),
        chunks.map(({ maxLevel }) => maxLevel),
        startsOf(chunks.map(({ body }) => body.length)),
        chunks.map(({ body }) => body.length),
      ].map(plainArray),
    ]);
    const found = new Map(rows.map((row) => [row.n, row])); // a stored delivery has two rows; the last one counts
    return deliveries.map((_delivery, n) => {
      const row = found.get(n);
      if (!row) return 'stale';
      return row.first_seq === null ? 'behind' : 'stored';
    });
  }
}

/** Splits what is delivered into chunks, each at most one line longer than `chunkLength`. */
async function packed(delivery: Delivery): Promise<PackedDelivery> {
  const { lines } = delivery;
  const chunks: Promise<PackedChunk>[] = [];
  let text = '';
  let records = 0;
  let maxLevel = 0;
  lines.forEach((line, index) => {
    text += `${line.text}\n`;
    records += 1;
    maxLevel = Math.max(maxLevel, line.rank);
    if (text.length < chunkLength && index < lines.length - 1) return;
    const facts = { records, maxLevel };
    chunks.push(packText(text).then((packedText) => ({ ...packedText, ...facts })));
    text = '';
    records = maxLevel = 0;
  });
  return { ...delivery, chunks: await Promise.all(chunks) };
}

// All bodies travel as one binary parameter: an array of bytea would be sent as hexadecimal text.
const storeSql = `
  with batch as materialized (
    select b.*, r.fleet_id
      from unnest(?::int[], ?::uuid[], ?::uuid[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::int[])
        as b (n, org_id, robot_id, epoch, spool, from_seq, to_seq, records)
     -- One look into an index each: joined as tables, the planner takes robots for few and reads all of them.
     cross join lateral (
       select from robot_links where org_id = b.org_id and robot_id = b.robot_id and epoch = b.epoch offset 0
     ) l
     cross join lateral (select fleet_id from robots where org_id = b.org_id and id = b.robot_id offset 0) r
  ), moved as (
    update log_heads h set stored_seq = b.to_seq, moved_at = now() from batch b
     where h.org_id = b.org_id and h.robot_id = b.robot_id and h.spool = b.spool and h.stored_seq < b.from_seq
    returning b.n, b.org_id, b.robot_id, b.fleet_id, b.records
  ), numbered as (
    update log_counters c
       set seq = c.seq + m.records,
           received_at = case when c.received_at > clock_timestamp() + interval '1 hour' then clock_timestamp()
                              else greatest(c.received_at, clock_timestamp()) end
      from moved m where c.org_id = m.org_id and c.robot_id = m.robot_id
    returning m.n, m.org_id, m.robot_id, m.fleet_id, c.seq - m.records + 1 as first_seq, c.received_at
  ), stored as (
    insert into log_chunks
      (org_id, robot_id, fleet_id, first_at, received_at, first_seq, last_seq, records, bytes, max_level, body)
    select m.org_id, m.robot_id, m.fleet_id, m.received_at, m.received_at, m.first_seq + p.skip,
           m.first_seq + p.skip + p.records - 1, p.records, p.bytes, p.max_level, substring(bodies.bytes from p.start for p.length)
      from (select ?::bytea as bytes) bodies,
           unnest(?::int[], ?::int[], ?::int[], ?::int[], ?::smallint[], ?::int[], ?::int[])
             as p (n, skip, records, bytes, max_level, start, length)
      join numbered m on m.n = p.n
  )
  select n, null as first_seq from batch
  union all select n, first_seq from numbered`;

/** The chunks of a delivery, each with the index of the delivery and the number of its records before the chunk. */
function chunksOf({ chunks }: PackedDelivery, n: number): (PackedChunk & { n: number; skip: number })[] {
  const skips = startsOf(chunks.map(({ records }) => records));
  return chunks.map((chunk, index) => ({ ...chunk, n, skip: (skips[index] ?? 0) - 1 }));
}
