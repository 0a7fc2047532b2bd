import { open, statfs, type FileHandle } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { dirname } from 'node:path';
import { messageOf, NetworkError, send, type HttpReply } from '../../transport/http.ts';
import { discard, isDiskFull } from '../orders/durable.ts';
import { StepFailed } from '../orders/handler.ts';
import type { PayloadSource } from '../orders/payload.ts';
import { refusalOf } from '../refusal.ts';
import { otherHost, type Origin, type OriginName } from './origins.ts';
import type { Release } from './release.ts';

/** How long a cache or a store may take to its first byte. The service is there as well. */
const firstByteMs = 10_000;

/** An attempt that did not download the rest. */
interface Shortfall {
  why: string;
  minWaitMs: number;
  /** Whether the service lets other downloads finish first (429): that wait does not count as a stall. */
  isQueued?: boolean;
  isMissing?: boolean; // the service does not have it
}

/** The outcome of an attempt: who sent the bytes, and what is missing; undefined if nothing is. */
export interface Attempt {
  from: OriginName;
  short: Shortfall | undefined;
  wrote: boolean; // it changed the file
}

interface Task {
  path: string;
  have: number; // bytes in the file
  at(bytes: number): void; // called with the bytes in the file as they arrive
  signal: AbortSignal;
}

/** Requests the missing bytes from the origin and writes them as they arrive. */
export async function transfer(
  { path, have, at, signal }: Task,
  { sha256, size }: Release,
  origin: Origin,
  source: PayloadSource,
): Promise<Attempt> {
  await refuseWithoutRoom(path, size - have);
  const file = await open(path, have > 0 ? 'r+' : 'w', 0o600);
  /** The error on the agent's side, such as a disk error. */
  let fault: Error | undefined;
  let from: OriginName = origin.isService ? 'service' : 'cache';
  let wrote = false;
  const writing = (first: number) => {
    wrote = true;
    const write = writer(file, first, size, at, signal);
    return (chunk: Buffer) =>
      write(chunk).catch((error: unknown) => {
        fault = error instanceof Error ? error : new Error(String(error));
        throw fault;
      });
  };
  const taker = (answered: number, of: IncomingHttpHeaders) => {
    if (answered === 200) return writing(0);
    // A response with another range than requested would put bytes at the wrong offset.
    const isNext = answered === 206 && of['content-range'] === `bytes ${have}-${size - 1}/${size}`;
    return isNext ? writing(have) : undefined;
  };
  const ask = { have, sha256, signal, taker };
  try {
    let reply = origin.isService ? await askService(origin, source, ask) : await askOther(origin.url, source, ask);
    if (origin.takesRedirect && reply.status === 307) {
      from = 'store';
      reply = await askOther(locationOf(reply), source, ask);
    }
    await file.sync();
    const { status } = reply;
    if ((status === 200 || status === 206) && (await file.stat()).size === size)
      return { from, wrote, short: undefined };
    if (from !== 'service') return { from, wrote, short: { why: `it responded with ${status}`, minWaitMs: 0 } };
    if (status === 206 || status === 416) await file.truncate(0);
    return { from, wrote, short: refused(reply) };
  } catch (error) {
    if (isDiskFull(fault)) throw await noSpace(path);
    // The response was too long, so the source of its first bytes is unknown. The next order must not resume from them.
    if (fault instanceof StepFailed) await discard(path);
    if (fault && !(from !== 'service' && fault instanceof StepFailed)) throw fault;
    if (from !== 'service' || error instanceof NetworkError)
      return { from, wrote, short: { why: messageOf(fault ?? error), minWaitMs: 0 } };
    throw error;
  } finally {
    await file.close();
  }
}

interface Ask {
  have: number;
  sha256: string;
  signal: AbortSignal;
  taker: (status: number, headers: IncomingHttpHeaders) => ((chunk: Buffer) => Promise<void>) | undefined;
}

const rangeOf = (have: number): Record<string, string> => (have > 0 ? { Range: `bytes=${have}-` } : {});

function askService(
  { url, takesRedirect }: Origin,
  { token, socketOptions: { userAgent, proxy, authorities } }: PayloadSource,
  { have, sha256, signal, taker }: Ask,
): Promise<HttpReply> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...rangeOf(have),
    ...(have > 0 && { 'If-Range': `"${sha256}"` }),
    ...(takesRedirect && { 'X-Accept-Redirect': 'true' }),
    ...(userAgent && { 'User-Agent': userAgent }),
  };
  return send({ method: 'GET', url, headers, proxy, authorities, signal, taker });
}

/**
 * Asks a cache or a store, without the token. It does not follow redirects, and sends no `If-Range`: the tag of the file
 * is another one there. The address may be a secret, and is in no message.
 */
async function askOther(url: URL, source: PayloadSource, { have, signal, taker }: Ask): Promise<HttpReply> {
  const { userAgent, authorities } = source.socketOptions;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), firstByteMs);
  try {
    return await send({
      method: 'GET',
      url,
      headers: { ...rangeOf(have), ...(userAgent && { 'User-Agent': userAgent }) },
      proxy: source.proxyFor?.(url),
      authorities,
      signal: AbortSignal.any([signal, late.signal]),
      maxReplyBytes: maxRefusalBytes,
      taker(status, headers) {
        const take = taker(status, headers);
        return (
          take &&
          ((chunk) => {
            clearTimeout(timer);
            return take(chunk);
          })
        );
      },
    });
  } catch (error) {
    if (late.signal.aborted) throw new NetworkError('timeout', `no byte within ${firstByteMs / 1000} s`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The text of an error response of another host, which nobody reads. */
const maxRefusalBytes = 64 * 1024;

function locationOf({ headers: { location = '' } }: HttpReply): URL {
  const url = URL.canParse(location) ? otherHost(new URL(location)) : undefined;
  if (!url) throw new NetworkError('network', 'the address that the service names is invalid');
  return url;
}

/** @throws StepFailed if a retry is of no use */
function refused({ status, headers, body }: HttpReply): Shortfall {
  if (status === 404) return { why: 'the service does not have it', minWaitMs: 0, isMissing: true };
  const why = `the service responded with ${status}`;
  const { isFinal, minWaitMs } = refusalOf({ status, headers });
  if (status >= 400 && status !== 416 && isFinal)
    throw new StepFailed('download_failed', `${why}: ${body.toString('utf8').slice(0, 300)}`);
  return { why, minWaitMs, isQueued: status === 429 };
}

/** Writes from offset `first` on, up to the size of the artifact. Cuts off older bytes after `first` beforehand. */
function writer(
  file: FileHandle,
  first: number,
  size: number,
  onWritten: (bytes: number) => void,
  signal: AbortSignal,
): (chunk: Buffer) => Promise<void> {
  let at = first;
  return async (chunk) => {
    signal.throwIfAborted();
    if (at === first) await file.truncate(first);
    if (at + chunk.length > size)
      throw new StepFailed('digest_mismatch', `more than the ${size} bytes of the artifact were sent`);
    for (let done = 0; done < chunk.length;)
      done += (await file.write(chunk, done, chunk.length - done, at + done)).bytesWritten;
    onWritten((at += chunk.length));
  };
}

async function refuseWithoutRoom(path: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize < bytes) throw await noSpace(path);
}

/** Discards the partial file: the robot needs the rest of its disk for other data. */
async function noSpace(path: string): Promise<StepFailed> {
  await discard(path);
  return new StepFailed('no_space', `${dirname(path)} has no space for the artifact`);
}
