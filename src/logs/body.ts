import { promisify } from 'node:util';
import { constants, deflate, deflateSync, inflateSync } from 'node:zlib';

/*
 * The body of a chunk. As text: lines of JSON, each ended by a line feed. An object is a record. A number is the
 * `received_at` of the records after it, in ms since 1970; without one, that of the chunk applies. As bytes: the text
 * in UTF-8, or that text deflated by zlib. The first byte tells which, as no line begins with zlib's 0x78.
 */

const deflateAsync = promisify(deflate);
const zlibMark = 0x78;
/** Shorter texts gain little from deflating; merging deflates them later. */
const minDeflatedBytes = 1_024;
/** From this size on, deflating takes longer than passing the text to another thread and back. */
const minAsyncBytes = 16_384;
/** Higher levels make logs smaller by a tenth, and take three times as long. */
const level = constants.Z_BEST_SPEED;

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
  return { body: await deflated(plain), bytes };
}

/** Deflated by zlib, in another thread if it is large. */
export const deflated = async (plain: Buffer): Promise<Buffer> =>
  plain.length < minAsyncBytes ? deflateSync(plain, { level }) : deflateAsync(plain, { level });

export const isDeflated = (body: Buffer): boolean => body[0] === zlibMark;

export const unpackText = (body: Buffer): string => (isDeflated(body) ? inflateSync(body) : body).toString();

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

/** The lines of a text that are records, in order, each with its `received_at`. */
export function* readLines({ receivedAtMs, text }: ReceivedText): Generator<{ receivedAtMs: number; line: string }> {
  let atMs = receivedAtMs;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end);
    if (line.startsWith('{')) yield { receivedAtMs: atMs, line };
    else atMs = Number(line);
    start = end + 1;
  }
}
