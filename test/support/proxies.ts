import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentAt } from './documents.ts';
import { freePort } from './free-port.ts';
import { tempDir } from './temp-dir.ts';
import { patienceMs, until, within } from './until.ts';

/** A load balancer with a configuration from `docs/examples`. */
export interface Proxy extends AsyncDisposable {
  url: string;
}

interface Kind {
  command: string;
  example: string;
  listens: string;
  /** A limit in the example that may need more open files than a test machine has, and its replacement. */
  limit: readonly [example: string, used: string];
  args(file: string, folder: string): string[];
  replicas?: readonly string[]; // the addresses that the example names; default: those of three replicas
}

const kinds = {
  haproxy: {
    command: 'haproxy',
    example: 'docs/examples/haproxy.cfg',
    listens: 'bind :8080',
    limit: ['maxconn 20000', 'maxconn 4000'],
    args: (file) => ['-db', '-f', file],
  },
  nginx: {
    command: 'nginx',
    example: 'docs/examples/nginx.conf',
    listens: 'listen 8080',
    limit: ['worker_rlimit_nofile 65536', 'worker_rlimit_nofile 20000'],
    args: (file, folder) => ['-q', '-c', file, '-p', folder, '-e', 'stderr', '-g', 'daemon off; pid nginx.pid;'],
  },
  cache: {
    command: 'nginx',
    example: 'docs/examples/site-cache.conf',
    listens: 'listen 8081',
    limit: ['worker_connections 1024', 'worker_connections 512'],
    args: (file, folder) => [
      '-q',
      '-c',
      file,
      '-p',
      folder,
      '-e',
      'stderr',
      '-g',
      'daemon off; user root; pid nginx.pid;',
    ],
    replicas: [],
  },
} satisfies Record<string, Kind>;

/** In front of replicas. */
export type ProxyKind = Exclude<keyof typeof kinds, 'cache'>;

/** The addresses that the examples name. */
const exampleReplicas = ['10.0.0.11:8080', '10.0.0.12:8080', '10.0.0.13:8080'];

/**
 * Runs the example with the addresses of these replicas (the last one stands in for missing ones) and resolves once it
 * forwards requests.
 * @param changes texts of the example and their replacements; each has to occur
 */
export async function startProxy(
  kind: keyof typeof kinds,
  replicas: readonly string[],
  changes: Record<string, string> = {},
): Promise<Proxy> {
  const { command, example, listens, limit, args, replicas: named = exampleReplicas }: Kind = kinds[kind];
  const address = `127.0.0.1:${await freePort()}`;
  const addresses = named.map((each, index) => [each, new URL(replicas[index] ?? replicas.at(-1) ?? '').host]);
  let text = documentAt(example).text;
  for (const [said, used = ''] of [
    [listens, `${listens.split(' ')[0]} ${address}`],
    limit,
    ...addresses,
    ...Object.entries(changes),
  ]) {
    if (!text.includes(said)) throw new Error(`${example} does not contain "${said}"`);
    text = text.replaceAll(said, used);
  }
  const folder = await tempDir();
  const file = join(folder.path, 'proxy.conf');
  await writeFile(file, text);
  const child = spawn(command, args(file, folder.path), { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const exited = once(child, 'exit');
  const url = `http://${address}`;
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await folder[Symbol.asyncDispose]();
  };
  try {
    let hasEnded = false;
    const ready = until(async () => hasEnded || (await fetch(`${url}/readyz`)).status === 200);
    const ended = exited.then(() => {
      hasEnded = true;
      throw new Error(`${command} ended: ${stderr}`);
    });
    await within(Promise.race([ready, ended]), patienceMs, () => `${command} does not forward requests: ${stderr}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, [Symbol.asyncDispose]: stop };
}
