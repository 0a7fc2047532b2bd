import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { startPostgresPair } from '../../support/standby.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { testWith } from '../../support/tools.ts';
import { until } from '../../support/until.ts';

const withPlainPostgres = testWith('postgresql');

const open = (url: string) => {
  const db = openDatabase(url);
  return {
    async port() {
      const { rows } = await db.raw<{ rows: [{ port: number }] }>('select inet_server_port() as port');
      return rows[0].port;
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  };
};

withPlainPostgres('connections go to the primary, wherever the address names it', async () => {
  await using pair = await startPostgresPair();
  const { primary, standby } = pair;
  for (const [one, other] of [
    [primary, standby],
    [standby, primary],
  ] as const) {
    await using db = open(`postgres://fleet@127.0.0.1:${one.port},127.0.0.1:${other.port}/postgres`);
    expect(await db.port()).toBe(primary.port);
  }
});

withPlainPostgres('a primary that returns after a failover is not used again', async () => {
  await using pair = await startPostgresPair();
  const { primary, standby } = pair;
  await using db = open(pair.url);
  expect(await db.port()).toBe(primary.port);
  await primary.signal('SIGSTOP');
  pair.promote();
  await until(async () => (await db.port()) === standby.port);
  await primary.signal('SIGCONT');
  await standby.signal('SIGKILL');
  await expect(db.port()).rejects.toThrow(); // of the connection that is lost
  await expect(db.port()).rejects.toThrow(`127.0.0.1:${primary.port} (a primary from before the failover)`);
});

withPlainPostgres('of two primaries, a service that starts takes the one that was promoted', async () => {
  await using pair = await startPostgresPair();
  pair.promote();
  await until(async () => {
    await using alone = open(pair.standby.url);
    await pair.standby.sql('create table if not exists promoted ()');
    return (await alone.port()) === pair.standby.port;
  });
  await using db = open(pair.url);
  expect(await db.port()).toBe(pair.standby.port);
});

withPlainPostgres('with TLS, the certificate must have the name of the server that is the primary', async () => {
  await using pair = await startPostgresPair();
  await using folder = await tempDir();
  const [key, certificate] = [`${folder.path}/key.pem`, `${folder.path}/certificate.pem`];
  const subject = ['-subj', '/CN=primary', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject],
    {
      stdio: 'ignore',
    },
  );
  await Promise.all([pair.primary.useTls(key, certificate), pair.standby.useTls(key, certificate)]);
  const { primary, standby } = pair;
  const rest = `postgres?sslmode=verify-full&sslrootcert=${certificate}`;
  await using db = open(`postgres://fleet@127.0.0.1:${standby.port},localhost:${primary.port}/${rest}`);
  expect(await db.port()).toBe(primary.port);
  await using other = open(`postgres://fleet@localhost:${standby.port},127.0.0.1:${primary.port}/${rest}`);
  await expect(other.port()).rejects.toThrow(
    `localhost:${standby.port} (a standby), 127.0.0.1:${primary.port} (Hostname/IP does not match`,
  );
});
