import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startAgentServer } from '../support/agent-server.ts';
import { factories } from '../support/factories.ts';
import { configOrder, releaseOrder, sha256, startOrderServer } from '../support/orders.ts';
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

test.skipIf(lacksPython)('the example tells by a gap what it had to drop while the service was away', async () => {
  await using server = await startAgentServer();
  server.refuse = () => ({ status: 503 });
  await using dir = await tempDir();
  await writeFile(join(dir.path, 'identity.json'), '{"robot_token": "svc_robot_test"}');
  const example = startExample(server.url, 'svc_enroll_none', dir.path);
  await until(async () => example.said().includes('again in'));
  const written = 12_000;
  for (let n = 1; n <= written; n += 1) example.write(`line ${n}`);
  server.refuse = undefined;
  await server.until(() => server.messages().at(-1) === `line ${written}`, 25_000);
  const gaps = server.records().filter(({ type }) => type === 'gap');
  expect(gaps).toMatchObject([{ level: 'warn', reason: 'quota', source: 'stdin' }]);
  expect(Number(gaps[0]?.dropped) + server.messages().length).toBe(written);
  expect(server.records()[0]?.type).toBe('gap');
  expect(server.invalid).toEqual([]);
  expect(await example.end('SIGTERM')).toBe(0);
});

test.skipIf(lacksPython)('the example tries again after a 426 of a proxy, and ends at one of the service', async () => {
  await using server = await startAgentServer();
  server.refuse = () => ({ status: 426, headers: { upgrade: 'websocket' } });
  await using dir = await tempDir();
  await writeFile(join(dir.path, 'identity.json'), '{"robot_token": "svc_robot_test"}');
  const example = startExample(server.url, 'svc_enroll_none', dir.path);
  await until(async () => example.said().includes('a proxy on the way does not let WebSockets through; again in'));
  server.refuse = () => ({ status: 426 });
  expect(await example.exited).toBe(1);
  expect(example.said()).toContain('refused for good');
});

test('the example has 120 lines of code at most, and the page about the protocol names every close code', async () => {
  const text = (await readFile(script, 'utf8')).replaceAll(/^\s*"""[^]*?"""$/gm, '');
  expect(text.split('\n').filter((line) => /^\s*[^#\s]/.test(line)).length).toBeLessThanOrEqual(120);
  const page = await readFile(fileURLToPath(new URL('../../docs/agent-protocol.md', import.meta.url)), 'utf8');
  const { closeCodes } = await import('../../generated/protocol.js');
  const told = [closeCodes.ended, closeCodes.policy, closeCodes.tooBig, closeCodes.serverError, closeCodes.restarting];
  const final = [closeCodes.unauthorized, closeCodes.replaced, closeCodes.protocolUnsupported, closeCodes.tryLater];
  for (const code of [...told, ...final]) expect(page).toContain(String(code));
});

test.skipIf(lacksPython)('the example takes config, each order once, and proves what it has stored', async () => {
  await using server = await startOrderServer();
  await using dir = await tempDir();
  const identity = { robot_token: 'svc_robot_test' };
  await writeFile(join(dir.path, 'identity.json'), JSON.stringify(identity));
  const order = configOrder([{ key: 'speed', value: '1.20' }]);
  const { payload = '', ...fetched } = configOrder([{ namespace: 'nav', key: '走', value: '"é"' }]);
  server.payloads.set(fetched.digest, payload);
  const cancelled = configOrder([{ key: 'never', value: '1' }], { cancel: true });
  const release = releaseOrder('file', 'x');
  const wrong = configOrder([{ key: 'never', value: '1' }], { digest: sha256('other') });
  server.orders.push(order, fetched, cancelled, release, wrong);
  const first = startExample(server.url, '', dir.path);
  expect(await server.endOf(wrong)).toMatchObject({ status: 'failed', reason: 'digest_mismatch' });
  expect(await server.endOf(order)).toMatchObject({ status: 'applied', digest: order.digest });
  expect(await server.endOf(fetched)).toMatchObject({ status: 'applied', digest: fetched.digest });
  expect(await server.endOf(cancelled)).toMatchObject({ status: 'cancelled' });
  expect(await server.endOf(release)).toMatchObject({ status: 'failed', reason: 'no_handler' });
  await first.end('SIGKILL');
  const kept = JSON.parse(await readFile(join(dir.path, 'identity.json.config'), 'utf8')) as { values: unknown };
  expect(kept.values).toEqual({ default: { speed: 1.2 }, nav: { 走: 'é' } });
  // A list that still names one of them begins nothing.
  server.payloads.clear();
  server.orders = [fetched];
  server.reports = [];
  const second = startExample(server.url, '', dir.path);
  expect(await server.endOf(fetched)).toMatchObject({ status: 'applied', digest: fetched.digest });
  await second.end('SIGTERM');
  expect(server.invalid).toEqual([]);
});
