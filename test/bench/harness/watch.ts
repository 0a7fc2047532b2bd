import { spawn } from 'node:child_process';
import { built } from './built.ts';

/** A running `cli deployments watch`. */
export interface Watch {
  /** 0 once it has seen the deployment applied. */
  exitCode: Promise<number | null>;
}

/** Starts the built client; resolves when it has printed the first event. */
export function watchDeployment(url: string, token: string, deploymentId: string): Promise<Watch> {
  const words = ['deployments', 'watch', deploymentId, '--json', '--base-url', url];
  const child = spawn(process.execPath, [built('dist/cli/main.js'), ...words], {
    env: { PATH: process.env['PATH'], SERVICE_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exitCode = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve({ exitCode })).resume();
    exitCode.then((code) => reject(new Error(`the watch ended with ${String(code)} before it saw anything`)), reject);
  });
}
