import { spawn, type ChildProcess } from 'node:child_process';
import { resolve as pathOf } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

/** npm runs a script in the project's folder. */
export const projectPath = (name: string) => pathOf(name);

/** A running server, ours or a peer. */
export interface RunningServer extends AsyncDisposable {
  pid: number;
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** From spawn to its "ready" line, in ms. */
  readyAfterMs: number;
}

/**
 * Makes plain JavaScript of one of our own programs, so that a peer runs under the same bare `node` as the built server. Two
 * folders deep, like dist/server: what the bundle reads beside itself is found by the same relative path.
 */
export async function bundle(entry: string): Promise<string> {
  const outfile = projectPath(`dist/bench/${entry.replaceAll('/', '-').replace(/\.ts$/, '.mjs')}`);
  await build({
    entryPoints: [projectPath(`test/bench/${entry}`)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
  });
  return outfile;
}

/**
 * Starts a server that logs JSON lines and says `"msg":"ready"` with its `url` when it serves. It gets nothing of our
 * environment but PATH. Throws with its last output when it ends first or is not ready within `withinMs` (default 30 s). Disposing of it is
 * TERM, and KILL when it did not end within `stopWithinMs` (default 10 s).
 */
export async function startServer(
  script: string,
  env: Readonly<Record<string, string>>,
  { withinMs = 30_000, stopWithinMs = 10_000, nodeFlags = [] as readonly string[] } = {},
): Promise<RunningServer> {
  const startedAt = process.hrtime.bigint();
  const child = spawn(process.execPath, [...nodeFlags, script], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  const keep = (line: string) => {
    said.push(line);
    if (said.length > 20) said.shift();
  };
  createInterface(child.stderr).on('line', keep);
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const fail = (what: string) => () => reject(new Error(`${script} ${what}\n${said.join('\n')}`));
      const timer = setTimeout(fail(`was not ready after ${withinMs} ms`), withinMs);
      child.once('error', reject);
      child.once('exit', fail('ended before it was ready'));
      createInterface(child.stdout).on('line', (line) => {
        keep(line);
        const ready = readyUrl(line);
        if (ready === undefined) return;
        clearTimeout(timer);
        resolve(ready);
      });
    });
    const readyAfterMs = Number(process.hrtime.bigint() - startedAt) / 1e6;
    return { pid: child.pid as number, url, readyAfterMs, [Symbol.asyncDispose]: () => stop(child, stopWithinMs) };
  } catch (error) {
    await stop(child, stopWithinMs);
    throw error;
  }
}

/** The address in a "ready" line, undefined for any other line. */
export function readyUrl(line: string): string | undefined {
  if (!line.includes('"msg":"ready"')) return undefined;
  const record = JSON.parse(line) as { url?: unknown };
  return typeof record.url === 'string' ? record.url : undefined;
}

/** A bench leaves no process behind. */
async function stop(child: ChildProcess, withinMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
  await ended;
  clearTimeout(timer);
}

/** Wall time in ms of `node <args>` from spawn to exit, its output thrown away. Throws unless it ends with 0. */
export async function timeNode(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const startedAt = process.hrtime.bigint();
  const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore' });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  const elapsedMs = Number(process.hrtime.bigint() - startedAt) / 1e6;
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${String(code)}`);
  return elapsedMs;
}
