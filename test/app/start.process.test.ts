import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, inject, test } from 'vitest';
import { readConfig, type ConfigError } from '../../src/config.ts';
import { advisoryLocks } from '../../src/platform/db/advisory-locks.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { startPlainPostgres } from '../support/plain-postgres.ts';
import { spawnServer, startServer } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';

const tokenPattern = /svc_org_[0-9a-f]{64}/;

test('the first start on an empty folder makes the org local and shows its token once, with the line to paste', async () => {
  await using folder = await tempDir();
  const env = { HOME: folder.path };
  let token: string;
  {
    await using server = await startServer(env);
    await expect
      .poll(server.stderr)
      .toMatch(/cli login --base-url http:\/\/127\.0\.0\.1:\d+ --token svc_org_[0-9a-f]{64}\n/);
    expect(server.stderr()).toContain(`${server.url}/docs`);
    expect(server.stdout()).not.toMatch(tokenPattern);
    token = tokenPattern.exec(server.stderr())?.[0] ?? '';
    const whoami = await fetch(`${server.url}/api/whoami`, { headers: { Authorization: `Bearer ${token}` } });
    expect(await whoami.json()).toMatchObject({ data: { role: 'admin', org: { name: 'local' } } });
    expect(await server.end('SIGINT')).toBe(0);
  }
  await using again = await startServer(env);
  expect(again.stderr()).toBe('');
  expect((await fetch(`${again.url}/api/sites`, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
});

test('every problem of the environment is told at once, in a sentence each, and nothing starts', async () => {
  const server = spawnServer({
    PORT: '99999',
    RATE_LIMIT: 'fast',
    LOG_RETENTION_DAYS: '0',
    LOG_DATABASE_GB: '0.5',
    DEPLOYMENT_RETENTION_DAYS: '0',
    CREDENTIAL_RETENTION_DAYS: 'never',
    TIMELINE_RETENTION_DAYS: '3651',
    SHELL_RETENTION_DAYS: 'never',
    LOG_LEVEL: 'loud',
    TRUST_PROXY: 'everybody',
    SERVICE_ADMIN_TOKEN: 'short',
    DATABASE_URL: 'mysql://x',
    DATABASE_DIRECT_URL: 'mysql://x',
    SERVICE_PUBLIC_URL: 'ftp://x',
    SERVICE_REPLICA_URL: 'https://a/?b',
    SERVICE_CLUSTER_SECRET: 'short',
  });
  expect((await server.exited)[0]).toBe(1);
  expect(
    server
      .stderr()
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual([
    'PORT',
    'SERVICE_PUBLIC_URL',
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'SERVICE_REPLICA_URL',
    'SERVICE_CLUSTER_SECRET',
    'SERVICE_ADMIN_TOKEN',
    'RATE_LIMIT',
    'LOG_RETENTION_DAYS',
    'LOG_DATABASE_GB',
    'DEPLOYMENT_RETENTION_DAYS',
    'CREDENTIAL_RETENTION_DAYS',
    'TIMELINE_RETENTION_DAYS',
    'SHELL_RETENTION_DAYS',
    'TRUST_PROXY',
    'LOG_LEVEL',
  ]);
  expect(server.stdout()).toBe('');
});

test('what people sign in with is told as wrong before anybody comes', () => {
  const good = { OIDC_ISSUER: 'https://id.example.com/realms/a/', OIDC_CLIENT_ID: 'fleet' };
  const publicUrl = 'SERVICE_PUBLIC_URL must be an https address without a path';
  for (const [env, problem] of [
    [{ OIDC_ISSUER: good.OIDC_ISSUER }, 'OIDC_ISSUER and OIDC_CLIENT_ID must be set together'],
    [{ OIDC_CLIENT_ID: 'fleet' }, 'OIDC_ISSUER and OIDC_CLIENT_ID must be set together'],
    [{ OIDC_CLIENT_SECRET: 'secret' }, 'OIDC_ISSUER and OIDC_CLIENT_ID must be set together'],
    [{ ...good, OIDC_ISSUER: 'http://id.example.com' }, 'OIDC_ISSUER must be an https address'],
    [{ ...good, OIDC_ISSUER: 'https://id.example.com/?a=b' }, 'OIDC_ISSUER must be an https address'],
    [{ ...good, OIDC_ISSUER: 'id.example.com' }, 'OIDC_ISSUER must be an https address'],
    [{ ...good, HOST: '0.0.0.0' }, publicUrl],
    [{ ...good, SERVICE_PUBLIC_URL: 'http://fleet.example.com' }, publicUrl],
    [{ ...good, SERVICE_PUBLIC_URL: 'https://fleet.example.com/service' }, publicUrl],
  ] as [Record<string, string>, string][])
    expect(() => readConfig(env), JSON.stringify(env)).toThrow(problem);
  // As the provider writes it: it compares the issuer, slash and all.
  expect(readConfig(good).oidc?.issuer).toBe('https://id.example.com/realms/a/');
  expect(readConfig({ ...good, HOST: '0.0.0.0', SERVICE_PUBLIC_URL: 'https://fleet.example.com' }).oidc).toBeDefined();
  expect(readConfig({ ...good, OIDC_ISSUER: 'http://127.0.0.1:9000' }).oidc).toBeDefined();
  expect(readConfig({}).oidc).toBeUndefined();
});

test('every problem of the S3 settings is told at once, and half of them is one', () => {
  const problems = (env: Record<string, string>) => {
    try {
      readConfig(env);
      return [];
    } catch (error) {
      return (error as ConfigError).message.split('\n');
    }
  };
  expect(problems({ S3_BUCKET: 'fleet', S3_REGION: 'eu-west-1' })).toEqual([]);
  expect(
    problems({ S3_BUCKET: 'fleet', AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 's' }),
  ).toEqual([]);
  expect(problems({ AWS_ACCESS_KEY_ID: 'for something else' })).toEqual([]);
  expect(problems({ S3_ENDPOINT: 'http://127.0.0.1:1' })).toEqual([
    'S3_BUCKET must be set when S3_ENDPOINT or S3_REGION is',
  ]);
  expect(
    problems({ S3_BUCKET: 'Fleet/x', S3_ENDPOINT: 'ftp://x', AWS_ACCESS_KEY_ID: 'a' }).map(
      (line) => line.split(' ')[0],
    ),
  ).toEqual(['S3_BUCKET', 'S3_ENDPOINT', 'AWS_ACCESS_KEY_ID']);
  expect(problems({ S3_BUCKET: 'fleet' })[0]).toContain('S3_REGION must be set');
  const bucket = { S3_BUCKET: 'fleet', S3_REGION: 'eu-west-1' };
  expect(problems({ ...bucket, S3_DIRECT_DOWNLOADS: '1', S3_PUBLIC_ENDPOINT: 'https://s3.example.com' })).toEqual([]);
  expect(problems({ S3_DIRECT_DOWNLOADS: '1' })).toEqual(['S3_BUCKET must be set when S3_DIRECT_DOWNLOADS is 1']);
  expect(problems({ ...bucket, S3_DIRECT_DOWNLOADS: 'yes' })).toEqual(['S3_DIRECT_DOWNLOADS must be 1 or 0']);
  expect(problems({ ...bucket, S3_PUBLIC_ENDPOINT: 's3.example.com' })).toEqual([
    'S3_DIRECT_DOWNLOADS must be 1 when S3_PUBLIC_ENDPOINT is set',
    'S3_PUBLIC_ENDPOINT must be an http or https address without query',
  ]);
});

test('the address of a replica and the secret of the cluster are set together, or neither', async () => {
  for (const [name, value] of [
    ['SERVICE_REPLICA_URL', 'http://10.0.0.5:8080'],
    ['SERVICE_CLUSTER_SECRET', 'cluster-secret-of-the-tests-0123456789abcdef'],
  ] as const) {
    const server = spawnServer({ [name]: value });
    expect((await server.exited)[0]).toBe(1);
    expect(server.stderr()).toBe('SERVICE_REPLICA_URL and SERVICE_CLUSTER_SECRET must be set together, or neither\n');
  }
});

test('production wants an admin token and a database of its own', async () => {
  const server = spawnServer({ NODE_ENV: 'production' });
  expect((await server.exited)[0]).toBe(1);
  expect(server.stderr()).toContain('SERVICE_ADMIN_TOKEN must be set');
  expect(server.stderr()).toContain('DATABASE_URL must be set');
});

test('a port that is taken is told in a sentence, and the next start finds everything as it was', async () => {
  await using folder = await tempDir();
  const env = { HOME: folder.path, SERVICE_ADMIN_TOKEN: 'x'.repeat(32) };
  const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
  let token: string;
  {
    await using before = await startServer(env);
    await expect.poll(before.stderr).toMatch(tokenPattern);
    token = tokenPattern.exec(before.stderr())?.[0] ?? '';
    const made = await fetch(`${before.url}/api/sites`, {
      method: 'POST',
      headers: { ...as(token).headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Osaka' }),
    });
    expect(made.status).toBe(201);
    expect(await before.end('SIGTERM')).toBe(0);
  }
  const taker = createServer().listen(0, '127.0.0.1');
  await once(taker, 'listening');
  const { port } = taker.address() as AddressInfo;
  const refused = spawnServer({ ...env, PORT: String(port) });
  expect((await refused.exited)[0]).toBe(1);
  taker.close();
  await expect
    .poll(refused.stderr)
    .toBe(
      `listen EADDRINUSE: address already in use 127.0.0.1:${port}: set HOST and PORT to an address that is free and that you may use\n`,
    );
  await using after = await startServer(env);
  const sites = (await (await fetch(`${after.url}/api/sites`, as(token))).json()) as { items: { name: string }[] };
  expect(sites.items.map(({ name }) => name)).toEqual(['Osaka']);
  const status = await fetch(`${after.url}/api/admin/status`, as(env.SERVICE_ADMIN_TOKEN));
  // The one that did not start is not shown as a dead replica.
  expect(((await status.json()) as { data: { replicas: unknown[] } }).data.replicas).toHaveLength(1);
});

test('production on the embedded Postgres shows no token and leaves no org', async () => {
  await using folder = await tempDir();
  const adminToken = 'x'.repeat(32);
  await using server = await startServer({
    HOME: folder.path,
    NODE_ENV: 'production',
    SERVICE_EMBEDDED: '1',
    SERVICE_ADMIN_TOKEN: adminToken,
  });
  expect(server.stderr()).toBe('');
  const orgs = await fetch(`${server.url}/api/admin/orgs`, { headers: { Authorization: `Bearer ${adminToken}` } });
  expect(await orgs.json()).toEqual({ items: [] });
  expect((await fetch(`${server.url}/api/admin/orgs`)).status).toBe(401);
});

const databaseUrl = () => {
  const { host, port, user, password, database } = inject('postgres');
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
};

test('a secret that is too short to redact leaves the log as it is, and a warning names its setting', async () => {
  await using server = await startServer({
    DATABASE_URL: databaseUrl(),
    SERVICE_ADMIN_TOKEN: 'x'.repeat(32),
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'fleet',
    OIDC_CLIENT_SECRET: 'time',
  });
  const lines = server
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { time?: string; setting?: string; msg: string });
  expect(lines.every(({ time }) => time !== undefined)).toBe(true);
  expect(lines.filter(({ setting }) => setting !== undefined)).toMatchObject([
    { setting: 'OIDC_CLIENT_SECRET', msg: expect.stringContaining('fewer than 8 characters') },
  ]);
});

test.each([
  ['SIGTERM', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
] as const)('after %s, a %s ends the process at once', async (first, second) => {
  await using server = await startServer({ DATABASE_URL: databaseUrl(), SERVICE_ADMIN_TOKEN: 'x'.repeat(32) });
  server.child.kill(first);
  await expect.poll(server.stdout).toContain('"msg":"stopping"');
  expect(await server.end(second)).toBe(null);
  expect(server.child.signalCode).toBe(second);
});

test('a SIGTERM while the database does not respond ends the start', async () => {
  const server = spawnServer({ DATABASE_URL: 'postgres://a:b@127.0.0.1:9/x', SERVICE_ADMIN_TOKEN: 'x'.repeat(32) });
  await expect.poll(server.stdout).toContain('waiting for the database');
  server.child.kill('SIGTERM');
  await server.exited;
  expect(server.child.signalCode).toBe('SIGTERM');
  expect(server.stdout()).toMatch(/"signal":"SIGTERM"[^]*"stopped"/);
  expect(server.stderr()).toBe('');
});

testWith('postgresql')('a SIGTERM ends a start whose migration waits', async () => {
  await using postgres = await startPlainPostgres();
  const db = openDatabase(postgres.url);
  const other = await db.transaction();
  await other.raw('select pg_advisory_xact_lock(?)', [advisoryLocks.migrations]);
  const server = spawnServer({ DATABASE_URL: postgres.url, SERVICE_ADMIN_TOKEN: 'x'.repeat(32) });
  await expect.poll(() => db('pg_locks').where({ granted: false })).toHaveLength(1);
  server.child.kill('SIGTERM');
  await server.exited;
  await other.rollback();
  await db.destroy();
  expect(server.child.signalCode).toBe('SIGTERM');
  expect(server.stdout()).toContain('"stopped"');
});

test('a SIGINT during the start stops the embedded Postgres', async () => {
  await using folder = await tempDir();
  let isAsked = false;
  // A store that accepts connections, and never responds.
  const store = createServer(() => (isAsked = true)).listen(0, '127.0.0.1');
  await once(store, 'listening');
  const { port } = store.address() as AddressInfo;
  const server = spawnServer({
    HOME: folder.path,
    S3_BUCKET: 'fleet',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_REGION: 'x',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'a-secret-of-a-store',
  });
  await expect.poll(() => isAsked, { timeout: 30_000 }).toBe(true);
  const runningIn = async () =>
    (await readdir(folder.path, { recursive: true })).filter((path) => path.endsWith('postmaster.pid'));
  expect(await runningIn()).toHaveLength(1);
  server.child.kill('SIGINT');
  await server.exited;
  store.close();
  expect(server.child.signalCode).toBe('SIGINT');
  expect(await runningIn()).toEqual([]);
  expect(server.stdout()).toContain('"stopped"');
});

test('SIGTERM answers on while readiness says no, then what is in flight, and ends with 0', async () => {
  await using server = await startServer({ DATABASE_URL: databaseUrl(), SERVICE_ADMIN_TOKEN: 'x'.repeat(32) });
  const admin = { Authorization: `Bearer ${'x'.repeat(32)}` };
  // A request whose body is still on its way when the signal comes.
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.write(
    `POST /api/admin/orgs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${admin.Authorization}\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n{"name":`,
  );
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
  server.child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
  const during = await fetch(`${server.url}/api/admin/stats`, { headers: admin });
  expect(during.status).toBe(200);
  expect(during.headers.get('connection')).toBe('close');
  const isOpen = () =>
    fetch(`${server.url}/readyz`).then(
      () => true,
      () => false,
    );
  await expect.poll(isOpen).toBe(false);
  socket.write('"Kyoto"}');
  await expect.poll(() => answer).toContain('201 Created');
  expect((await server.exited)[0]).toBe(0);
});

test('a stop under load carries out no request without answering it', async () => {
  await using folder = await tempDir();
  const env = { HOME: folder.path, RATE_LIMIT: 'off' };
  const answered: string[] = [];
  let token = '';
  {
    await using server = await startServer(env);
    await expect.poll(server.stderr).toMatch(tokenPattern);
    token = tokenPattern.exec(server.stderr())?.[0] ?? '';
    const agent = new Agent({ keepAlive: true });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    /** Gives whether the door is still open. */
    const createSite = (name: string) =>
      new Promise<boolean>((resolve) => {
        request(`${server.url}/api/sites`, { method: 'POST', agent, headers }, (response) => {
          response.resume().on('end', () => {
            if (response.statusCode === 201) answered.push(name);
            resolve(true);
          });
        })
          // Reset: the kernel held a connection that the service had not accepted when the door closed.
          .on('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'))
          .end(JSON.stringify({ name }));
      });
    const client = async () => {
      while (await createSite(randomUUID()));
    };
    const clients = Promise.all(Array.from({ length: 8 }, client));
    await expect.poll(() => answered.length).toBeGreaterThan(100);
    expect(await server.end('SIGTERM')).toBe(0);
    await clients;
    agent.destroy();
  }
  await using again = await startServer(env);
  const sites = await fetch(`${again.url}/api/sites`, { headers: { Authorization: `Bearer ${token}` } });
  const { items } = (await sites.json()) as { items: { name: string }[] };
  expect(items.map(({ name }) => name).sort()).toEqual(answered.sort());
});
