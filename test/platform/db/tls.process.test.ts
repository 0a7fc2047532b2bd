import { execFileSync } from 'node:child_process';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { asNobody, nobody, startPlainPostgres } from '../../support/plain-postgres.ts';
import { spawnServer, startServer } from '../../support/server-process.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { testWith } from '../../support/tools.ts';
import { together } from '../../support/together.ts';

const test = testWith('postgresql', 'openssl', 'localhost');
const adminToken = 'x'.repeat(32);

/** A Postgres with TLS, whose certificate for `localhost` is signed by `ca.pem` and not by `other.pem` of the folder. */
const startTlsPostgres = () =>
  together(async (own) => {
    const { path } = own(await tempDir());
    const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: path, stdio: 'pipe' });
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    for (const ca of ['ca', 'other'])
      openssl('req', '-x509', ...newKey, '-keyout', `${ca}.key`, '-out', `${ca}.pem`, '-subj', `/CN=${ca}`);
    openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
    await writeFile(join(path, 'names'), 'subjectAltName=DNS:localhost');
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
    openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.pem', ...signing);
    if (asNobody.length > 0)
      for (const file of ['', 'server.key', 'server.pem']) await chown(join(path, file), nobody, nobody);
    const postgres = own(await startPlainPostgres());
    const db = openDatabase(postgres.url);
    await db.raw(`alter system set ssl_cert_file = '${path}/server.pem'`);
    await db.raw(`alter system set ssl_key_file = '${path}/server.key'`);
    await db.raw('alter system set ssl = on');
    await db.raw('select pg_reload_conf()');
    await db.destroy();
    const address = postgres.url.replace('127.0.0.1', 'localhost');
    return {
      plainUrl: postgres.url,
      url: (ca: string) => `${address}?sslmode=verify-full&sslrootcert=${encodeURIComponent(join(path, ca))}`,
    };
  });

async function refusal(url: string): Promise<string> {
  const server = spawnServer({ DATABASE_URL: url, SERVICE_ADMIN_TOKEN: adminToken });
  expect((await server.exited)[0]).toBe(1);
  return server.stderr();
}

test('every connection to Postgres is encrypted, once the address names the CA that signed its certificate', async () => {
  await using postgres = await startTlsPostgres();
  await using server = await startServer({ DATABASE_URL: postgres.url('ca.pem'), SERVICE_ADMIN_TOKEN: adminToken });
  expect(server.stderr()).toBe('');
  const db = openDatabase(postgres.plainUrl);
  const { rows } = await db.raw<{ rows: { ssl: boolean }[] }>(
    `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'fleet-control-service _%'`,
  );
  await db.destroy();
  expect(rows).toEqual([{ ssl: true }]);
});

test('a Postgres that is not trusted, or has no TLS, ends the start with one sentence', async () => {
  await using postgres = await startTlsPostgres();
  expect(await refusal(postgres.url('other.pem'))).toMatch(
    /^the database at DATABASE_URL cannot be trusted: (unable to verify the first certificate|self-signed certificate.*)\n$/,
  );
  expect(await refusal(postgres.url('none.pem'))).toMatch(
    /^the database at DATABASE_URL cannot be trusted: ENOENT: .*none\.pem'\n$/,
  );
  const db = openDatabase(postgres.plainUrl);
  await db.raw('alter system set ssl = off');
  await db.raw('select pg_reload_conf()');
  await db.destroy();
  expect(await refusal(postgres.url('ca.pem'))).toBe(
    'the database at DATABASE_URL cannot be trusted: The server does not support SSL connections\n',
  );
});
