import type { ServerResponse } from 'node:http';
import { toFailure, type Failure } from './failures.ts';

/** Sent with every API response: it is data for programs, never a page. */
const apiHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'",
  'Content-Type': 'application/json',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** A reader that reads nothing for this long is disconnected: it holds one of the org's few slots. */
const stalledReaderMs = 10_000;
/** Approximate size of the pieces in which a streamed list is written. */
const pieceBytes = 64 * 1024;

/** The caller disconnected, or read nothing for too long. Not a failure, and no response is possible. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
}

export type Headers = Record<string, string>;

/** Headers of a file, also for HEAD: the file never changes, and only the authorised caller may cache it. */
export const fileHeaders = (sha256: string) => ({
  ...apiHeaders,
  'Content-Type': 'application/octet-stream',
  'Cache-Control': 'private, max-age=31536000, immutable',
  ETag: `"${sha256}"`,
  'Accept-Ranges': 'bytes',
});

export const downloadHeaders = (type: string) => ({ ...apiHeaders, 'Content-Type': type });

/** A response without a body. */
export function sendHeaders(response: ServerResponse, status: number, headers: Headers): void {
  response.writeHead(status, headers).end();
}

/** To another host. The method and the range stay. No cache may keep the address, which is a secret. */
export function sendRedirect(response: ServerResponse, location: string, headers: Headers): void {
  const own = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'Content-Length': 0 };
  response.writeHead(307, { ...headers, ...own, Location: location }).end();
}

export function sendJson(response: ServerResponse, status: number, text: string, headers: Headers): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...apiHeaders, ...headers, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

export function sendFailure(response: ServerResponse, error: unknown, headers: Headers): Failure {
  const failure = toFailure(error);
  if (response.headersSent) response.destroy();
  else
    sendJson(response, failure.status, JSON.stringify({ error: { code: failure.code, message: failure.message } }), {
      ...headers,
      ...failure.headers,
      ...(failure.closes ? { Connection: 'close' } : {}),
    });
  return failure;
}

/**
 * Streams `{"items":[…]}` no faster than the reader reads. `items`: JSON of one or more items, separated by commas. A
 * list that fits into one piece is sent whole. A longer list first takes a slot (`takeSlot` throws if none is free) and
 * only then sends its status. A failure before that still gets an error response. A later failure destroys the socket,
 * as a truncated list must not look complete.
 */
export async function sendList(
  response: ServerResponse,
  items: AsyncIterable<string>,
  headers: Headers,
  takeSlot: () => () => void,
): Promise<void> {
  let piece = '{"items":[';
  let comma = '';
  let release: (() => void) | undefined;
  try {
    for await (const some of items) {
      piece += comma + some;
      comma = ',';
      if (piece.length < pieceBytes) continue;
      if (!release) {
        release = takeSlot();
        response.writeHead(200, { ...apiHeaders, ...headers });
      }
      await writeTo(response, piece, stalledReaderMs);
      piece = '';
    }
    if (release) response.end(`${piece}]}`);
    else sendJson(response, 200, `${piece}]}`, headers);
  } finally {
    release?.();
  }
}

/**
 * Resolves when the reader is ready for more. After `stalledMs` without a read the connection is closed.
 * @throws ClientDisconnected
 */
export async function writeTo(response: ServerResponse, piece: string | Buffer, stalledMs: number): Promise<void> {
  if (response.destroyed) throw new ClientDisconnected();
  if (response.write(piece)) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => response.destroy(), stalledMs);
    const go = () => {
      clearTimeout(timer);
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.once('drain', go).once('close', go);
  });
}
