import { spawn } from 'node:child_process';
import { bin } from './cli.ts';
import type { ShellScene } from './shell-scene.ts';

/** Runs a line of bash, in which `cli` is the client of the signed-in user; stdout is returned as bytes. */
export async function runLine({ world, cutter, home }: ShellScene, line: string, cwd = home.path) {
  const cli = `cli() { '${process.execPath}' '${bin}' --base-url '${cutter.url}' "$@"; }`;
  const child = spawn('bash', ['-c', `${cli}\n${line}`], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: home.path, SERVICE_TOKEN: world.orgToken },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk: Buffer) => output[name].push(chunk));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout: Buffer.concat(output.stdout), stderr: Buffer.concat(output.stderr).toString() };
}
