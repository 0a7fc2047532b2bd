import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import type { Duplex } from 'node:stream';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { coverCommand } from '../runner/covered.ts';
import { runInProcess, canRunInProcess } from './in-process-cli.ts';

export const bin = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const ownHome = `--require ${fileURLToPath(new URL('own-home.cjs', import.meta.url))}`;

export interface CliOptions {
  env?: Record<string, string> | undefined;
  input?: string | undefined;
  /** Runs it on a real terminal of this width, which merges stdout and stderr. Default: pipes. */
  columns?: number | undefined;
  /**
   * Runs a copy of the client as this user, who has no access to other files of this project. Default: the current
   * user.
   */
  uid?: number | undefined;
  /** Another program instead of the client: a script for Node, or an executable. */
  program?: string | undefined;
}

export interface CliResult {
  /** 128 plus the signal number after a signal, as in a shell. */
  code: number;
  stdout: string;
  stderr: string;
}

/** A separate home, in which the real client runs. */
export interface Home extends AsyncDisposable {
  path: string;
  config: string;
  /** Runs in this process if the line behaves there as in its own; see `canRunInProcess`. */
  cli(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Starts a process without waiting for its end; stdin stays open unless there is an input. */
  start(args: readonly string[], options?: CliOptions): Running;
}

/** `env` applies to every run. */
export async function startHome(env: Record<string, string> = {}): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'fleet-cli-'));
  const running = new Set<Running>();
  const begin = (args: readonly string[], options: CliOptions) => {
    const made = start(path, args, { ...options, env: { ...env, ...options.env } });
    running.add(made);
    void made.ended.finally(() => running.delete(made)).catch(() => undefined);
    return made;
  };
  return {
    path,
    config: join(path, '.config', 'service'),
    cli(args, options = {}) {
      coverCommand(args);
      const { columns, uid, program, input = '' } = options;
      const own = { ...env, ...options.env };
      if (columns !== undefined || uid !== undefined || program !== undefined || !canRunInProcess(args, own))
        return begin(args, { input: '', ...options }).ended;
      const { TEST_BASE_URL: baseUrl, ...rest } = own;
      return runInProcess(withAddress(args, baseUrl), { ...environmentIn(path), ...rest }, input);
    },
    start(args, options = {}) {
      coverCommand(args);
      return begin(args, options);
    },
    async [Symbol.asyncDispose]() {
      // A failed test must not leave an agent running.
      for (const each of running) each.kill('SIGKILL');
      await Promise.allSettled([...running].map(({ ended }) => ended));
      // An agent started by a supervisor is not awaited here, and may still write while it ends.
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

/** A home with the token and the URL of a world, as after `cli login`, but without the file. */
export const signedInHome = (world: { url: string; orgToken: string; adminToken: string }) =>
  startHome({ SERVICE_TOKEN: world.orgToken, SERVICE_ADMIN_TOKEN: world.adminToken, TEST_BASE_URL: world.url });

const terminal = '/usr/bin/script';

/** A run that has not ended. */
export interface Running {
  pid: number | undefined;
  /** The text of both outputs so far. */
  text(): string;
  /** Resolves once the text contains it; rejects with the text so far if the run ends first, or after 60 s. */
  sees(part: string): Promise<void>;
  /** On the terminal, where Ctrl-C is `\u0003`. */
  type(keys: string): void;
  kill(signal: NodeJS.Signals): void;
  /** Stops reading until `readOn`, like a stalled pager. */
  stopReading(): void;
  readOn(): void;
  ended: Promise<CliResult>;
}

function start(
  home: string,
  args: readonly string[],
  { env, input, columns, uid, program = bin }: CliOptions,
): Running {
  const { TEST_BASE_URL: baseUrl, ...rest } = env ?? {};
  const ours = uid === undefined ? program : join(home, 'client', 'main.js');
  if (uid !== undefined) cpSync(dirname(bin), dirname(ours), { recursive: true });
  const isScript = /\.m?js$/.test(ours);
  const words = [...(isScript ? [process.execPath] : []), ours, ...withAddress(args, baseUrl)];
  const inTerminal = `stty cols ${columns ?? 80} rows 24; exec ${words.map(quoted).join(' ')}`;
  const [command = '', ...commandArgs] = columns === undefined ? words : [terminal, '-qec', inTerminal, '/dev/null'];
  const child = spawn(command, commandArgs, {
    env: {
      ...environmentIn(home),
      // Another user has no access to the current user's files.
      ...(isScript && uid === undefined && { NODE_OPTIONS: ownHome }),
      ...rest,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const output = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  const text = () => output.stdout + output.stderr;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
      for (const watcher of watchers) watcher();
    });
  }
  child.stdin.on('error', () => undefined);
  if (input !== undefined) child.stdin.end(input);
  const ended = new Promise<CliResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? (signal === 'SIGINT' ? 130 : 137), ...output }));
  });
  return {
    pid: child.pid,
    text,
    ended,
    type: (keys) => void child.stdin.write(keys),
    kill: (signal) => void child.kill(signal),
    stopReading: () => void child.stdout.pause(),
    readOn: () => void child.stdout.resume(),
    sees: (part) =>
      new Promise((resolve, reject) => {
        const fail = (what: string) => reject(new Error(`${what} without ${JSON.stringify(part)}: ${text()}`));
        const limit = setTimeout(() => fail('60 s'), 60_000).unref();
        const watcher = () => {
          if (!text().includes(part)) return;
          clearTimeout(limit);
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
        watcher();
        void ended.then(() => fail('ended'));
      }),
  };
}

const environmentIn = (home: string) => ({ PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm-256color' });

function withAddress(args: readonly string[], baseUrl: string | undefined): string[] {
  const dashes = args.indexOf('--');
  const end = dashes === -1 ? args.length : dashes;
  const address = baseUrl !== undefined && !args.includes('--base-url') ? ['--base-url', baseUrl] : [];
  return [...args.slice(0, end), ...address, ...args.slice(end)];
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export interface Listener extends AsyncDisposable {
  url: string;
  /** `METHOD path` of each request, in order. */
  requests: string[];
}

/**
 * A server that is not the service, for responses that a real one never sends, and to see the requests. As a proxy it
 * refuses every tunnel, or connects each to the port `tunnelTo` of this machine.
 */
export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  tunnelTo?: number,
): Promise<Listener> {
  const requests: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(request, response);
  });
  server.on('connect', (request, socket) => {
    requests.push(`CONNECT ${request.url ?? ''}`);
    sockets.add(socket.on('error', () => undefined));
    if (tunnelTo === undefined) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const upstream = connect(tunnelTo, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    sockets.add(upstream.on('error', () => undefined));
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
