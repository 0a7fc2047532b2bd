import { slices } from '../../kernel/slices.ts';
import { deflated, isDeflated, joinTexts, unpackText } from '../body.ts';
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
/** Text that waits for more of its robots. */
const openBytes = 16 * 1_048_576;

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
      bytes += row.bytes;
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
        yield await join(rows);
        await slice();
      }
    },
  };
}

const fits = (rows: readonly ChunkRow[], next: ChunkRow): boolean =>
  (rows.at(-1)?.last_seq ?? 0) + 1 === next.first_seq &&
  rows.reduce((total, row) => total + row.bytes, next.bytes) <= chunkBytes;

async function join(rows: readonly ChunkRow[]): Promise<JoinedChunk> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) throw new Error('there is nothing to join');
  return {
    robotId: first.robot_id,
    firstAtMs: first.first_at.getTime(),
    receivedAtMs: last.received_at.getTime(),
    firstSeq: first.first_seq,
    lastSeq: last.last_seq,
    maxLevel: Math.max(...rows.map((row) => row.max_level)),
    ...(rows.length === 1 && isDeflated(first.body) && first.text_filter
      ? { bytes: first.bytes, body: first.body, filter: first.text_filter }
      : await pack(rows)),
  };
}

async function pack(rows: readonly ChunkRow[]) {
  const texts = rows.map((row) => ({ receivedAtMs: row.received_at.getTime(), text: unpackText(row.body) }));
  const text = texts.length === 1 ? (texts[0]?.text ?? '') : joinTexts(texts);
  const plain = Buffer.from(text);
  return { bytes: plain.length, body: await deflated(plain), filter: buildTextFilter(messagesOf(text)) };
}
