import { open, stat, statfs, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../transport/backoff.ts';
import { messageOf, NetworkError, send } from '../../transport/http.ts';
import { discard, isDiskFull, makeOwnFolder } from '../orders/durable.ts';
import { StepFailed, type OrderContext } from '../orders/handler.ts';
import type { PayloadSource } from '../orders/payload.ts';
import { refusalOf } from '../refusal.ts';
import { digestOf } from './digest.ts';
import type { Release } from './release.ts';

/** The order fails after this time without a byte. Each received byte restarts the time. */
const giveUpAfterMs = 20 * 60_000;

/** Retries after a 404, after 1 to 2 s and 2 to 4 s: a replica may not yet see what another replica stored. */
const maxMissing = 2;

/** An attempt that did not download the rest. */
interface Shortfall {
  why: string;
  minWaitMs: number;
  /** Whether the service lets other downloads finish first (429): that wait does not count as a stall. */
  isQueued?: boolean;
  isMissing?: boolean; // the service does not have it
}

/**
 * Downloads the artifact to `path` and verifies its size and digest. It is on disk once this resolves. Resumes from the
 * bytes that `path` already holds, after a disconnect or a crash. Throws StepFailed (no_artifact, no_space,
 * digest_mismatch, download_failed), and the reason of the signal.
 */
export async function fetchArtifact(
  path: string,
  release: Release,
  source: PayloadSource,
  { interrupted: signal, progress }: Pick<OrderContext, 'interrupted' | 'progress'>,
): Promise<void> {
  await makeOwnFolder(dirname(path));
  // An artifact of 0 bytes is complete once its file exists.
  await (await open(path, 'a', 0o600)).close();
  const at = (bytes: number) =>
    progress((bytes / release.size) * 100, `${mebibytes(bytes)} of ${mebibytes(release.size)} MiB`);
  let progressedMs = performance.now();
  let waits = backoffMs();
  let missing = 0; // responses in a row
  for (;;) {
    const before = await sizeOf(path);
    const short =
      before === release.size ? undefined : await download({ path, have: before, at }, release, source, signal);
    signal.throwIfAborted();
    if (!short) break;
    missing = short.isMissing ? missing + 1 : 0;
    if (missing > maxMissing)
      throw new StepFailed('no_artifact', 'the service does not have the artifact of this release');
    const now = performance.now();
    // Each progress report extends the deadline of the order.
    if (short.isQueued) {
      progress((before / release.size) * 100, 'waiting for other downloads');
      progressedMs = now;
    }
    if ((await sizeOf(path)) > before) {
      progressedMs = now;
      waits = backoffMs();
    }
    if (now - progressedMs > giveUpAfterMs)
      throw new StepFailed('download_failed', `the artifact could not be downloaded: ${short.why}`);
    const waitMs = Math.max(waits.next().value, short.minWaitMs);
    await pause(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  const digest = await digestOf(path);
  if (digest === release.sha256) return;
  await discard(path);
  throw new StepFailed('digest_mismatch', `the SHA-256 of the downloaded artifact is ${digest}`);
}

/** Requests the missing bytes and writes them as they arrive. Returns why they are incomplete, or undefined. */
async function download(
  { path, have, at }: { path: string; have: number; at: (bytes: number) => void },
  { sha256, size }: Release,
  { backendUrl, token, socketOptions }: PayloadSource,
  signal: AbortSignal,
): Promise<Shortfall | undefined> {
  await refuseWithoutRoom(path, size - have);
  const file = await open(path, have > 0 ? 'r+' : 'w', 0o600);
  /** The error on the agent's side, such as a disk error. */
  let fault: Error | undefined;
  const writing = (first: number) => {
    const write = writer(file, first, size, at, signal);
    return (chunk: Buffer) =>
      write(chunk).catch((error: unknown) => {
        fault = error instanceof Error ? error : new Error(String(error));
        throw fault;
      });
  };
  try {
    const { status, headers, body } = await send({
      method: 'GET',
      url: new URL(`${backendUrl}/api/artifacts/${sha256}`),
      headers: {
        Authorization: `Bearer ${token}`,
        ...(have > 0 && { Range: `bytes=${have}-`, 'If-Range': `"${sha256}"` }),
        ...(socketOptions.userAgent && { 'User-Agent': socketOptions.userAgent }),
      },
      proxy: socketOptions.proxy,
      authorities: socketOptions.authorities,
      signal,
      taker: (answered, of) => {
        if (answered === 200) return writing(0);
        // A response with another range than requested would put bytes at the wrong offset.
        const isNext = answered === 206 && of['content-range'] === `bytes ${have}-${size - 1}/${size}`;
        return isNext ? writing(have) : undefined;
      },
    });
    await file.sync();
    if ((status === 200 || status === 206) && (await file.stat()).size === size) return undefined;
    if (status === 404) return { why: 'the service does not have it', minWaitMs: 0, isMissing: true };
    if (status === 206 || status === 416) await file.truncate(0);
    const why = `the service responded with ${status}`;
    const { isFinal, minWaitMs } = refusalOf({ status, headers });
    if (status >= 400 && status !== 416 && isFinal)
      throw new StepFailed('download_failed', `${why}: ${body.toString('utf8').slice(0, 300)}`);
    return { why, minWaitMs, isQueued: status === 429 };
  } catch (error) {
    if (isDiskFull(fault)) throw await noSpace(path);
    // The response was too long, so the source of its first bytes is unknown. The next order must not resume from them.
    if (fault instanceof StepFailed) await discard(path);
    if (fault) throw fault;
    if (error instanceof NetworkError) return { why: messageOf(error), minWaitMs: 0 };
    throw error;
  } finally {
    await file.close();
  }
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
      throw new StepFailed('digest_mismatch', `the service sends more than the ${size} bytes of the artifact`);
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

const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;
