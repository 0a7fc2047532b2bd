import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { compressedBytes, packImage } from '../../packaging/container/image.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import manifest from '../../package.json' with { type: 'json' };
import { startBridge } from '../support/bridge.ts';
import { repository } from '../support/documents.ts';
import { startForwarder } from '../support/forwarder.ts';
import { freePort } from '../support/free-port.ts';
import { startNats } from '../support/nats.ts';
import { startPlainPostgres } from '../support/plain-postgres.ts';
import { startPodman, type Podman } from '../support/podman.ts';
import { startS3Store } from '../support/s3-store.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { unpackCompose, podmanFlags } from './compose.ts';
import { quickStart, tokenOfNewOrg } from './quick-start.ts';

interface Image {
  Config: { User: string; StopSignal: string; Labels: Record<string, string> };
}

const testWithImage = (...tools: string[]) => testWith('root', 'podman', 'busybox', 'dpkg-deb', 'postgresql', ...tools);
const image = `localhost/fleet-control-service:${manifest.version}`;
const client = ['node', '/usr/lib/fleet-control-service/dist/cli/main.js'];
const license = '/usr/lib/fleet-control-service/LICENSE';
const confined = ['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'];

let podman: Podman;
beforeAll(async () => {
  podman = await startPodman();
  await using folder = await tempDir();
  const archive = await packImage(folder.path, podman.env);
  await podman.podman('rmi', image);
  await podman.podman('load', '--input', archive);
});
afterEach(() => podman.podman('rm', '--all', '--force', '--time', '0'));
afterAll(() => podman[Symbol.asyncDispose]());

/** Runs lines of the client in a container. */
const clientIn = (container: string) => (line: string) =>
  podman.podman('exec', container, ...client, ...line.split(' '));

/** Starts an agent in a container of the image. */
const startAgent = (key: string, url: string, flags: readonly string[]) =>
  podman.podman(
    ...['run', '--detach', '--name', 'robot', ...confined, ...flags, '--env', `SERVICE_ENROLLMENT_KEY=${key}`],
    ...['--entrypoint', JSON.stringify(client), image, 'agent', 'run', '--backend-url', url, '--name', 'amr-007'],
    ...['--camera', 'front=test:?size=160x120&fps=5'],
  );

testWithImage()('the released image is at most 200 MB compressed', async ({ annotate }) => {
  const bytes = await compressedBytes(image, podman.env);
  await annotate(`${(bytes / 1e6).toFixed(0)} MB compressed`);
  expect(bytes).toBeLessThanOrEqual(200e6);
  // It is not empty.
  expect(bytes).toBeGreaterThan(20e6);
});

testWithImage()(
  'the released image runs confined, is healthy, deploys to an agent, and drains when it is stopped',
  async () => {
    await using postgres = await startPlainPostgres();
    const [described] = JSON.parse(await podman.podman('image', 'inspect', image)) as Image[];
    expect(described?.Config).toMatchObject({ User: '10001:10001', StopSignal: 'SIGTERM' });
    expect(described?.Config.Labels['org.opencontainers.image.version']).toBe(manifest.version);

    const port = await freePort();
    const settings = { DATABASE_URL: postgres.url, PORT: String(port), SERVICE_ADMIN_TOKEN: 'a'.repeat(32), HOST: '' };
    const set = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    await podman.podman('run', '--detach', '--name', 'fleet', ...confined, '--network', 'host', ...set, image);
    await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
    await podman.podman('healthcheck', 'run', 'fleet');

    const inside = (code: string) => podman.podman('exec', 'fleet', 'node', '--eval', code);
    await expect(inside('require("fs").writeFileSync("/usr/x", "")')).rejects.toThrow('EROFS');
    expect(await inside('console.log(process.getuid(), require("fs").existsSync("/bin/sh"))')).toBe('10001 false\n');
    await inside('require("fs").writeFileSync("/var/lib/fleet-control-service/x", "")');

    const url = `http://127.0.0.1:${port}`;
    const cli = clientIn('fleet');
    await quickStart({
      url,
      cli,
      file: license,
      token: await tokenOfNewOrg({ url, cli }),
      startAgent: (key) => startAgent(key, url, ['--network', 'host']),
    });
    await podman.podman('stop', '--time', '40', 'robot');

    await podman.podman('stop', '--time', '40', 'fleet');
    expect(await podman.podman('inspect', '--format', '{{.State.ExitCode}}', 'fleet')).toBe('0\n');
    expect(await podman.podman('logs', 'fleet')).toMatch(/"signal":"SIGTERM"[^]*"stopped"/);
  },
);

testWithImage()('a container stops while it waits for the database, and at once at a second signal', async () => {
  const set = ['--env', `SERVICE_ADMIN_TOKEN=${'a'.repeat(32)}`, '--env'];
  const exitCode = () => podman.podman('wait', 'fleet');
  await podman.podman(
    ...['run', '--detach', '--name', 'fleet', ...confined, '--network', 'host'],
    ...[...set, 'DATABASE_URL=postgres://a:b@127.0.0.1:9/x', image],
  );
  await until(async () => (await podman.podman('logs', 'fleet')).includes('waiting for the database'));
  await podman.podman('stop', '--time', '20', 'fleet');
  expect(await exitCode()).toBe('143\n');
  await podman.podman('rm', 'fleet');

  await using postgres = await startPlainPostgres();
  const port = await freePort();
  await podman.podman(
    ...['run', '--detach', '--name', 'fleet', ...confined, '--network', 'host'],
    ...[...set, `DATABASE_URL=${postgres.url}`, '--env', `PORT=${port}`, image],
  );
  await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  for (const signal of ['SIGTERM', 'SIGINT']) await podman.podman('kill', '--signal', signal, 'fleet');
  expect(await exitCode()).toBe('130\n');
});

