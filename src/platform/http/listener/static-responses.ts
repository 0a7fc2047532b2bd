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
  // Two forms of one thing are two things to an ETag (RFC 9110 §8.8.3.3).
  const packedTag = hash.copy().update('gzip').digest('base64url');
  return {
    plain: { body, tag: `"${hash.digest('base64url')}"`, headers: {} },
    packed: { body: await gzipped(body), tag: `"${packedTag}"`, headers: { 'Content-Encoding': 'gzip' } },
  };
}

/**
 * Answers with what is the same for everybody, as long as this process runs: pages, scripts, documents. It is made for who asks first, since most
 * processes are never asked; is packed for who takes gzip, for the scripts are megabytes; and who has it already is told so by an ETag of what
 * is in it. A date would not do: files of a package have the same one in every release.
 */
export function staticResponse(headers: Record<string, string>, make: () => Body | Promise<Body>): RequestHandler {
  let made: ReturnType<typeof formsOf> | undefined;
  const forms = () =>
    (made ??= (async () => formsOf(await make()))().catch((error: unknown) => {
      made = undefined; // who asks next may have more luck
      throw error;
    }));
  return async (request, response) => {
    const { plain, packed } = await forms();
    const form = request.acceptsEncodings('gzip', 'identity') === 'gzip' ? packed : plain;
    response.set({ ...headers, ETag: form.tag, Vary: 'Accept-Encoding' });
    // Not Express's `fresh`: it gives way to `Cache-Control: no-cache`, which fetch adds beside every If-None-Match.
    if (isKnown(request.headers['if-none-match'], form.tag)) response.status(304).end();
    else response.set({ ...form.headers, 'Content-Length': String(Buffer.byteLength(form.body)) }).end(form.body);
  };
}
