import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { badRequest } from '../../../kernel/errors.ts';
import { HttpError } from '../reply/failures.ts';
import { minUploadBytesPerSecond } from './limits.ts';
import { bodyOf } from '../request/input.ts';
import type { Message } from '../request/message.ts';
import { downloadHeaders, fileHeaders, ClientDisconnected, writeTo, type Headers } from '../reply/reply.ts';

/** An uploaded file, or a part of one. */
export interface Upload {
  /** Bytes as they arrive, with back pressure; throws bad_request if the caller disconnects midway. */
  bytes: AsyncIterable<Buffer>;
  length: number | undefined; // bytes of this body, if declared by the caller
  range: { first: number; last: number; size: number } | undefined; // the part of the file; undefined for all of it
}

/** A file that never changes. */
export interface StoredFile {
  sha256: string; // in hex; also the ETag
  size: number; // bytes
  /** Bytes `first` to `last`, both included. */
  open(first: number, last: number): AsyncIterable<Buffer>;
  /** A presigned address elsewhere, for callers that follow it; undefined: the bytes are here only. */
  presign?: (() => Promise<string>) | undefined;
}

/** The current content of something that may still grow. */
export interface Download {
  type: string; // Content-Type
  size: number; // bytes
  bytes: AsyncIterable<Buffer>;
}

/** How long a body may be silent or slow, and how long a reader of a file may read nothing. */
export const usualSilenceMs = 60_000;
/** Maximum time until the service reads a body: the part of the file that is already stored is hashed again first. */
const preparationMs = 3_600_000;

/**
 * The body of a request as a file. It may take any time while its bytes arrive at the minimum rate.
 * @throws bad_request for an invalid Content-Range, or 415
 */
export function uploadOf(request: Message, silenceMs: number): Upload {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (type === undefined || !/^application\/octet-stream\s*$/i.test(type))
    throw new HttpError(415, 'Content-Type must be application/octet-stream');
  if (encoding !== undefined && encoding !== 'identity')
    throw new HttpError(415, 'the body must not have a Content-Encoding');
  request.giveUpAfter(preparationMs);
  return {
    bytes: arriving(request, silenceMs),
    length: length === undefined ? undefined : Number(length),
    range: readContentRange(request.headers['content-range']), // Node joins repeated headers into one text
  };
}

/** Continues while bytes arrive and, after the first `silenceMs`, their average rate is high enough. */
async function* arriving(request: Message, silenceMs: number): AsyncGenerator<Buffer> {
  const startedMs = performance.now();
  let received = 0;
  const wait = () => {
    const allowedMs = Math.max(silenceMs, (received / minUploadBytesPerSecond) * 1_000);
    request.giveUpAfter(Math.min(silenceMs, startedMs + allowedMs - performance.now()));
  };
  wait();
  try {
    for await (const chunk of bodyOf(request)) {
      received += chunk.length;
      yield chunk;
      wait();
    }
  } catch (error) {
    throw request.complete ? error : badRequest('the body ended early');
  }
}

function readContentRange(header: string | undefined): Upload['range'] {
  if (header === undefined) return undefined;
  const [, ...texts] = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16})$/.exec(header) ?? [];
  const [first = 1, last = 0, size = 0] = texts.map(Number);
  if (first > last || last >= size || !Number.isSafeInteger(size))
    throw badRequest('Content-Range: must be like `bytes 1048576-183500799/183500800`');
  return { first, last, size };
}

/** Where this caller fetches the file instead. Undefined: it gets the bytes, as it does not say that it follows. */
export const elsewhere = (file: StoredFile, asked: IncomingHttpHeaders): Promise<string> | undefined =>
  asked['x-accept-redirect'] === 'true' ? file.presign?.() : undefined;

/**
 * Sends a file, or the one requested range of it (RFC 9110 §14). Invalid or multiple ranges get the whole file.
 * @returns the status that was sent
 * @throws HttpError 416 for a range beyond the end, ClientDisconnected
 */
export async function sendFile(
  response: ServerResponse,
  { sha256, size, open }: StoredFile,
  asked: IncomingHttpHeaders,
  headers: Headers,
  silenceMs: number,
): Promise<number> {
  const range = rangeOf(asked, sha256, size);
  const { first, last } = range ?? { first: 0, last: size - 1 };
  // If the file cannot be read at all, an error response is still possible.
  const bytes = size > 0 ? await begun(open(first, last)) : [];
  response.writeHead(range ? 206 : 200, {
    ...headers,
    ...fileHeaders(sha256),
    'Content-Length': last - first + 1,
    ...(range ? { 'Content-Range': `bytes ${first}-${last}/${size}` } : {}),
  });
  await sendBytes(response, bytes, last - first + 1, silenceMs);
  return response.statusCode;
}

/** Sends a whole download. @throws ClientDisconnected */
export async function sendDownload(
  response: ServerResponse,
  { type, size, bytes }: Download,
  headers: Headers,
  silenceMs: number,
): Promise<void> {
  const all = await begun(bytes);
  response.writeHead(200, { ...headers, ...downloadHeaders(type), 'Content-Length': size });
  await sendBytes(response, all, size, silenceMs);
}

async function sendBytes(
  response: ServerResponse,
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  size: number,
  silenceMs: number,
): Promise<void> {
  const end = () => {
    if (response.destroyed) throw new ClientDisconnected();
    response.end();
  };
  let sent = 0;
  for await (const chunk of bytes) {
    sent += chunk.length;
    await writeTo(response, chunk, silenceMs);
    // Not only at the end of the file: a reader that has all bytes may have disconnected by then.
    if (sent === size) return end();
  }
  // Otherwise its reader would wait forever for the rest.
  if (sent !== size) throw new Error(`a file gave ${sent} bytes of ${size}`);
  end();
}

/** The same iterable, after its first chunk was read. */
async function begun(all: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> {
  const chunks = all[Symbol.asyncIterator]();
  const first = await chunks.next();
  return (async function* () {
    try {
      for (let each = first; each.done !== true; each = await chunks.next()) yield each.value;
    } finally {
      await chunks.return?.();
    }
  })();
}

function rangeOf(
  asked: IncomingHttpHeaders,
  sha256: string,
  size: number,
): { first: number; last: number } | undefined {
  const condition = asked['if-range'];
  if (asked.range === undefined || (condition !== undefined && condition !== `"${sha256}"`)) return undefined;
  const [, from, to] = /^bytes=(\d{0,16})-(\d{0,16})$/.exec(asked.range) ?? [];
  if (from === undefined || to === undefined || from + to === '') return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined;
  if (first >= size || (from === '' && Number(to) === 0))
    throw new HttpError(416, `the file has ${size} bytes`, { headers: { 'Content-Range': `bytes */${size}` } });
  return { first, last };
}
