import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { saveSimulatedRobots } from '../../../cli/files/simulated-robots.ts';
import { built } from './built.ts';

/** The simulator of the built client, with robots that are enrolled already. */
export interface CrowdProcess extends AsyncDisposable {
  /** Robots that are up by its line of the last second. */
  readonly up: number;
  /** Resolves with the ms it took until so many were up, or not up any more; fails after `withinMs`. */
  until(condition: (up: number) => boolean, withinMs: number): Promise<number>;
}

const enrollmentKey = 'svc_enroll_bench';

/** Real agents' links with their real backoff. `tokens` are those of the robots. */
export async function startCrowd(url: string, tokens: readonly string[], profile = 'idle'): Promise<CrowdProcess> {
  const home = await mkdtemp(join(tmpdir(), 'bench-crowd-'));
  const crowd = { backendUrl: url, seed: 'bench' };
  const robots = new Map(tokens.map((robotToken, index) => [index, { robotId: String(index), robotToken }]));
  await saveSimulatedRobots(join(home, 'service'), crowd, robots);
  const flags = [
    '--count',
    String(tokens.length),
    '--seed',
    'bench',
    '--profile',
    profile,
    '--ramp-per-second',
    '2000',
  ];
  const child = spawn(
    process.execPath,
    [built('dist/cli/main.js'), 'agent', 'simulate', '--backend-url', url, ...flags],
    {
      env: { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: home, SERVICE_ENROLLMENT_KEY: enrollmentKey },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let up = 0;
  let last = '';
  createInterface(child.stderr).on('line', (line) => {
    last = line;
    up = Number(/^up (\d+)/.exec(line)?.[1] ?? up);
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  return {
    get up() {
      return up;
    },
    until(condition, withinMs) {
      const startedAt = performance.now();
      return new Promise((resolve, reject) => {
        const look = setInterval(() => {
          const elapsedMs = performance.now() - startedAt;
          const isOver = condition(up) || child.exitCode !== null || elapsedMs > withinMs;
          if (!isOver) return;
          clearInterval(look);
          if (condition(up)) resolve(elapsedMs);
          else reject(new Error(`the robots did not get there in ${Math.round(elapsedMs / 1000)} s: ${last}`));
        }, 100);
      });
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(timer);
      await rm(home, { recursive: true, force: true });
    },
  };
}
