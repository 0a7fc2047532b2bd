import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';

/** Debian's `nats-server`, on one port of loopback for its whole life. */
export interface Nats extends AsyncDisposable {
  port: number;
  /** Its settings are the last ones given. */
  start(settings?: string): Promise<void>;
  stop(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

/** @param settings lines of its settings file, besides the address */
export async function startNats(settings = ''): Promise<Nats> {
  const folder = await tempDir();
  const port = await freePort();
  const file = join(folder.path, 'nats.conf');
  let child: ReturnType<typeof spawn> | undefined;
  const nats: Nats = {
    port,
    async start(changed = settings) {
      await writeFile(file, `host: 127.0.0.1\nport: ${port}\n${(settings = changed)}\n`);
      child = spawn('nats-server', ['-c', file, '-l', join(folder.path, 'log')], { stdio: 'ignore' });
      await until(() => accepts(port));
    },
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    signal: (signal) => void child?.kill(signal),
    async [Symbol.asyncDispose]() {
      await nats.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
  await nats.start();
  return nats;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
