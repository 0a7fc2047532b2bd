import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../../transport/backoff.ts';
import { StepFailed } from '../../orders/handler.ts';
import type { Release } from '../release.ts';
import { EngineFailed, type Engine } from './engine.ts';
import type { LoadedImage } from './images.ts';

/** About 2 min of waiting in total. */
const maxTries = 7;
/** Permanent errors of the registry. */
const isFinal = /manifest unknown|not found|unauthori[sz]ed|denied|no matching manifest|invalid reference/i;

/**
 * The reference to pull a release without a file: its tag `name@sha256:<hex>`, if that is also the digest of its
 * artifact. Undefined for any other release.
 */
export function referenceOf({ tag, sha256 }: Release): string | undefined {
  const [, digest] = /^[a-z0-9][a-z0-9._:/-]*@sha256:([0-9a-f]{64})$/.exec(tag) ?? [];
  return digest === sha256 ? tag : undefined;
}

/**
 * Pulls the image; the engine verifies its digest. Throws StepFailed (download_failed), and the reason of the signal.
 */
export async function pullImage(
  engine: Engine,
  reference: string,
  call: { signal: AbortSignal; timeoutMs: number },
): Promise<LoadedImage> {
  const waits = backoffMs();
  for (let tries = 1; ; tries += 1) {
    try {
      await engine.call(['pull', reference], { ...call, changes: true, isLogged: true });
      break;
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof EngineFailed)) throw error;
      if (tries >= maxTries || isFinal.test(error.message)) throw new StepFailed('download_failed', error.message);
      await pause(waits.next().value, undefined, { signal: call.signal });
    }
  }
  const id = await engine.image(reference);
  if (id === undefined) throw new StepFailed('download_failed', `${reference} was pulled, but is missing`);
  return { id, names: [] };
}
