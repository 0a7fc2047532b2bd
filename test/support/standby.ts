import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { queryOnce } from './query-once.ts';
import { asNobody, binaries, nobody } from './plain-postgres.ts';
import { runningProcesses } from './processes.ts';
import { until } from './until.ts';

export type PostgresPair = Awaited<ReturnType<typeof startPostgresPair>>;
type Server = ReturnType<typeof serverIn>;

const quiet = { stdio: 'ignore' } as const;

/** One server of the pair, in `folder`. */
function serverIn(folder: string, port: number) {
  let child: ChildProcess | undefined;
  const data = join(folder, `data-${port}`);
  const words = ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder];
  const url = `postgres://fleet@127.0.0.1:${port}/postgres`;
  return {
    port,
    data,
    url,
    /** `exec` throughout: the child is the postmaster. */
    start() {
      child = spawn('/usr/bin/env', [...asNobody, join(binaries, 'postgres'), ...words], { ...quiet, cwd: folder });
    },
    /** SIGSTOP and SIGCONT reach every process of the server; SIGKILL ends them all. */
    async signal(signal: NodeJS.Signals) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const { pid: postmaster } = child;
      const exited = signal === 'SIGKILL' ? once(child, 'exit') : undefined;
      // Children end by themselves when the postmaster is killed.
      for (const { pid, parent } of runningProcesses())
        if (pid === postmaster || (parent === postmaster && signal !== 'SIGKILL')) process.kill(pid, signal);
      if (signal === 'SIGKILL')
        for (const { pid, parent } of runningProcesses()) if (parent === postmaster) process.kill(pid, 'SIGCONT');
      await exited;
    },
    async useTls(key: string, certificate: string) {
      for (const [from, to] of [
        [key, 'server.key'],
        [certificate, 'server.crt'],
      ] as const) {
        await copyFile(from, join(data, to));
        await chmod(join(data, to), 0o600);
        if (asNobody.length > 0) await chown(join(data, to), nobody, nobody);
      }
      await this.sql('alter system set ssl = on');
      await this.sql('select pg_reload_conf()');
    },
    /** One statement on a connection of its own. */
    sql: <Row extends object>(text: string): Promise<Row[]> => queryOnce<Row>(url, text),
  };
}

/** Whether a server answers, also one that is still starting. */
const answers = (server: Server) =>
  until(() =>
    server.sql('select 1').then(
      () => true,
      () => false,
    ),
  );

/** A primary and a standby that streams from it, as an operator runs them. `synchronous`: a commit waits for the standby. */
export async function startPostgresPair({ synchronous = false }: { synchronous?: boolean } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-pair-'));
  if (asNobody.length > 0) await chown(folder, nobody, nobody);
  const run = (program: string, ...words: string[]) =>
    execFileSync('/usr/bin/env', [...asNobody, join(binaries, program), ...words], { stdio: 'ignore', cwd: folder });
  const primary = serverIn(folder, await freePort());
  run('initdb', '-D', primary.data, '-U', 'fleet', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C');
  await appendFile(
    join(primary.data, 'postgresql.conf'),
    'wal_receiver_timeout = 5s\nwal_retrieve_retry_interval = 200ms\n',
  );
  primary.start();
  await answers(primary);
  const standby = serverIn(folder, await freePort());
  const source = `host=127.0.0.1 port=${primary.port} user=fleet application_name=standby`;
  run('pg_basebackup', '-D', standby.data, '-d', source, '-R', '-c', 'fast', '--no-sync');
  standby.start();
  await answers(standby);
  if (synchronous) {
    await primary.sql("alter system set synchronous_standby_names = 'standby'");
    await primary.sql('select pg_reload_conf()');
    await until(async () => {
      const rows = await primary.sql<{ sync_state: string }>('select sync_state from pg_stat_replication');
      return rows[0]?.sync_state === 'sync';
    });
  }
  return {
    primary,
    standby,
    /** Names both servers, as for libpq. */
    url: `postgres://fleet@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`,
    promote: () => run('pg_ctl', 'promote', '-D', standby.data),
    async [Symbol.asyncDispose]() {
      await Promise.all([primary.signal('SIGKILL'), standby.signal('SIGKILL')]);
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    },
  };
}
