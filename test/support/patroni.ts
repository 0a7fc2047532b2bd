import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { queryOnce } from './query-once.ts';
import { asNobody, binaries, nobody } from './plain-postgres.ts';
import { runningProcesses } from './processes.ts';
import { together } from './together.ts';
import { until, within } from './until.ts';

const run = promisify(execFile);
const startsWithinMs = 90_000;
const cluster = 'fleet';

/** A server that Patroni runs. */
interface Member {
  name: string;
  file: string; // settings of Patroni
  data: string;
  url: string;
  child: ChildProcess;
}

/** Two servers with Patroni and etcd, of which one is the synchronous standby of the other. */
export interface PatroniCluster extends AsyncDisposable {
  /** Names both servers, as for libpq. */
  url: string;
  /** The roles of the servers as Patroni has them, by name, such as `Leader` and `Sync Standby`. */
  roles(): Promise<Record<string, string>>;
  /** Resolves once one leads and the other one is its synchronous standby. */
  isWhole(): Promise<void>;
  /** Makes the standby the primary, by `patronictl`. */
  switchOver(): Promise<void>;
  /** Kills the primary and its Patroni, as a machine that is lost; resolves when the standby is promoted. */
  killPrimary(): Promise<void>;
  /** One statement on the primary. */
  sql<Row extends object>(text: string): Promise<Row[]>;
}

/** JSON is YAML. A primary that is lost is replaced after `ttl` seconds. */
const settingsOf = (folder: string, name: string, ports: { etcd: number; rest: number; postgres: number }) => ({
  scope: cluster,
  name,
  restapi: { listen: `127.0.0.1:${ports.rest}`, connect_address: `127.0.0.1:${ports.rest}` },
  etcd3: { host: `127.0.0.1:${ports.etcd}` },
  bootstrap: {
    dcs: { ttl: 6, loop_wait: 1, retry_timeout: 3, maximum_lag_on_failover: 1_048_576, synchronous_mode: true },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }, 'no-sync'],
  },
  postgresql: {
    listen: `127.0.0.1:${ports.postgres}`,
    connect_address: `127.0.0.1:${ports.postgres}`,
    data_dir: join(folder, name),
    bin_dir: binaries,
    pgpass: join(folder, `${name}.pgpass`),
    authentication: { superuser: { username: 'fleet' }, replication: { username: 'fleet' } },
    use_pg_rewind: true,
    parameters: { unix_socket_directories: folder },
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust', 'local all all trust'],
  },
});

export const startPatroni = (): Promise<PatroniCluster> =>
  together(async (own) => {
    const folder = await mkdtemp(join(tmpdir(), 'fleet-patroni-'));
    own({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }) });
    if (asNobody.length > 0) await chown(folder, nobody, nobody);
    const start = (...words: string[]) =>
      spawn('/usr/bin/env', [...asNobody, ...words], { stdio: 'ignore', cwd: folder });
    const [etcd, peer] = [await freePort(), await freePort()];
    const store = start(
      ...[
        'etcd',
        '--data-dir',
        join(folder, 'etcd'),
        '--unsafe-no-fsync',
        '--initial-cluster',
        `default=http://127.0.0.1:${peer}`,
      ],
      ...['--listen-client-urls', '--advertise-client-urls'].flatMap((flag) => [flag, `http://127.0.0.1:${etcd}`]),
      ...['--listen-peer-urls', '--initial-advertise-peer-urls'].flatMap((flag) => [flag, `http://127.0.0.1:${peer}`]),
    );
    own({ [Symbol.asyncDispose]: () => end(store) });
    const members: Member[] = [];
    for (const name of ['one', 'two']) {
      const ports = { etcd, rest: await freePort(), postgres: await freePort() };
      const file = join(folder, `${name}.yml`);
      await writeFile(file, JSON.stringify(settingsOf(folder, name, ports)));
      const url = `postgres://fleet@127.0.0.1:${ports.postgres}/postgres`;
      const member = { name, file, url, data: join(folder, name), child: start('patroni', file) };
      members.push(member);
      own({ [Symbol.asyncDispose]: () => lose(member) });
    }

    const ctl = (...words: string[]) => run('patronictl', ['-c', members[0]?.file ?? '', ...words]);
    async function roles(): Promise<Record<string, string>> {
      const { stdout } = await ctl('list', '--format', 'json');
      const rows = JSON.parse(stdout) as { Member: string; Role: string }[];
      return Object.fromEntries(rows.map((row) => [row.Member, row.Role]));
    }
    const isWhole = () =>
      within(
        until(async () => {
          const found = Object.values(await roles().catch(() => ({})));
          return found.includes('Leader') && found.includes('Sync Standby');
        }),
        startsWithinMs,
        async () => `Patroni has no pair: ${JSON.stringify(await roles())}`,
      );
    async function pair(): Promise<{ primary: Member; standby: Member }> {
      const found = await roles();
      const [primary, standby] = [true, false].map((leads) =>
        members.find(({ name }) => (found[name] === 'Leader') === leads),
      );
      if (!primary || !standby) throw new Error(`Patroni has no pair: ${JSON.stringify(found)}`);
      return { primary, standby };
    }

    await isWhole();
    return {
      url: `postgres://fleet@${members.map(({ url }) => new URL(url).host).join(',')}/postgres?target_session_attrs=read-write`,
      roles,
      isWhole,
      async switchOver() {
        const { primary, standby } = await pair();
        await ctl('switchover', cluster, '--leader', primary.name, '--candidate', standby.name, '--force');
      },
      async killPrimary() {
        const { primary, standby } = await pair();
        await lose(primary);
        await until(
          async () =>
            (await queryOnce<{ is: boolean }>(standby.url, 'select not pg_is_in_recovery() as is'))[0]?.is === true,
        );
      },
      sql: async (text) => queryOnce((await pair()).primary.url, text),
    };
  });

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Patroni first, as it would restart its server. */
async function lose({ child, data }: Member): Promise<void> {
  await end(child);
  const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  if (runningProcesses().some((each) => each.pid === Number(pid))) process.kill(Number(pid), 'SIGKILL');
}
