import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Account, EmbeddedLog } from './types.ts';
import type { Binaries } from './binaries.ts';
import { programEnv } from './run.ts';

/**
 * Keeps the server only as long as its supervisor: file 3 is a pipe that nobody writes to, so `read` returns when the process at its other
 * end is gone, kill -9 included, and the server gets INT (roll back, write out, end). Signals to the whole process group or service are
 * for our process, which stops Postgres last.
 */
const watchedStart = `
trap '' HUP INT QUIT TERM
"$@" 3<&- & server=$!
(read -r _ <&3; kill -INT $server) 2>/dev/null & watch=$!
wait $server; code=$?
kill -KILL $watch 2>/dev/null
exit $code`;

/** fsync, full_page_writes and synchronous_commit keep their default, on: what was acknowledged survives a power cut. */
const settings = {
  listen_addresses: '', // no TCP
  unix_socket_directories: '.', // the cluster's own folder, which only its owner enters
  unix_socket_permissions: '0700',
  max_wal_size: '512MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Failed statements are reported to their client, and may hold what must not be in a log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Said at every start and stop. */
const routine =
  /^(starting PostgreSQL|listening on|database system (was shut down at|is ready|is shut down)|received (fast|immediate) shutdown|aborting any active|shutting down|background worker "logical)/;

const stopMs = 30_000;
const quitMs = 10_000;
/** Its children may hold the log open a little longer than it lives. */
const lastLinesMs = 1_000;

export interface PostmasterOptions {
  account: Account;
  binaries: Binaries;
  clusterDir: string;
  log: EmbeddedLog;
  maxConnections?: number | undefined; // default 50: one process with its pool, beside tools
  /**
   * Ends it, also on its way up: what is open is rolled back, all is written out. After 30 s it is cut short, which the next start repairs.
   */
  signal: AbortSignal;
}

/** One run of the database server. */
export interface Postmaster {
  /** Settles when it is gone, with its last lines; never rejects. */
  ended: Promise<string>;
}

/** Its message is what Postgres said last. */
export class PostmasterEndedError extends Error {
  override readonly name = 'PostmasterEndedError';
}

/**
 * Resolves when it takes connections. After a crash that can take long, and Postgres says in the log how far it is.
 * @throws PostmasterEndedError if it ends before
 */
export async function startPostmaster({
  account,
  binaries,
  clusterDir,
  log,
  maxConnections = 50,
  signal,
}: PostmasterOptions): Promise<Postmaster> {
  const all = { ...settings, max_connections: String(maxConnections) };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const words = [...account.prefix, binaries.postgres, '-D', clusterDir, '-p', '5432', ...options];
  const child = spawn('/bin/sh', ['-c', watchedStart, 'sh', ...words], {
    ...account.ids,
    cwd: '/',
    env: programEnv(binaries),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true, // Ctrl-C in a terminal goes to the whole group
  });
  const [, , stderr, leash] = child.stdio;
  leash?.on('error', () => undefined); // the other end goes first when the server does
  const timers: NodeJS.Timeout[] = [];
  const stop = (): void => {
    leash?.destroy();
    timers.push(
      setTimeout(() => {
        log.warn({}, 'Postgres did not stop in 30 s and is cut short');
        signalGroup(child.pid, 'SIGQUIT');
      }, stopMs),
      setTimeout(() => signalGroup(child.pid, 'SIGKILL'), stopMs + quitMs),
    );
  };
  signal.addEventListener('abort', stop, { once: true });

  const lastLines: string[] = [];
  const ended = new Promise<string>((resolve) => {
    const end = (): void => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(lastLines.slice(-3).join('; ') || 'it ended without a word');
    };
    child.once('error', (error) => lastLines.push(error.message));
    child.once('exit', () => {
      leash?.destroy();
      timers.push(setTimeout(end, lastLinesMs));
    });
    child.once('close', end); // all lines were read
  });
  const ready = new Promise<undefined>((resolve) => {
    if (!stderr) return;
    createInterface({ input: stderr }).on('line', (line) => {
      const [, level = 'LOG', text = line] = /^([A-Z]+): +(.*)$/.exec(line) ?? [];
      if (text.startsWith('database system is ready to accept')) resolve(undefined);
      if (routine.test(text)) return;
      lastLines.push(text);
      if (lastLines.length > 20) lastLines.shift();
      if (!signal.aborted) report(log, level, text);
    });
  });
  const lastWords = await Promise.race([ready, ended]);
  if (lastWords !== undefined) throw new PostmasterEndedError(lastWords);
  return { ended };
}

function report(log: EmbeddedLog, level: string, text: string): void {
  const message = `Postgres: ${text}`;
  if (level === 'PANIC') log.error({}, message);
  else if (level === 'FATAL') log.warn({}, message);
  else log.info({}, message);
}

/** The shell leads a group of its own that holds the server. */
function signalGroup(leaderPid: number | undefined, signal: NodeJS.Signals): void {
  if (leaderPid === undefined) return;
  try {
    process.kill(-leaderPid, signal);
  } catch {
    // Gone in between.
  }
}
