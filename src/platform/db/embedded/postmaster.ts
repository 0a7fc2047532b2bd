import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Account, EmbeddedLog } from './types.ts';
import type { Binaries } from './binaries.ts';
import { programEnv } from './run.ts';

/**
 * Ties the server to its supervisor. File 3 is a pipe without writes, so `read` returns when the process at its other
 * end is gone, even after kill -9. The server then gets INT (roll back, flush, end). Signals to the whole process group
 * or service are for the parent process, which stops Postgres last.
 */
const watchedStart = `
trap '' HUP INT QUIT TERM
"$@" 3<&- & server=$!
(read -r _ <&3; kill -INT $server) 2>/dev/null & watch=$!
wait $server; code=$?
kill -KILL $watch 2>/dev/null
exit $code`;

/** fsync, full_page_writes and synchronous_commit stay on, the default: acknowledged writes survive a power cut. */
const settings = {
  listen_addresses: '', // no TCP
  unix_socket_directories: '.', // the cluster's own folder, accessible only to its owner
  unix_socket_permissions: '0700',
  max_wal_size: '512MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Failed statements are reported to their client, and may contain data that must not be logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Logged at every start and stop. */
const routine =
  /^(starting PostgreSQL|listening on|database system (was shut down at|is ready|is shut down)|received (fast|immediate) shutdown|aborting any active|shutting down|background worker "logical)/;

const stopMs = 30_000;
const quitMs = 10_000;
/** Its children may keep the log open a little longer. */
const lastLinesMs = 1_000;

export interface PostmasterOptions {
  account: Account;
  binaries: Binaries;
  clusterDir: string;
  log: EmbeddedLog;
  maxConnections?: number | undefined; // default 50: one process with its pool, and tools
  /**
   * Stops the server, also during its start: open transactions are rolled back, all data is flushed. After 30 s it is
   * killed; the next start recovers.
   */
  signal: AbortSignal;
}

/** One run of the database server. */
export interface Postmaster {
  /** Resolves with the last log lines when the server is gone; never rejects. */
  ended: Promise<string>;
}

/** The message is the last output of Postgres. */
export class PostmasterEndedError extends Error {
  override readonly name = 'PostmasterEndedError';
}

/**
 * Resolves when the server accepts connections. Recovery after a crash can take long; Postgres logs its progress.
 * @throws PostmasterEndedError if it ends earlier
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
    detached: true, // Ctrl-C in a terminal signals the whole group
  });
  const [, , stderr, leash] = child.stdio;
  leash?.on('error', () => undefined); // when the server ends, its end of the pipe closes first
  const timers: NodeJS.Timeout[] = [];
  const stop = (): void => {
    leash?.destroy();
    timers.push(
      setTimeout(() => {
        log.warn({}, 'Postgres did not stop within 30 s; killing it');
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
      resolve(lastLines.slice(-3).join('; ') || 'it ended without a message');
    };
    child.once('error', (error) => lastLines.push(error.message));
    child.once('exit', () => {
      leash?.destroy();
      timers.push(setTimeout(end, lastLinesMs));
    });
    child.once('close', end); // all lines are read
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

/** The shell leads its own process group, which contains the server. */
function signalGroup(leaderPid: number | undefined, signal: NodeJS.Signals): void {
  if (leaderPid === undefined) return;
  try {
    process.kill(-leaderPid, signal);
  } catch {
    // Already gone.
  }
}
