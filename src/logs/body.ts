import { promisify } from 'node:util';
import { constants, deflate, deflateSync, inflateSync } from 'node:zlib';

/*
 * The body of a chunk. As text: lines of JSON, each ended by a line feed. An object is a record. A number is the
 * `received_at` of the records after it, in ms since 1970; without one, that of the chunk applies. As bytes: the text
 * in UTF-8, or that text deflated by zlib. The first byte tells which, as no line begins with zlib's 0x78.
 */

const deflateAsync = promisify(deflate);
const zlibMark = 0x78;
const brace = 0x7b;
/** Shorter texts gain little from deflating; merging deflates them later. */
const minDeflatedBytes = 1_024;
/** From this size on, deflating takes longer than passing the text to another thread and back. */
const minAsyncBytes = 16_384;
/** For segments, which are merged within minutes. */
const fastLevel = constants.Z_BEST_SPEED;
/** For chunks, which are kept: it takes as long, and is smaller by a twentieth. Higher levels save another tenth, and take twice as long. */
export const keptLevel = 3;
/** Room beyond what is expected, so that zlib sees the end of its input in the same buffer. */
const spareBytes = 64;

interface Packed {
  body: Buffer;
  bytes: number; // of the text
}

/** Lines with the same `received_at`, as one text. */
interface ReceivedText {
  receivedAtMs: number;
  text: string;
}

export async function packText(text: string): Promise<Packed> {
  const plain = Buffer.from(text);
  const bytes = plain.length;
  if (bytes < minDeflatedBytes) return { body: plain, bytes };
  return { body: await deflated(plain, keptLevel), bytes };
}

/** Deflated by zlib, in another thread if it is large. Default level: for segments. */
export const deflated = async (plain: Buffer, level: number = fastLevel): Promise<Buffer> =>
  plain.length < minAsyncBytes ? deflateSync(plain, { level }) : deflateAsync(plain, { level });

/** What `deflated` returned. `bytes`: about the length of the result. */
export const inflated = (body: Buffer, bytes: number): Buffer => inflateSync(body, { chunkSize: bytes + spareBytes });

export const isDeflated = (body: Buffer): boolean => body[0] === zlibMark;

/** `bytes`: of the text. */
export const unpackText = (body: Buffer, bytes: number): string =>
  (isDeflated(body) ? inflated(body, bytes) : body).toString();

/** The text of a merged chunk. Each part is the text of a chunk, itself merged or not. */
export function joinTexts(parts: readonly ReceivedText[]): string {
  let joined = '';
  let markedMs: number | undefined;
  for (const { receivedAtMs, text } of parts) {
    const isMarked = !text.startsWith('{');
    if (!isMarked && receivedAtMs !== markedMs) joined += `${receivedAtMs}\n`;
    joined += text;
    markedMs = receivedAtMs; // that of a part's last record, merged or not
  }
  return joined;
}

/**
 * The lines of a text that are records, in order, each with its `received_at` and its place among the records. `isWanted`
 * selects lines by their time; the others are counted, and not returned.
 */
export function* readLines(
  { receivedAtMs, text }: ReceivedText,
  isWanted: (ms: number) => boolean = () => true,
): Generator<{ receivedAtMs: number; index: number; line: string }> {
  let atMs = receivedAtMs;
  let isRead = isWanted(atMs);
  let index = 0;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    if (text.charCodeAt(start) !== brace) {
      atMs = Number(text.slice(start, end));
      isRead = isWanted(atMs);
    } else {
      if (isRead) yield { receivedAtMs: atMs, index, line: text.slice(start, end) };
      index += 1;
    }
    start = end + 1;
  }
}
