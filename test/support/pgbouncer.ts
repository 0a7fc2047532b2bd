import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { documentAt } from './documents.ts';
import { freePort } from './free-port.ts';
import { asNobody, nobody } from './plain-postgres.ts';
import { tempDir } from './temp-dir.ts';
import { patienceMs, until, within } from './until.ts';

interface Backend {
  port: number;
  database: string;
  user: string;
}

/** PgBouncer with the configuration of `docs/examples`, in front of a Postgres on this machine. */
export interface PgBouncer extends AsyncDisposable {
  /** The address of the database through the pooler. */
  url: string;
  /** Runs a command in its console. */
  console(command: string): Promise<pg.QueryResult>;
  /** Kills it; clients lose their connections. */
  kill(): Promise<void>;
  /** Resolves once it accepts connections. */
  start(): Promise<void>;
}

const example = 'docs/examples/pgbouncer.ini';
const password = 'secret';

/** @param changes texts of the example and their replacements; each has to occur */
export async function startPgBouncer(
  { port, database, user }: Backend,
  changes: Record<string, string> = {},
): Promise<PgBouncer> {
  const folder = await tempDir();
  const pooledPort = await freePort();
  const users = join(folder.path, 'userlist.txt');
  const file = join(folder.path, 'pgbouncer.ini');
  let { text } = documentAt(example);
  for (const [said, used] of Object.entries({
    'host=10.0.0.20 port=5432 dbname=fleet': `host=127.0.0.1 port=${port} dbname=${database}`,
    'listen_addr = 10.0.0.21': 'listen_addr = 127.0.0.1',
    'listen_port = 6432': `listen_port = ${pooledPort}`,
    '/etc/pgbouncer/userlist.txt': users,
    'admin_users = fleet': `admin_users = ${user}`,
    ...changes,
  })) {
    if (!text.includes(said)) throw new Error(`${example} does not contain "${said}"`);
    text = text.replace(said, used);
  }
  await writeFile(file, text);
  await writeFile(users, `"${user}" "${password}"\n`, { mode: 0o600 });
  if (asNobody.length > 0) for (const path of [folder.path, file, users]) await chown(path, nobody, nobody);

  const address = `postgres://${user}:${password}@127.0.0.1:${pooledPort}`;
  const onConsole = async (command: string) => {
    const client = new pg.Client(`${address}/pgbouncer`);
    client.on('error', () => undefined); // the query reports it
    await client.connect();
    return client.query(command).finally(() => client.end());
  };
  const run = () =>
    spawn('/usr/bin/env', [...asNobody, 'pgbouncer', '-q', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let child: ReturnType<typeof run>;
  const start = async () => {
    child = run();
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const ready = until(async () => (await onConsole('show version')).rows.length > 0);
    await within(ready, patienceMs, () => `pgbouncer does not accept connections: ${stderr}`);
  };
  const kill = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await start();
  return {
    url: `${address}/fleet`,
    console: onConsole,
    kill,
    start,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await kill();
      await folder[Symbol.asyncDispose]();
    },
  };
}
