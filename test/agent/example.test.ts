import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startAgentServer } from '../support/agent-server.ts';
import { factories } from '../support/factories.ts';
import { startKillableService } from '../support/killable-service.ts';
import { configOrder, releaseOrder, sha256, startOrderServer } from '../support/orders.ts';
import { openShell } from '../support/shell-viewer.ts';
import { tempDir } from '../support/temp-dir.ts';
import { startWorld } from '../support/world.ts';

const python = '/usr/bin/python3';
const script = fileURLToPath(new URL('../../docs/examples/agent.py', import.meta.url));
/** Continuous integration has Debian's python3-websockets or fails; elsewhere a test without it is skipped where everybody sees it. */
const lacksPython = spawnSync(python, ['-c', 'import websockets']).status !== 0 && !process.env['CI'];

/** The example as its reader would start it; lines written to it are log records. */
function startExample(url: string, key: string, folder: string) {
  const child = spawn(python, [script, url, join(folder, 'identity.json')], {
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: process.env['PYTHONPATH'],
      HOME: folder,
      SERVICE_ENROLLMENT_KEY: key,
      PYTHONUNBUFFERED: '1',
    },
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    write: (line: string) => void child.stdin.write(`${line}\n`),
    said: () => said,
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      return exited;
    },
    exited,
  };
}

