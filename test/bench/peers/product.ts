import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';

/** A program of others that serves on a port of loopback, with settings of its own in a folder that goes with it. */
export interface Product extends AsyncDisposable {
  pid: number;
  port: number;
  folder: string;
}

const startWithinMs = 5_000;

/**
 * Starts it once `prepare` has written its settings and gives its arguments. Undefined where the program is not installed.
 * `parent`: where its folder is made.
 */
export async function startProduct(
  name: string,
  prepare: (place: { folder: string; port: number }) => Promise<readonly string[]>,
  parent = tmpdir(),
): Promise<Product | undefined> {
  const paths = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, name));
  const program = paths.find((each) => existsSync(each));
  if (program === undefined) return undefined;
  const folder = await mkdtemp(join(parent, `bench-${name}-`));
  const port = await freePort();
  const child = spawn(program, await prepare({ folder, port }), { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + startWithinMs;
  while (!(await accepts(port))) {
    if (performance.now() > deadline || child.exitCode !== null) {
      await stop();
      throw new Error(`${name} does not start`);
    }
    await sleep(20);
  }
  return { pid: child.pid ?? 0, port, folder, [Symbol.asyncDispose]: stop };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
