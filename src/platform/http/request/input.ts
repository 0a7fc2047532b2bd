import type { IncomingMessage } from 'node:http';
import { badRequest } from '../../../kernel/errors.ts';
import { HttpError } from '../reply/failures.ts';
import { decodePart } from './guards.ts';
import { checkJsonText } from './json-text.ts';

const maxBodyBytes = 1_048_576;
/** What a chunk takes beside its bytes, about: a body of 1 MiB may come in a million of them. */
const chunkOverheadBytes = 256;
const maxDepth = 64;
const maxNodes = 100_000;
/** Names with a special meaning for JavaScript objects. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

/** Names of query parameters that arrive as text and are not texts. */
export interface TypedQueries {
  integers: ReadonlySet<string>;
  booleans: ReadonlySet<string>;
}
const untyped: TypedQueries = { integers: new Set(), booleans: new Set() };

/**
 * Parses the query for the contract's validators: an integer parameter written as an integer becomes a number, and a
 * boolean one written as `true` or `false` a boolean. A repeated name is refused.
 * @throws bad_request
 */
export function readQuery(search: string, { integers, booleans }: TypedQueries = untyped): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  if (search === '') return query;
  for (const pair of search.split('&')) {
    const cut = pair.indexOf('=');
    const name = decodePart((cut < 0 ? pair : pair.slice(0, cut)).replaceAll('+', ' '));
    const text = cut < 0 ? '' : decodePart(pair.slice(cut + 1).replaceAll('+', ' '));
    if (forbiddenNames.has(name)) throw badRequest(`query: unknown parameter "${name}"`);
    if (Object.hasOwn(query, name)) throw badRequest(`query: "${name}" occurs twice`);
    if (integers.has(name) && /^\d{1,16}$/.test(text)) query[name] = Number(text);
    else query[name] = booleans.has(name) && /^(true|false)$/.test(text) ? text === 'true' : text;
  }
  return query;
}

/** Whether the request has a body. */
export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || (request.headers['content-length'] ?? '0') !== '0';

/** The body as it arrives. What its reader does not want is discarded, so that the caller can send it and read the response. */
export async function* bodyOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } finally {
    request.resume();
  }
}

interface BodyLimits {
  maxBytes?: number; // default 1 MiB
  /** Called with the bytes that each chunk takes in memory. What it throws ends the reading: an HttpError. */
  onBytes?: (bytes: number) => void;
}

/**
 * Reads a JSON body.
 * @returns undefined if there is none
 * @throws bad_request, or 413 and 415
 */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const type = request.headers['content-type'];
  if (type === undefined || !/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type))
    throw new HttpError(415, 'Content-Type must be application/json');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new HttpError(415, 'the body must not have a Content-Encoding');
  const text = decode(await readBytes(request, limits));
  const value = parseJson(text);
  checkJson(value);
  checkJsonText(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('body: must be a JSON object');
  return value;
}

async function readBytes(request: IncomingMessage, { maxBytes = maxBodyBytes, onBytes }: BodyLimits): Promise<Buffer> {
  const tooLarge = () => new HttpError(413, `the body is larger than ${maxBytes} bytes`, { closes: true });
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of bodyOf(request)) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      onBytes?.(chunk.length + chunkOverheadBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof HttpError ? error : badRequest('the body ended early');
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks); // length is 1: the element exists
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const notJson = 'body: not JSON in UTF-8';

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badRequest(notJson);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(notJson);
  }
}

/**
 * Refuses values that JSON allows but Postgres, or a reader of the response, does not. No recursion, as an attacker
 * chooses the depth.
 */
function checkJson(root: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  let nodes = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') checkText(value);
    else if (typeof value === 'object' && value !== null) {
      if (depth > maxDepth) throw badRequest(`body: nested deeper than ${maxDepth}`);
      const list = Array.isArray(value) ? value : Object.values(value);
      nodes += list.length;
      if (nodes > maxNodes) throw badRequest(`body: more than ${maxNodes} values`);
      if (!Array.isArray(value))
        for (const name of Object.keys(value)) {
          if (forbiddenNames.has(name)) throw badRequest(`body: the name "${name}" is not allowed`);
          checkText(name);
        }
      for (const child of list) open.push({ value: child, depth: depth + 1 });
    }
  }
}

function checkText(text: string): void {
  if (text.includes('\0')) throw badRequest('body: a string contains the character NUL');
  if (/\p{Surrogate}/u.test(text)) throw badRequest('body: a string contains half of a surrogate pair');
}
