import { fork } from 'node:child_process';
import { bundle } from './child.ts';
import type { CameraJob, CameraResult } from './camera-job.ts';
import type { LinkJob, LinkResult } from './link-job.ts';
import type { StreamJob, StreamResult } from './stream-job.ts';

/** Ends of robots, in a process of their own. */
export interface JobProcess<Job, Result> extends AsyncDisposable {
  run(job: Job): Promise<Result>;
}

export type LinkProcess = JobProcess<LinkJob, LinkResult>;
/** Many links. */
export const startLinkProcess = () => startJobProcess<LinkJob, LinkResult>('harness/link-process.ts');
/** One robot with streams. */
export const startStreamProcess = () => startJobProcess<StreamJob, StreamResult>('harness/stream-process.ts');
export type CameraProcess = JobProcess<CameraJob, CameraResult>;
/** One camera, and all who look at it. */
export const startCameraProcess = () => startJobProcess<CameraJob, CameraResult>('harness/camera-process.ts');

export async function startJobProcess<Job extends object, Result>(entry: string): Promise<JobProcess<Job, Result>> {
  const child = fork(await bundle(entry), { execArgv: [] });
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null) => reject(new Error(`${entry} ended with ${String(code)}`));
        child.once('exit', ended);
        child.once('message', (answer: { result: Result } | { failure: string }) => {
          child.off('exit', ended);
          if ('result' in answer) resolve(answer.result);
          else reject(new Error(answer.failure));
        });
        child.send(job);
      }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}

/** About 300 bytes, what robots measure mostly. */
export const healthBeat = JSON.stringify({
  type: 'heartbeat',
  health: {
    ts: '2026-11-21T09:00:00.000Z',
    uptime_s: 86_400,
    cpu: { cores: 4, percent: 12.5, load: [0.42, 0.4, 0.38] },
    memory: { total_bytes: 8_326_000_640, available_bytes: 5_120_000_000, swap_used_bytes: 0 },
    disk: [{ path: '/', total_bytes: 62_725_623_808, free_bytes: 41_817_082_538 }],
    battery: { percent: 81, status: 'Discharging', voltage: 24.6 },
  },
});
export const bareBeat = JSON.stringify({ type: 'heartbeat' });
