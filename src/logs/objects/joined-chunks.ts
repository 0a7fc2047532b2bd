import { slices } from '../../kernel/slices.ts';
import { deflated, isDeflated, joinTexts, keptLevel, unpackText } from '../body.ts';
import { messagesOf } from '../line-message.ts';
import { spanEnd } from '../model.ts';
import { buildTextFilter } from '../text-filter.ts';
import type { ChunkRow } from './day-rows.ts';

/** A chunk as it is stored in an object. */
export interface JoinedChunk {
  robotId: string;
  firstAtMs: number;
  receivedAtMs: number;
  firstSeq: number;
  lastSeq: number;
  bytes: number; // of the text
  maxLevel: number;
  body: Buffer; // deflated, so that zlib's checksum covers it
  filter: Buffer;
}

/** Text of a chunk, in bytes. */
const chunkBytes = 32_768;
/** Bodies that wait for more of their robots, in memory: as much as 6,000 robots with a line each 5 s have in ten minutes. */
const openBytes = 32 * 1_048_576;

/**
 * Joins the chunks of a robot within a span, as far as they fit into one: quiet robots have one for each time that segments
 * were merged. Rows come in the order of `received_at`.
 */
export function chunkJoiner() {
  const open = new Map<string, ChunkRow[]>(); // consecutive, by robot
  let ready: ChunkRow[][] = [];
  let bytes = 0;
  let spanEndMs = 0;
  const slice = slices();

  function closeAll(): void {
    ready.push(...open.values());
    open.clear();
    bytes = 0;
  }

  return {
    add(row: ChunkRow): void {
      if (row.received_at.getTime() >= spanEndMs || bytes >= openBytes) closeAll();
      spanEndMs = spanEnd(row.received_at.getTime());
      const before = open.get(row.robot_id);
      bytes += row.body.length;
      if (before && fits(before, row)) {
        before.push(row);
        return;
      }
      if (before) ready.push(before);
      open.set(row.robot_id, [row]);
    },

    closeAll,

    /** The chunks that are complete. */
    async *take(): AsyncGenerator<JoinedChunk> {
      const groups = ready;
      ready = [];
      for (const rows of groups) {
        yield* await joinOrCopy(rows);
        await slice();
      }
    },
  };
}

const fits = (rows: readonly ChunkRow[], next: ChunkRow): boolean =>
  (rows.at(-1)?.last_seq ?? 0) + 1 === next.first_seq &&
  rows.reduce((total, row) => total + row.bytes, next.bytes) <= chunkBytes;

/** One chunk; if a row is damaged, one of each, so that readers report what is. */
async function joinOrCopy(rows: readonly ChunkRow[]): Promise<JoinedChunk[]> {
  return join(rows).then(
    (chunk) => [chunk],
    () => Promise.all(rows.map(copy)),
  );
}

const copy = async (row: ChunkRow): Promise<JoinedChunk> => ({
  bytes: row.bytes,
  body: isDeflated(row.body) ? row.body : await deflated(row.body, keptLevel),
  filter: row.text_filter ?? anyText,
  ...placeOf([row]),
});

/** A text filter that rules nothing out. */
const anyText = Buffer.alloc(64, 0xff);

async function join(rows: readonly ChunkRow[]): Promise<JoinedChunk> {
  const [first] = rows;
  if (rows.length === 1 && first?.text_filter && isDeflated(first.body))
    return { bytes: first.bytes, body: first.body, filter: first.text_filter, ...placeOf(rows) };
  return { ...placeOf(rows), ...(await pack(rows)) };
}

function placeOf(rows: readonly ChunkRow[]) {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) throw new Error('there is nothing to join');
  return {
    robotId: first.robot_id,
    firstAtMs: first.first_at.getTime(),
    receivedAtMs: last.received_at.getTime(),
    firstSeq: first.first_seq,
    lastSeq: last.last_seq,
    maxLevel: Math.max(...rows.map((row) => row.max_level)),
  };
}

async function pack(rows: readonly ChunkRow[]) {
  const texts = rows.map((row) => ({ receivedAtMs: row.received_at.getTime(), text: unpackText(row.body, row.bytes) }));
  const text = texts.length === 1 ? (texts[0]?.text ?? '') : joinTexts(texts);
  const plain = Buffer.from(text);
  return { bytes: plain.length, body: await deflated(plain, keptLevel), filter: buildTextFilter(messagesOf(text)) };
}
