import type { Knex } from 'knex';
import { plainArray, startsOf } from '../../platform/db/arrays.ts';
import { slices } from '../../kernel/slices.ts';
import { joinTexts, packText } from '../body.ts';
import { messagesOf } from '../line-message.ts';
import { spanEnd } from '../model.ts';
import { buildTextFilter } from '../text-filter.ts';
import type { TextEntry } from './format.ts';
import type { StreamOwner } from './streams.ts';

/**
 * Size of a chunk, in UTF-16 units of text. Deflating gains little beyond it, and a fleet's page opens one chunk of each
 * robot.
 */
const chunkLength = 32_768;
/** Text of the chunks that one statement stores, approximately. */
const storedLength = 1_048_576;

interface OpenChunk {
  owner: StreamOwner;
  firstAtMs: number;
  receivedAtMs: number; // of the last record
  firstSeq: number;
  lastSeq: number;
  maxLevel: number;
  length: number;
  parts: { receivedAtMs: number; text: string }[];
}

/** Builds the chunks of many streams, each from its entries in order, and stores them. */
export function chunkBuilder(trx: Knex, orgId: string) {
  const open = new Map<number, OpenChunk>(); // by stream
  let closed: OpenChunk[] = [];
  let closedLength = 0;
  const slice = slices();

  function close(chunk: OpenChunk): void {
    closed.push(chunk);
    closedLength += chunk.length;
  }

  function add(
    owner: StreamOwner,
    { stream, firstSeq, records, maxLevel, text }: TextEntry,
    receivedAtMs: number,
  ): void {
    const before = open.get(stream);
    const lastSeq = firstSeq + records - 1;
    if (before && fits(before, { firstSeq, receivedAtMs, length: text.length })) {
      before.parts.push({ receivedAtMs, text });
      before.length += text.length;
      before.maxLevel = Math.max(before.maxLevel, maxLevel);
      before.receivedAtMs = receivedAtMs;
      before.lastSeq = lastSeq;
      return;
    }
    if (before) close(before);
    open.set(stream, {
      owner,
      firstAtMs: receivedAtMs,
      receivedAtMs,
      firstSeq,
      lastSeq,
      maxLevel,
      length: text.length,
      parts: [{ receivedAtMs, text }],
    });
  }

  async function storeClosed(): Promise<void> {
    const chunks = closed;
    closed = [];
    closedLength = 0;
    if (chunks.length === 0) return;
    const packed: (Awaited<ReturnType<typeof packText>> & { textFilter: Buffer })[] = [];
    for (const { parts } of chunks) {
      const text = joinTexts(parts);
      packed.push({ textFilter: buildTextFilter(messagesOf(text)), ...(await packText(text)) });
      await slice();
    }
    const bodies = packed.map(({ body }) => body);
    const filters = packed.map(({ textFilter }) => textFilter);
    await trx.raw(insertSql, [
      orgId,
      Buffer.concat(bodies),
      Buffer.concat(filters),
      ...[
        chunks.map(({ owner }) => owner.robotId),
        chunks.map(({ owner }) => owner.fleetId),
        chunks.map(({ firstAtMs }) => new Date(firstAtMs).toISOString()),
        chunks.map(({ receivedAtMs }) => new Date(receivedAtMs).toISOString()),
        chunks.map(({ firstSeq }) => firstSeq),
        chunks.map(({ lastSeq }) => lastSeq),
        packed.map(({ bytes }) => bytes),
        chunks.map(({ maxLevel }) => maxLevel),
        ...[bodies, filters].flatMap((parts) => {
          const lengths = parts.map((part) => part.length);
          return [startsOf(lengths), lengths];
        }),
      ].map(plainArray),
    ]);
  }

  return {
    /** The next records of a stream. A text that is too long for a chunk becomes several. */
    async add(owner: StreamOwner, entry: TextEntry, receivedAtMs: number): Promise<void> {
      for (const piece of piecesOf(entry)) add(owner, piece, receivedAtMs);
      if (closedLength > storedLength) await storeClosed();
    },

    /** Stores what is left. */
    async end(): Promise<void> {
      for (const chunk of open.values()) {
        close(chunk);
        if (closedLength > storedLength) await storeClosed();
      }
      open.clear();
      await storeClosed();
    },
  };
}

/** A chunk has consecutive numbers, and is of one span. */
const fits = (chunk: OpenChunk, next: Pick<OpenChunk, 'firstSeq' | 'receivedAtMs' | 'length'>): boolean =>
  chunk.lastSeq + 1 === next.firstSeq &&
  chunk.length + next.length <= chunkLength &&
  spanEnd(chunk.firstAtMs) === spanEnd(next.receivedAtMs);

function* piecesOf(entry: TextEntry): Generator<TextEntry> {
  if (entry.length <= chunkLength) {
    yield entry;
    return;
  }
  let { firstSeq } = entry;
  for (let start = 0; start < entry.length;) {
    let end = start;
    let records = 0;
    do {
      end = entry.text.indexOf('\n', end) + 1;
      records += 1;
    } while (end < entry.length && end - start < chunkLength);
    yield { ...entry, firstSeq, records, text: entry.text.slice(start, end), length: end - start };
    firstSeq += records;
    start = end;
  }
}

// All bodies travel as one binary parameter: an array of bytea would be sent as hexadecimal text.
const insertSql = `
  insert into log_chunks (org_id, robot_id, fleet_id, first_at, received_at, first_seq, last_seq, records, bytes, max_level, body, text_filter)
  select o.id, c.robot_id, c.fleet_id, c.first_at, c.received_at, c.first_seq, c.last_seq, c.last_seq - c.first_seq + 1, c.bytes, c.max_level,
         substring(o.bodies from c.body_start for c.body_length), substring(o.filters from c.filter_start for c.filter_length)
    from (select ?::uuid as id, ?::bytea as bodies, ?::bytea as filters) o,
         unnest(?::uuid[], ?::uuid[], ?::timestamptz[], ?::timestamptz[], ?::bigint[], ?::bigint[], ?::int[], ?::smallint[], ?::int[], ?::int[], ?::int[], ?::int[])
           as c (robot_id, fleet_id, first_at, received_at, first_seq, last_seq, bytes, max_level, body_start, body_length, filter_start, filter_length)`;