/** The user and the database that the image of Postgres creates at its first start; connections need the password. */
async function prepareDatabase(url: string, settings: Record<string, string> = {}): Promise<void> {
  const { POSTGRES_USER: user = '', POSTGRES_PASSWORD: password = '', POSTGRES_DB: database = '' } = settings;
  const db = openDatabase(url);
  try {
    await db.raw(`alter role ${user} password '${password}'`);
    await db.raw(`create database ${database} owner ${user}`);
    const { rows } = await db.raw<{ rows: { hba_file: string }[] }>('show hba_file');
    await writeFile(rows[0]?.hba_file ?? '', `host ${database} ${user} 127.0.0.1/32 scram-sha-256\n`);
    await db.raw('select pg_reload_conf()');
  } finally {
    await db.destroy();
  }
}

testWithImage(
  'python3-swift',
  'nats-server',
  'docker-compose',
  'ip',
  'mount',
)('replicas of the compose file deploy an artifact from its S3 store, and reach each other over NATS', async () => {
  await using compose = await unpackCompose();
  compose.makeEnv();
  const settings = join(compose.path, '.env');
  await writeFile(settings, (await readFile(settings, 'utf8')).replace(/^#(NATS_URL=)/m, '$1'));
  const services = compose.services();

  // What the images of registries are in the file, with their names and secrets: Swift is in place of MinIO.
  await using network = await startBridge();
  await using postgres = await startPlainPostgres();
  await prepareDatabase(postgres.url, services['postgres']?.environment);
  const { MINIO_ROOT_USER: accessKeyId = '', MINIO_ROOT_PASSWORD: secretAccessKey = '' } =
    services['store']?.environment ?? {};
  await using store = await startS3Store({ accessKeyId, secretAccessKey });
  const bucket = 'fleet';
  const { S3_ENDPOINT: endpoint = '' } = await store.bucket(bucket);
  await using nats = await startNats();
  const forward = (port: number, target: number) => startForwarder(network.address, port, target);
  await using toPostgres = await forward(5432, postgres.connection.port);
  await using toStore = await forward(9000, Number(new URL(endpoint).port));
  await using toNats = await forward(4222, nats.port);

  const names = ['service', 'service-2'] as const;
  const [first, second, robot] = [await network.join(), await network.join(), await network.join()];
  const addresses = {
    postgres: network.address,
    store: network.address,
    nats: network.address,
    service: first.address,
    'service-2': second.address,
  };
  const hosts = Object.entries(addresses).flatMap(([name, address]) => ['--add-host', `${name}:${address}`]);
  for (const [index, name] of names.entries()) {
    const service = services[name];
    if (!service) throw new Error(`the compose file has no ${name}`);
    const place = ['--network', [first, second][index]?.network ?? '', ...hosts];
    await podman.podman('run', '--detach', '--name', name, ...place, ...podmanFlags(service), service.image);
    await until(async () => (await fetch(`http://${addresses[name]}:8080/readyz`)).ok);
  }

  const [url, cli] = ['http://service:8080', clientIn('service')];
  await quickStart({
    url,
    cli,
    file: license,
    token: await tokenOfNewOrg({ url, cli }),
    startAgent: (key) => startAgent(key, 'http://service-2:8080', ['--network', robot.network, ...hosts]),
  });

  const { Contents: objects = [] } = await store.client.send(new ListObjectsV2Command({ Bucket: bucket }));
  const digest = createHash('sha256')
    .update(await readFile(join(repository, 'LICENSE')))
    .digest('hex');
  expect(objects.map(({ Key: key }) => key)).toEqual([expect.stringMatching(new RegExp(`/${digest}$`))]);
  // From the replica that has no link of the robot.
  expect(await cli('robots camera amr-007 --once --out -')).toContain('JFIF');
  for (const { connections } of [toPostgres, toStore, toNats]) expect(connections).toBeGreaterThan(0);
  const token = services['service']?.environment?.['SERVICE_ADMIN_TOKEN'] ?? '';
  const status = await fetch(`http://${first.address}:8080/api/admin/status`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { data } = (await status.json()) as { data: { bus: object; replicas: { ready: boolean }[] } };
  expect(data.bus).toMatchObject({ carrier: 'nats', up: true });
  expect(data.replicas.map(({ ready }) => ready)).toEqual([true, true]);
  // Where Prometheus of the file scrapes them.
  for (const name of names)
    expect(await (await fetch(`http://${addresses[name]}:8080/metrics`)).text()).toContain('fleet_replicas');
  for (const name of ['robot', ...names]) await podman.podman('stop', name);
  for (const name of names) expect(await podman.podman('logs', name)).toContain('"stopped"');
});
