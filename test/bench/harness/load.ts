import { fork } from 'node:child_process';
import { bundle } from './child.ts';
import type { LoadJob, LoadResult } from './load-job.ts';
import { usageOf, type Usage } from './proc.ts';
import type { RunningServer } from './child.ts';

/** A load generator in its own process; one serves a whole row, so that it is warm as well. */
export interface LoadGenerator extends AsyncDisposable {
  run(job: LoadJob): Promise<LoadResult>;
}

/** What one server spent on one job. */
export interface Spent extends LoadResult {
  cpuUsPerRequest: number;
  requestsPerSecond: number;
  /** Resident memory when the job had ended. */
  rssMb: number;
}

export async function startLoadGenerator(): Promise<LoadGenerator> {
  const child = fork(await bundle('harness/load-process.ts'), { execArgv: [] });
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null) => reject(new Error(`the load generator ended with ${String(code)}`));
        child.once('exit', ended);
        child.once('message', (answer: { result: LoadResult } | { failure: string }) => {
          child.off('exit', ended);
          if ('result' in answer) resolve(answer.result);
          else reject(new Error(answer.failure));
        });
        child.send(job);
      }),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}

/**
 * Runs a job against a server and counts what the server used meanwhile, and until `settled` resolves: by default, until
 * the job ends.
 */
export async function spend(
  generator: LoadGenerator,
  server: RunningServer,
  job: Omit<LoadJob, 'port'>,
  settled: () => Promise<void> | undefined = () => undefined,
): Promise<Spent> {
  const before: Usage = await usageOf(server.pid);
  const result = await generator.run({ ...job, port: Number(new URL(server.url).port) });
  await settled();
  const after = await usageOf(server.pid);
  return {
    ...result,
    cpuUsPerRequest: ((after.cpuMs - before.cpuMs) * 1000) / job.requests,
    requestsPerSecond: (job.requests * 1000) / result.elapsedMs,
    rssMb: after.rssMb,
  };
}
