import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { testWith } from './tools.ts';

/** A test of programs without a network. */
export const testOnLoopback = testWith('root', 'mount', 'ip');

export interface Loopback extends AsyncDisposable {
  /** Before the words of a command: runs it there. */
  words: string[];
  /** The file by which programs and interfaces are moved there. */
  namespace: string;
  /** The interfaces that programs have there. */
  interfaces(): Promise<string[]>;
}

/** A network of its own that has only loopback: no address outside can be reached, and no listener of this machine. */
export async function startLoopback(): Promise<Loopback> {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'ip link set lo up && echo up && exec sleep 3600'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(holder, 'exit');
  const isUp = await Promise.race([once(holder.stdout, 'data'), exited]).then(() => holder.exitCode === null);
  if (!isUp) throw new Error('no network namespace with loopback could be made');
  const namespace = `/proc/${holder.pid}/ns/net`;
  return {
    words: ['nsenter', `--net=${namespace}`],
    namespace,
    async interfaces() {
      const text = await readFile(`/proc/${holder.pid}/net/dev`, 'utf8');
      return [...text.matchAll(/^ *(\S+):/gm)].map(([, name = '']) => name);
    },
    async [Symbol.asyncDispose]() {
      holder.kill('SIGKILL');
      await exited;
    },
  };
}
