import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { SshClient } from '../peers/sshd.ts';
import type { BenchShell } from './shell-robot.ts';

/** How a command is run on the other side, with a terminal of its own there or without. */
export type Remote = (isTerminal: boolean, command: string) => ChildProcessByStdio<Writable, Readable, null>;

const stdio = ['pipe', 'pipe', 'inherit'] as const;

export const ofOurs =
  ({ program, args, env }: BenchShell): Remote =>
  (isTerminal, command) =>
    spawn(program, [...args, ...(isTerminal ? ['-t'] : []), '--', 'sh', '-c', command], { env, stdio: [...stdio] });

export const ofSsh =
  ({ program, args, host }: SshClient): Remote =>
  (isTerminal, command) =>
    spawn(program, [...args, ...(isTerminal ? ['-tt'] : ['-T']), host, command], { stdio: [...stdio] });

/** Types one key after the other, each when the one before has come back, and gives the times in ms. */
export async function typeKeys({ stdin, stdout }: ReturnType<Remote>, count: number): Promise<number[]> {
  const times: number[] = [];
  const key = Buffer.from('k');
  let came: () => void = () => undefined;
  const listener = () => came();
  stdout.on('data', listener);
  for (let typed = 0; typed < count; typed += 1) {
    const back = new Promise<void>((resolve) => (came = resolve));
    const beganAt = process.hrtime.bigint();
    stdin.write(key);
    await back;
    times.push(Number(process.hrtime.bigint() - beganAt) / 1e6);
  }
  stdout.off('data', listener);
  return times;
}

/** A terminal there that echoes every key as it is, once it says that it does. */
export async function startEcho(remote: Remote): Promise<ReturnType<Remote>> {
  const child = remote(true, 'stty raw -echo; printf R; exec cat');
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`the shell ended with ${String(code)}`)));
  });
  child.removeAllListeners('exit');
  return child;
}

/** Reads so many bytes of zeros from there; gives MB/s from the start to the end of the process. */
export async function readBulk(remote: Remote, isTerminal: boolean, megabytes: number): Promise<number> {
  const beganMs = performance.now();
  const child = remote(isTerminal, `head -c ${megabytes}000000 /dev/zero`);
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0 || bytes !== megabytes * 1e6)
    throw new Error(`${bytes} bytes came, and the shell ended with ${String(code)}`);
  return megabytes / ((performance.now() - beganMs) / 1000);
}
