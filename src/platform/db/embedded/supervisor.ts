import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PostmasterEndedError, startPostmaster, type Postmaster, type PostmasterOptions } from './postmaster.ts';
import { EmbeddedPostgresError, errorCode } from './types.ts';

/*
 *   starting → serving    Postgres accepts connections
 *   starting → failed     it ended before, or another server does not leave the cluster in 60 s (first start only)
 *   serving  → waiting    it died: killed, out of disk, out of memory
 *   waiting  → serving    it accepts connections again
 *   waiting  → waiting    it ended before; 0.2 s, 0.4 s, 0.8 s … 30 s between attempts
 *   any      → stopped    stop()
 */

const pollMs = 200;
const otherServerMs = 60_000;
const firstPauseMs = 200;
const longestPauseMs = 30_000;
/** A server that ran this long resets the pauses. */
const healthyMs = 60_000;

/** Keeps one cluster running until it is stopped. */
interface Supervisor {
  stop(): Promise<void>;
}

/** @throws EmbeddedPostgresError if the first start of Postgres fails */
export async function supervise(cluster: Omit<PostmasterOptions, 'signal'>): Promise<Supervisor> {
  const stopped = new AbortController();
  const options = { ...cluster, signal: stopped.signal };
  const first = await startWhenFree(options).catch((error: unknown) => {
    if (!(error instanceof PostmasterEndedError)) throw error;
    throw new EmbeddedPostgresError(`Postgres did not start on ${cluster.clusterDir}: ${error.message}`, {
      cause: error,
    });
  });
  const served = keepServing(first, options);
  return {
    async stop() {
      stopped.abort();
      await served;
    },
  };
}

/** Returns once the signal is aborted and the current server has ended. */
async function keepServing(first: Postmaster, options: PostmasterOptions): Promise<void> {
  const { log, signal } = options;
  let current: Postmaster | undefined = first;
  let startedAtMs = performance.now();
  let pauseMs = firstPauseMs;
  const isStopped = (): boolean => signal.aborted;
  while (!isStopped()) {
    const lastWords: string | undefined = await current?.ended;
    if (isStopped()) return;
    if (current) log.error({ lastWords }, 'Postgres ended unexpectedly; restarting it');
    if (performance.now() - startedAtMs > healthyMs) pauseMs = firstPauseMs;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    if (isStopped()) return;
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    startedAtMs = performance.now();
    current = await startPostmaster(options).catch((error: unknown) => {
      log.error({ err: error, pauseMs }, 'Postgres did not start; retrying');
      return undefined;
    });
    if (current) log.info({}, 'Postgres is running again');
  }
  await current?.ended;
}

/**
 * The lock proves that no other process supervises this cluster. A server that still runs is shutting down, or was
 * started manually. Postgres checks its own postmaster.pid: wait while the file names a live Postgres, and retry while
 * Postgres reports remains of the old server.
 */
async function startWhenFree(options: PostmasterOptions): Promise<Postmaster> {
  const deadlineMs = performance.now() + otherServerMs;
  let hasWarned = false;
  for (;;) {
    const pid = await findOtherServer(options.clusterDir);
    try {
      if (pid === undefined) return await startPostmaster(options);
    } catch (error) {
      const remains =
        error instanceof PostmasterEndedError &&
        /postmaster\.pid" already exists|shared memory block/.test(error.message);
      if (!remains || performance.now() > deadlineMs) throw error;
    }
    if (pid !== undefined && performance.now() > deadlineMs) {
      throw new EmbeddedPostgresError(
        `another Postgres (process ${pid}) runs on ${options.clusterDir}: stop it with kill -INT ${pid}`,
      );
    }
    if (!hasWarned)
      options.log.warn({ pid }, 'another Postgres still uses the data folder; waiting up to 60 s for it to end');
    hasWarned = true;
    await delay(pollMs);
  }
}

/** The process in postmaster.pid, if alive and possibly Postgres: after a reboot, another program may have the pid. */
async function findOtherServer(clusterDir: string): Promise<number | undefined> {
  const pidFile = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(pidFile, 10);
  if (!(pid > 1)) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return undefined;
  }
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres');
  return name.trim() === 'postgres' ? pid : undefined;
}
