import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { isKnown } from '../reply/etags.ts';

type Body = string | Buffer;
interface Form {
  body: Body;
  tag: string;
  headers: Record<string, string>;
}

const gzipped = promisify(gzip);

async function formsOf(body: Body): Promise<{ plain: Form; packed: Form }> {
  const hash = createHash('sha256').update(body);
  // Two encodings of the same content need two ETags (RFC 9110 §8.8.3.3).
  const packedTag = hash.copy().update('gzip').digest('base64url');
  return {
    plain: { body, tag: `"${hash.digest('base64url')}"`, headers: {} },
    packed: { body: await gzipped(body), tag: `"${packedTag}"`, headers: { 'Content-Encoding': 'gzip' } },
  };
}

/**
 * Serves content that is the same for every caller as long as this process runs: pages, scripts, documents. It is built
 * on the first request, as most processes never get one. It is sent with gzip to clients that accept it, as the scripts
 * are megabytes. The ETag is a hash of the content. A date would not work: files of a package have the same date in
 * every release.
 */
export function staticResponse(headers: Record<string, string>, make: () => Body | Promise<Body>): RequestHandler {
  let made: ReturnType<typeof formsOf> | undefined;
  const forms = () =>
    (made ??= (async () => formsOf(await make()))().catch((error: unknown) => {
      made = undefined; // the next request may succeed
      throw error;
    }));
  return async (request, response) => {
    const { plain, packed } = await forms();
    const form = request.acceptsEncodings('gzip', 'identity') === 'gzip' ? packed : plain;
    response.set({ ...headers, ETag: form.tag, Vary: 'Accept-Encoding' });
    // Not Express's `fresh`: it ignores the tag on `Cache-Control: no-cache`, which fetch adds to every If-None-Match.
    if (isKnown(request.headers['if-none-match'], form.tag)) response.status(304).end();
    else response.set({ ...form.headers, 'Content-Length': String(Buffer.byteLength(form.body)) }).end(form.body);
  };
}
