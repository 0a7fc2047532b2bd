import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/platform/db/index.ts';
import { freePort } from './free-port.ts';
import { runningProcesses } from './processes.ts';

const root = '/usr/lib/postgresql';
const major = existsSync(root)
  ? readdirSync(root).find((name) => existsSync(join(root, name, 'bin/initdb')))
  : undefined;

/**
 * Debian's Postgres, of another major version than the embedded one; undefined on a machine without it (`.ci/run`
 * installs it).
 */
export const plainMajor = major === undefined ? undefined : Number(major);

export const binaries = join(root, String(major), 'bin');
export const nobody = 65534;
/** The words before a command of a server that refuses to run as root. */
export const asNobody =
  process.getuid?.() === 0 ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];

/** A Postgres server as an operator runs one: TCP, a password, its own superuser. Its data is in a new folder of `parent`. */
export async function startPlainPostgres(parent = tmpdir()) {
  const folder = await mkdtemp(join(parent, 'fleet-plain-'));
  if (asNobody.length > 0) await chown(folder, nobody, nobody);
  const words = [...asNobody, join(binaries, 'initdb'), '-D', join(folder, 'data'), '-U', 'fleet'];
  const options = ['--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  execFileSync('/usr/bin/env', [...words, ...options], { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
  const port = await freePort();
  const serve = [
    ...asNobody,
    join(binaries, 'postgres'),
    '-D',
    join(folder, 'data'),
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-k',
    folder,
  ];
  // `exec` throughout: the process that gets the signals is the postmaster.
  const spawnServer = () => spawn('/usr/bin/env', serve, { stdio: 'ignore', cwd: folder });
  let child = spawnServer();
  const url = `postgres://fleet@127.0.0.1:${port}/postgres`;
  await answers(url);
  const stop = async (signal: NodeJS.Signals) => {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    url,
    connection: { host: '127.0.0.1', port, ssl: false as const, user: 'fleet', password: '', database: 'postgres' },
    /** SIGINT is a fast shutdown, SIGQUIT an immediate one, like a crash. */
    stop,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async start() {
      child = spawnServer();
      await answers(url);
    },
    /** Freezes or thaws every process of the server. */
    signalAll(signal: 'SIGSTOP' | 'SIGCONT') {
      for (const { pid, parent } of runningProcesses())
        if (pid === child.pid || parent === child.pid) process.kill(pid, signal);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop('SIGQUIT');
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    },
  };
}

async function answers(url: string): Promise<void> {
  for (let tries = 100; ; tries -= 1) {
    const db = openDatabase(url);
    try {
      await db.raw('select 1');
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      await db.destroy();
    }
  }
}
