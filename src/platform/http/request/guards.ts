import type { IncomingMessage } from 'node:http';
import { badRequest } from '../../../kernel/errors.ts';
import { HttpError } from '../reply/failures.ts';

/** A request line whose path has only one meaning. `segments` are decoded. */
export interface RequestTarget {
  path: string;
  segments: string[];
  search: string; // without `?`
}

const control = /[\u0000-\u001f\u007f]/;
const maxTargetLength = 4_096;
/** Far more than any client or proxy sends. From 2,000 on, Node would drop headers silently. */
const maxHeaders = 256;
/** Node's parser also accepts request lines of HTTP/0.9 and HTTP/2.0, whose messages have other formats. */
const versions = new Set(['1.0', '1.1']);
/** Headers of which Node reads the first and drops the others; a proxy may have read the last. */
const single = new Set(['host', 'authorization', 'content-type']);
/**
 * A name, an IPv4 or a bracketed IPv6 address, with an optional port; empty is allowed. RFC 9112 §3.2 requires 400 for
 * anything else.
 */
const hostForm = /^([\w.~%!$&'()*+;=-]*|\[[\da-f:.]+\])(:\d*)?$/i;

/**
 * Checks a path before any code reads its prefix: a double or encoded slash would bypass a rule for `/api/admin`.
 * @throws bad_request
 */
export function readTarget(url: string): RequestTarget {
  if (url.length > maxTargetLength) throw badRequest(`the address is longer than ${maxTargetLength} characters`);
  const mark = url.indexOf('?');
  const raw = mark < 0 ? url : url.slice(0, mark);
  if (!raw.startsWith('/') || url.includes('#')) throw badRequest('the request line must contain a path');
  if (raw.includes('//')) throw badRequest('the path has an empty segment');
  if (raw.length > 1 && raw.endsWith('/')) throw badRequest('the path ends with a slash');
  const segments = raw.slice(1).split('/').map(decodePart);
  if (segments.some((segment) => segment === '.' || segment === '..' || /[/\\]/.test(segment)))
    throw badRequest('the path is not normalized');
  return { path: raw, segments, search: mark < 0 ? '' : url.slice(mark + 1) };
}

/** Strict percent-decoding: bad escapes, bad UTF-8 and control characters are errors. */
export function decodePart(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw badRequest('the address has an invalid percent-encoding');
  }
  if (control.test(decoded)) throw badRequest('the address has a control character');
  return decoded;
}

/**
 * Refuses headers that Node accepts but that can be read in two ways.
 * @throws bad_request, or 431
 */
export function checkHeaders(request: IncomingMessage): void {
  if (request.rawHeaders.length > 2 * maxHeaders)
    throw new HttpError(431, `the request has more than ${maxHeaders} headers`);
  if (!versions.has(request.httpVersion)) throw badRequest('the HTTP version must be 1.0 or 1.1');
  const seen = new Set<string>();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]?.toLowerCase() ?? '';
    if (!single.has(name)) continue;
    if (seen.has(name)) throw badRequest(`the request has more than one ${name} header`);
    seen.add(name);
  }
  if (!seen.has('host') && request.httpVersion !== '1.0') throw badRequest('the request needs a Host header');
  if (!hostForm.test(request.headers.host ?? '')) throw badRequest('the Host header has no host');
  const encoding = request.headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    throw badRequest('Transfer-Encoding must be chunked');
}

/** The error for a plain request to a path that accepts WebSockets only. */
export const mustUpgrade = (method: string | undefined) =>
  method === 'GET' || method === 'HEAD'
    ? new HttpError(426, 'this address accepts only WebSocket; a proxy may have removed the Upgrade header', {
        headers: { Connection: 'Upgrade', Upgrade: 'websocket' }, // RFC 9110 §7.8 requires both
      })
    : notGet();

export const notGet = () => new HttpError(405, 'a WebSocket must be opened with GET', { headers: { Allow: 'GET' } });
