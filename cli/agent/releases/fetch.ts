import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Order } from '../../../generated/frames.js';
import { backoffMs } from '../../transport/backoff.ts';
import { discard, makeOwnFolder } from '../orders/durable.ts';
import { StepFailed, type OrderContext } from '../orders/handler.ts';
import type { PayloadSource } from '../orders/payload.ts';
import { digestOf } from './digest.ts';
import { originsOf, type OriginName } from './origins.ts';
import type { Release } from './release.ts';
import { transfer } from './transfer.ts';

/** The order fails after this time without a byte. Each received byte restarts the time. */
const giveUpAfterMs = 20 * 60_000;

/** Retries after a 404, after 1 to 2 s and 2 to 4 s: a replica may not yet see what another replica stored. */
const maxMissing = 2;

/** A cache or store that breaks off this often in a row, each time after less than so many bytes, has failed. */
const [maxBreaks, leastGain] = [3, 1024 * 1024];

/** What a download knows of its order. */
export type FetchTask = Pick<OrderContext, 'interrupted' | 'progress'> & {
  order?: Pick<Order, 'artifact_base_url'>; // default: without a cache
};

/**
 * Downloads the artifact to `path` and verifies its size and digest. It is on disk once this resolves. Resumes from the
 * bytes that `path` already holds, after a disconnect or a crash. Throws StepFailed (no_artifact, no_space,
 * digest_mismatch, download_failed), and the reason of the signal.
 */
export async function fetchArtifact(
  path: string,
  release: Release,
  source: PayloadSource,
  { interrupted: signal, progress, order }: FetchTask,
): Promise<void> {
  const origins = originsOf(release.sha256, source, order?.artifact_base_url);
  await makeOwnFolder(dirname(path));
  await touch(path);
  const at = (bytes: number) =>
    progress((bytes / release.size) * 100, `${mebibytes(bytes)} of ${mebibytes(release.size)} MiB`);
  let progressedMs = performance.now();
  let waits = backoffMs();
  let missing = 0; // responses in a row
  let breaks = 0; // in a row
  let last: OriginName = 'service'; // the latest that sent bytes
  /** Whether all bytes came from the service itself. Others may have sent wrong ones, also before a crash. */
  let isSure = (await sizeOf(path)) === 0;
  for (;;) {
    const before = await sizeOf(path);
    if (before === release.size) {
      const digest = await digestOf(path);
      if (digest === release.sha256) return origins.completed(last);
      await discard(path);
      if (isSure) throw new StepFailed('digest_mismatch', `the SHA-256 of the downloaded artifact is ${digest}`);
      origins.distrust(last, `it sent bytes with the SHA-256 ${digest}`);
      isSure = true;
      await touch(path);
      continue;
    }
    const { from, short, wrote } = await transfer({ path, have: before, at, signal }, release, origins.next(), source);
    signal.throwIfAborted();
    const gain = (await sizeOf(path)) - before;
    const isGain = gain > 0;
    breaks = short && from !== 'service' && gain < leastGain ? breaks + 1 : 0;
    isSure &&= from === 'service' || !wrote;
    if (isGain) {
      last = from;
      if (breaks < maxBreaks) origins.gained(from);
      progressedMs = performance.now();
      waits = backoffMs();
    }
    if (!short) continue;
    if (!isGain || breaks >= maxBreaks) origins.fail(from, short.why);
    if (!isGain && from !== 'service') continue; // the next origin is asked at once
    missing = short.isMissing ? missing + 1 : 0;
    if (missing > maxMissing)
      throw new StepFailed('no_artifact', 'the service does not have the artifact of this release');
    const now = performance.now();
    // Each progress report extends the deadline of the order.
    if (short.isQueued) {
      progress((before / release.size) * 100, 'waiting for other downloads');
      progressedMs = now;
    }
    if (now - progressedMs > giveUpAfterMs)
      throw new StepFailed('download_failed', `the artifact could not be downloaded: ${short.why}`);
    const waitMs = Math.max(waits.next().value, short.minWaitMs);
    await pause(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** An artifact of 0 bytes is complete once its file exists. */
const touch = async (path: string): Promise<void> => (await open(path, 'a', 0o600)).close();

const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;