/** A network between the robot and the service that can be cut. */
async function startNetwork(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const until = (condition: () => Promise<boolean>) =>
  expect.poll(condition, { timeout: 20_000, interval: 200 }).toBe(true);

test.skipIf(lacksPython)(
  'the example agent enrolls once, keeps a link, sends health and logs, and comes back',
  async () => {
    await using world = await startWorld();
    await using network = await startNetwork(world.port);
    await using dir = await tempDir();
    const folder = dir.path;
    const key = await factories(world).key({ max_uses: 1 });
    const robots = async () => (await world.call('GET', '/api/robots')).body.items;
    const isOnline = async () => (await robots())[0]?.online === true;
    const messages = async (id: string) =>
      (await world.call('GET', `/api/robots/${id}/logs`)).body.items.map(({ message }: { message: string }) => message);

    const first = startExample(network.url, key.value, folder);
    await until(isOnline);
    const [{ id }] = await robots();
    for (let n = 1; n <= 200; n += 1) first.write(`line ${n}`);
    await until(async () => (await messages(id)).length === 200);
    await until(async () => (await world.call('GET', `/api/robots/${id}/health`)).body.data.snapshot !== undefined);
    expect((await stat(join(folder, 'identity.json'))).mode & 0o777).toBe(0o600);

    // Cut off, it comes back by itself and sends what is new.
    network.cut();
    await until(async () => first.said().split('up as').length > 2);
    first.write('after the cut');
    await until(async () => (await messages(id)).at(-1) === 'after the cut');

    // Lines that are six times as long in JSON as they seem still fit into frames.
    for (let n = 1; n <= 60; n += 1) first.write('走'.repeat(1_000));
    first.write('after the long lines');
    await until(async () => (await messages(id)).at(-1) === 'after the long lines');
    expect(first.said().split('up as')).toHaveLength(3);
    expect(await first.end('SIGTERM')).toBe(0);
    await until(async () => !(await isOnline()));

    const second = startExample(network.url, 'svc_enroll_of_nobody', folder);
    await until(isOnline);
    expect(await robots()).toHaveLength(1);
    await world.call('DELETE', `/api/robots/${id}`);
    expect(await second.exited, second.said()).toBe(1);
    expect(second.said()).toContain('refused for good');
  },
);

test.skipIf(lacksPython)(
  'while the service is away the example keeps the newest 10,000 lines, under their numbers',
  async () => {
    await using server = await startAgentServer();
    server.refuse = () => ({ status: 503 });
    await using dir = await tempDir();
    await writeFile(join(dir.path, 'identity.json'), '{"robot_token": "svc_robot_test"}');
    const example = startExample(server.url, 'svc_enroll_none', dir.path);
    await until(async () => example.said().includes('HTTP 503'));
    const written = 12_000;
    for (let n = 1; n <= written; n += 1) example.write(`line ${n}`);
    server.refuse = undefined;
    await server.until(() => server.messages().at(-1) === `line ${written}`, 25_000);
    for (const { seq, message } of server.records()) expect(message).toBe(`line ${seq}`);
    expect(server.records().length).toBeGreaterThanOrEqual(10_000);
    expect(server.invalid).toEqual([]);
    expect(await example.end('SIGTERM')).toBe(0);
  },
);

test.skipIf(lacksPython)('the example tries again after a 426 of a proxy, and ends at one of the service', async () => {
  await using server = await startAgentServer();
  server.refuse = () => ({ status: 426, headers: { upgrade: 'websocket' } });
  await using dir = await tempDir();
  await writeFile(join(dir.path, 'identity.json'), '{"robot_token": "svc_robot_test"}');
  const example = startExample(server.url, 'svc_enroll_none', dir.path);
  await until(async () => example.said().split('HTTP 426').length > 2);
  server.refuse = () => ({ status: 426 });
  expect(await example.exited).toBe(1);
  expect(example.said()).toContain('refused for good');
});

test('the example has 120 lines at most, and the page about the protocol names every close code', async () => {
  // As `wc -l` counts them.
  expect((await readFile(script, 'utf8')).split('\n').length - 1).toBeLessThanOrEqual(120);
  const page = await readFile(fileURLToPath(new URL('../../docs/agent-protocol.md', import.meta.url)), 'utf8');
  const { closeCodes } = await import('../../generated/protocol.js');
  const told = [closeCodes.ended, closeCodes.policy, closeCodes.tooBig, closeCodes.serverError, closeCodes.restarting];
  const final = [closeCodes.unauthorized, closeCodes.replaced, closeCodes.protocolUnsupported, closeCodes.tryLater];
  for (const code of [...told, ...final]) expect(page).toContain(String(code));
});

test.skipIf(lacksPython)('the example installs files, each order once, and proves what it has read back', async () => {
  await using server = await startOrderServer();
  await using dir = await tempDir();
  await writeFile(join(dir.path, 'identity.json'), '{"robot_token": "svc_robot_test"}');
  const asked: string[] = [];
  server.answer = ({ url = '' }, response) => {
    asked.push(url);
    const [name = ''] = ['first', 'second', 'wrong'].filter((each) => url === `/api/artifacts/${sha256(each)}`);
    if (name === '') return void response.writeHead(404).end();
    response.end(name === 'wrong' ? 'other' : name);
  };
  const order = releaseOrder('file', 'first');
  const cancelled = releaseOrder('file', 'second', { cancel: true });
  const config = configOrder([{ key: 'never', value: '1' }]);
  const absent = releaseOrder('file', 'absent');
  const wrong = releaseOrder('file', 'wrong');
  const otherText = releaseOrder('file', 'second', { digest: sha256('other') });
  server.orders.push(order, cancelled, config, absent, wrong, otherText);
  const first = startExample(server.url, '', dir.path);
  expect(await server.endOf(otherText)).toMatchObject({ status: 'failed', reason: 'digest_mismatch' });
  expect(await server.endOf(order)).toMatchObject({ status: 'applied', digest: sha256('first') });
  expect(server.statusesOf(order)).toEqual(['downloading', 'applied']);
  expect(await server.endOf(cancelled)).toMatchObject({ status: 'cancelled' });
  expect(await server.endOf(config)).toMatchObject({ status: 'failed', reason: 'no_handler' });
  expect(await server.endOf(absent)).toMatchObject({ status: 'failed', reason: 'no_artifact' });
  expect(await server.endOf(wrong)).toMatchObject({ status: 'failed', reason: 'digest_mismatch' });
  expect(await readFile(join(dir.path, 'identity.json.release'), 'utf8')).toBe('first');
  await first.end('SIGKILL');
  // A list that still names one of them begins nothing.
  const before = asked.length;
  server.orders = [order];
  server.reports = [];
  const second = startExample(server.url, '', dir.path);
  expect(await server.endOf(order)).toMatchObject({ status: 'applied', digest: sha256('first') });
  expect(asked).toHaveLength(before);
  await second.end('SIGTERM');
  expect(server.invalid).toEqual([]);
});

test.skipIf(lacksPython)(
  'with the real service the example is online, applies a deployment, opens shells, and is back after kill -9 of the service',
  async () => {
    await using service = await startKillableService();
    const { url } = service;
    await using dir = await tempDir();
    const call = async (method: string, path: string, body?: object | string) => {
      const headers = {
        Authorization: `Bearer ${service.token}`,
        'Content-Type': typeof body === 'string' ? 'application/octet-stream' : 'application/json',
        'Idempotency-Key': randomUUID(),
      };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const answer = await fetch(new URL(path, url), { method, headers, ...(body !== undefined && { body: text }) });
      return (await answer.json()) as any; // eslint-disable-line @typescript-eslint/no-explicit-any -- read as what is expected
    };
    const site = (await call('POST', '/api/sites', { name: 'Osaka' })).data;
    const fleet = (await call('POST', '/api/fleets', { name: 'pickers', site_id: site.id })).data;
    const key = (await call('POST', '/api/enrollment-keys', { site_id: site.id, fleet_id: fleet.id })).data;
    const example = startExample(url.origin, key.value, dir.path);
    const robot = async () => (await call('GET', '/api/robots')).items[0];
    await until(async () => (await robot())?.online === true);
    const { id } = await robot();
    await until(async () => (await call('GET', `/api/robots/${id}/health`)).data.snapshot !== undefined);

    const artifact = 'the map of the hall\n';
    const release = await call('POST', '/api/releases', {
      artifact_sha256: sha256(artifact),
      artifact_size: artifact.length,
      tag: 'map-1',
      kind: 'file',
    });
    await call('PUT', `/api/artifacts/${sha256(artifact)}`, artifact);
    const order = { release_id: release.data.id, target_kind: 'robot', target_id: id };
    const deployment = (await call('POST', '/api/deployments', order)).data;
    await until(async () => (await call('GET', `/api/deployments/${deployment.id}`)).data.status === 'applied');
    expect(await readFile(join(dir.path, 'identity.json.release'), 'utf8')).toBe(artifact);

    const { token } = service;
    using framed = await openShell(url.origin, id, { token, protocol: 'fleet.shell.v1' });
    framed.send({ type: 'start', cols: 100, rows: 30, command: ['sh'] });
    await framed.next('ready');
    framed.type('stty size; stty -echo\n');
    await framed.sees('30 100');
    framed.send({ type: 'resize', cols: 132, rows: 43 });
    framed.type('until [ "$(stty size)" = "43 132" ]; do :; done; echo "hello ""robot"; exit 7\n');
    await framed.sees('hello robot');
    expect(await framed.next('exit')).toMatchObject({ code: 7 });
    expect((await framed.closed).code).toBe(1000);
    using raw = await openShell(url.origin, id, { token, query: '?cols=90&rows=20' });
    raw.type('stty size; kill -9 $$\n');
    await raw.sees('20 90');
    expect(await raw.closed).toEqual({ code: 1000, reason: 'signal SIGKILL' });

    await service.killServer();
    example.write('while nobody heard');
    await service.startServer();
    await until(
      async () => (await call('GET', `/api/robots/${id}/logs`)).items.at(-1)?.message === 'while nobody heard',
    );
    await until(async () => (await robot()).online === true);
    expect(await example.end('SIGTERM')).toBe(0);
  },
  90_000,
);
