import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../../../generated/protocol.js';
import { StepFailed, Stopped, type OrderContext } from '../../orders/handler.ts';
import { withTail } from '../../orders/text.ts';
import type { Container, Engine } from './engine.ts';

/** How long a health check may stay in `starting`. */
const healthyWithinMs = 120_000;
/** How long the engine may not respond before that counts as a failure: it may be updated or restart. */
const silentMs = 15_000;
/** How long to look for the exit code of a container that restarts again and again. */
const exitWithinMs = 10_000;

interface Settling {
  /** How long the container must run. */
  settleMs: number;
  /** How often the engine may have restarted it before. Default: as often as by now. */
  restarts?: number;
  task: Pick<OrderContext, 'stopping' | 'progress'>;
}

/**
 * Waits until the container has run for `settleMs` without exiting, and its health check, if any, has passed. Returns
 * its last state. Throws StepFailed (verify_failed) with how it ended and its last lines, and Stopped.
 */
export async function settleContainer(
  engine: Engine,
  nameOrId: string,
  { settleMs, restarts, task }: Settling,
): Promise<Container> {
  const everyMs = Math.min(1_000, settleMs / 4);
  const begunMs = performance.now();
  let answeredMs = begunMs;
  let first: Container | undefined;
  for (;;) {
    if (task.stopping.aborted) throw new Stopped();
    const now = performance.now();
    try {
      const container = await engine.container(nameOrId);
      answeredMs = now;
      if (!container) throw new StepFailed('verify_failed', 'the container is missing');
      first ??= { ...container, restarts: restarts ?? container.restarts };
      await refuseEnded(engine, container, first);
      const hasSettled = now - begunMs >= settleMs;
      if (hasSettled && container.health !== 'starting') return container;
      if (now - begunMs >= Math.max(settleMs, healthyWithinMs))
        throw await failure(engine, container.id, `its health check did not finish within ${healthyWithinMs / 1000} s`);
      const text = hasSettled ? 'waiting for its health check' : `running for ${Math.floor((now - begunMs) / 1000)} s`;
      task.progress(Math.min(99, ((now - begunMs) / settleMs) * 100), text);
    } catch (error) {
      const isVerdict = error instanceof StepFailed && error.reason === 'verify_failed';
      if (isVerdict || now - answeredMs > silentMs) throw error;
    }
    await pause(everyMs, undefined, { signal: task.stopping }).catch(() => undefined);
  }
}

async function refuseEnded(engine: Engine, container: Container, first: Container): Promise<void> {
  const { id, isRunning, restarts, pid, startedAt, health } = container;
  if (!isRunning) throw await failure(engine, id, endOf(container));
  if (restarts > first.restarts || pid !== first.pid || startedAt !== first.startedAt)
    throw await failure(engine, id, `${endOf(await whenEnded(engine, container))}, and was restarted`);
  if (health === 'unhealthy') throw await failure(engine, id, 'its health check says that it is unhealthy');
}

/** A container that restarts again and again shows its exit only between two starts. */
async function whenEnded(engine: Engine, container: Container): Promise<Container | undefined> {
  for (const untilMs = performance.now() + exitWithinMs; performance.now() < untilMs; await pause(50)) {
    const now = await engine.container(container.id);
    if (!now || !now.isRunning) return now;
  }
  return undefined;
}

function endOf(container: Container | undefined): string {
  if (!container) return 'the container ended';
  if (container.wasOutOfMemory) return 'the container ran out of memory';
  return `the container ended with exit code ${container.exitCode}`;
}

async function failure(engine: Engine, id: string, why: string): Promise<StepFailed> {
  const lines = await engine.lastLines(id).catch(() => []);
  return new StepFailed('verify_failed', withTail(why, lines, limits.maxReportMessageBytes));
}
