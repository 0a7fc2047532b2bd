import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startAgentServer } from '../../support/agent-server.ts';
import { factories } from '../../support/factories.ts';
import { startKillableService } from '../../support/killable-service.ts';
import { operatorOf } from '../../support/operator.ts';
import { configOrder, releaseOrder, sha256, startOrderServer } from '../../support/orders.ts';
import { openShell } from '../../support/shell-viewer.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { testWith } from '../../support/tools.ts';
import { startIsolatedWorld } from '../../support/world.ts';

const python = '/usr/bin/python3';
const script = fileURLToPath(new URL('../../../docs/examples/agent.py', import.meta.url));

/** The example as its reader would start it; lines written to it are log records. */
function startExample(url: string, key: string, folder: string) {
  const child = spawn(python, [script, url, join(folder, 'identity.json')], {
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: process.env['PYTHONPATH'],
      HOME: folder,
      SERVICE_ENROLLMENT_KEY: key,
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    pid: child.pid,
    write: (line: string) => void child.stdin.write(`${line}\n`),
    said: () => said,
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      return exited;
    },
    exited,
  };
}

/** A network between the robot and the service that can be cut, be down, and be slow. */
async function startNetwork(port: number) {
  const sockets = new Set<Socket>();
  let asked = '';
  const network = {
    url: '',
    isDown: false,
    pauseMs: 0, // after each piece on its way to the robot
    /** What the robot sent, in lower case. */
    asked: () => asked,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    async [Symbol.asyncDispose]() {
      network.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((near) => {
    if (network.isDown) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far])
      sockets.add(socket.on('error', () => undefined).on('close', () => near.destroy()));
    near.on('data', (data) => (asked += data.toString('latin1').toLowerCase()));
    near.pipe(far);
    pipeline(
      far,
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces) {
          yield piece;
          if (network.pauseMs > 0) await pause(network.pauseMs);
        }
      },
      near,
    ).catch(() => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  network.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return network;
}

const until = (condition: () => Promise<boolean>) => expect.poll(condition, { interval: 200 }).toBe(true);

testWith('python3-websockets')(
  'the example agent enrolls once, keeps a link, sends health and logs, and comes back',
  async () => {
    await using world = await startIsolatedWorld();
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

testWith('python3-websockets')(
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
    await server.until(() => server.messages().at(-1) === `line ${written}`);
    for (const { seq, message } of server.records()) expect(message).toBe(`line ${seq}`);
    expect(server.records().length).toBeGreaterThanOrEqual(10_000);
    expect(server.invalid).toEqual([]);
    expect(await example.end('SIGTERM')).toBe(0);
  },
);

testWith('python3-websockets')(
  'the example tries again after a 426 of a proxy, and ends at one of the service',
  async () => {
    await using server = await startAgentServer();
    server.refuse = () => ({ status: 426, headers: { upgrade: 'websocket' } });
    await using dir = await tempDir();
    await writeFile(join(dir.path, 'identity.json'), '{"robot_token": "svc_robot_test"}');
    const example = startExample(server.url, 'svc_enroll_none', dir.path);
    await until(async () => example.said().split('HTTP 426').length > 2);
    server.refuse = () => ({ status: 426 });
    expect(await example.exited).toBe(1);
    expect(example.said()).toContain('refused for good');
  },
);

test('the example has 250 lines at most, and the page about the protocol names every close code', async () => {
  // As `wc -l` counts them.
  expect((await readFile(script, 'utf8')).split('\n').length - 1).toBeLessThanOrEqual(250);
  const page = await readFile(
    fileURLToPath(new URL('../../../docs/reference/agent-protocol.md', import.meta.url)),
    'utf8',
  );
  const { closeCodes } = await import('../../../generated/protocol.js');
  const told = [closeCodes.ended, closeCodes.policy, closeCodes.tooBig, closeCodes.serverError, closeCodes.restarting];
  const final = [closeCodes.unauthorized, closeCodes.replaced, closeCodes.protocolUnsupported, closeCodes.tryLater];
  for (const code of [...told, ...final]) expect(page).toContain(String(code));
});

testWith('python3-websockets')(
  'the example installs files, each order once, and proves what it has read back',
  async () => {
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
    const script = releaseOrder('script', 'never');
    const absent = releaseOrder('file', 'absent');
    const wrong = releaseOrder('file', 'wrong');
    const otherText = releaseOrder('file', 'second', { digest: sha256('other') });
    server.orders.push(order, cancelled, script, absent, wrong, otherText);
    const first = startExample(server.url, '', dir.path);
    expect(await server.endOf(otherText)).toMatchObject({ status: 'failed', reason: 'digest_mismatch' });
    expect(await server.endOf(order)).toMatchObject({ status: 'applied', digest: sha256('first') });
    expect(server.statusesOf(order)).toEqual(['downloading', 'installing', 'verifying', 'applied']);
    expect(await server.endOf(cancelled)).toMatchObject({ status: 'cancelled' });
    expect(await server.endOf(script)).toMatchObject({ status: 'failed', reason: 'no_handler' });
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
  },
);

testWith('python3-websockets')(
  'the example merges config, keeps values to the letter, and proves the payload',
  async () => {
    await using server = await startOrderServer();
    await using dir = await tempDir();
    await writeFile(join(dir.path, 'identity.json'), '{"robot_token": "svc_robot_test"}');
    const large = configOrder([{ key: 'map', value: JSON.stringify('走'.repeat(10_000)) }]);
    const { payload = '', ...fetched } = large;
    server.payloads.set(large.digest, payload);
    const orders = [
      configOrder([
        { key: 'speed', value: '1.0' },
        { key: 'range', namespace: 'lidar', value: '12345678901234567890' },
      ]),
      fetched,
      configOrder([{ key: 'speed', value: '{"max": 2.50, "note": "a\u2028{]"}' }]),
    ];
    server.orders.push(...orders);
    const example = startExample(server.url, '', dir.path);
    for (const order of orders)
      expect(await server.endOf(order)).toMatchObject({ status: 'applied', digest: order.digest });
    const text = await readFile(join(dir.path, 'identity.json.config'), 'utf8');
    const { config } = JSON.parse(text) as { config: { key: string }[] };
    expect(config.map(({ key }) => key).sort()).toEqual(['map', 'range', 'speed']);
    expect(text).toContain('"value":{"max": 2.50, "note": "a\u2028{]"}');
    expect(text).toContain('"value":12345678901234567890');
    await example.end('SIGTERM');
    expect(server.invalid).toEqual([]);
  },
);

testWith('python3-websockets')(
  'the example refuses a stream that it cannot dial, and keeps nothing of a shell that ended',
  async () => {
    await using server = await startAgentServer();
    await using dir = await tempDir();
    await writeFile(join(dir.path, 'identity.json'), '{"robot_token": "svc_robot_test"}');
    const example = startExample(server.url, '', dir.path);
    const link = await server.until(() => server.links.find(({ frames }) => frames.length > 0));
    const open = (more: { protocol?: 'fleet.shell.v1' }) => {
      const session_id = randomUUID();
      const way = { path: `/agent/streams/${session_id}`, secret: 'svc_stream_test', opened_by: 'user:a' };
      const expires_at = new Date().toISOString();
      link.send({ type: 'open', session_id, kind: 'shell', ...way, expires_at, parameters: {}, ...more });
      return session_id;
    };
    server.refuse = ({ url = '' }) => (url.startsWith('/agent/streams/') ? { status: 503 } : undefined);
    const refused = open({});
    await server.until(() =>
      link.frames.some(
        (frame) => frame.type === 'refused' && frame.session_id === refused && frame.reason === 'failed',
      ),
    );

    server.refuse = undefined;
    /** Opens a shell, sends one message, and returns how the agent closed it. */
    const closeOf = (message: string | Buffer, more: { protocol?: 'fleet.shell.v1' } = {}) =>
      new Promise<string>((resolve) => {
        server.onStream = (socket) => {
          socket.on('close', (code, reason) => resolve(`${code} ${reason.toString()}`));
          socket.send(message);
        };
        open(more);
      });
    expect(await closeOf(Buffer.from('exit 3\n'))).toBe('1000 exit 3');
    const pipes = JSON.stringify({ type: 'start', tty: false });
    expect(await closeOf(pipes, { protocol: 'fleet.shell.v1' })).toBe('1008 ');
    const descriptors = `/proc/${example.pid}/fd`;
    const files = async () =>
      Promise.all((await readdir(descriptors)).map((name) => readlink(join(descriptors, name)).catch(() => '')));
    await expect.poll(files).not.toContain('/dev/ptmx');
    expect(await example.end('SIGTERM')).toBe(0);
    expect(server.invalid).toEqual([]);
  },
);

testWith('python3-websockets')(
  'the example sends the steps of an order with a trace context, and of no other',
  async () => {
    await using server = await startOrderServer();
    await using dir = await tempDir();
    await writeFile(join(dir.path, 'identity.json'), '{"robot_token": "svc_robot_test"}');
    const example = startExample(server.url, 'svc_enroll_none', dir.path);
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const traced = configOrder([{ key: 'a', value: '1' }], { traceparent });
    const unable = { ...releaseOrder('script', 'x', { traceparent }), sequence: 2 };
    const plain = configOrder([{ key: 'a', value: '2' }], { sequence: 3 });
    for (const order of [traced, unable, plain]) {
      server.give(order);
      await server.endOf(order);
    }
    const step = (name: string) => ({
      step: name,
      started_at: expect.stringMatching(/^20\d\d-/) as string,
      duration_ms: expect.any(Number) as number,
    });
    expect((await server.endOf(traced)).steps).toEqual([step('download'), step('install'), step('verify')]);
    expect((await server.endOf(unable)).status).toBe('failed');
    expect(await server.endOf(plain)).not.toHaveProperty('steps');
    expect(server.reports.filter(({ status, steps }) => steps && status !== 'applied' && status !== 'failed')).toEqual(
      [],
    );
    expect(server.invalid).toEqual([]);
    expect(await example.end('SIGTERM')).toBe(0);
  },
);

testWith('python3-websockets')('the example sends no step that was open when it was killed', async () => {
  await using server = await startOrderServer();
  await using dir = await tempDir();
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const order = configOrder([{ key: 'a', value: '1' }], { traceparent });
  const step = (name: string, ms: number) => ({ step: name, started_at: '2020-01-01T00:00:00+00:00', duration_ms: ms });
  const cut = {
    report: { status: 'installing' },
    acknowledged: true,
    steps: [step('download', 7), step('install', 0)],
  };
  const kept = { robot_token: 'svc_robot_test', orders: { [order.order_id]: cut } };
  await writeFile(join(dir.path, 'identity.json'), JSON.stringify(kept));
  const example = startExample(server.url, '', dir.path);
  server.give(order);
  const { steps = [] } = await server.endOf(order);
  expect(steps.map(({ step: name }) => name)).toEqual(['download', 'install', 'verify']);
  expect(steps[0]).toEqual(step('download', 7));
  expect(Math.max(...steps.map(({ duration_ms: ms }) => ms))).toBeLessThan(60_000);
  expect(server.invalid).toEqual([]);
  expect(await example.end('SIGTERM')).toBe(0);
});

testWith('python3-websockets')(
  'a report that was not acknowledged outlives kill -9 of the example, and goes with the next hello',
  async () => {
    await using server = await startOrderServer();
    await using dir = await tempDir();
    await writeFile(join(dir.path, 'identity.json'), '{"robot_token": "svc_robot_test"}');
    server.acknowledgesReports = false;
    const order = configOrder([{ key: 'speed', value: '1' }]);
    server.orders.push(order);
    const first = startExample(server.url, '', dir.path);
    const end = await server.endOf(order);
    await first.end('SIGKILL');
    server.orders = [];
    server.acknowledgesReports = true;
    const holdings = () =>
      server.links.flatMap(({ frames: [hello] }) => (hello?.type === 'hello' ? [hello.holding] : []));
    const second = startExample(server.url, '', dir.path);
    await server.until(() => holdings().length === 2);
    expect(holdings()[1]).toEqual([{ order_id: order.order_id, status: 'applied', digest: end.digest }]);
    // It is acknowledged now: nothing is left to say of it, and what runs may be told.
    await server.until(() => server.links.at(-1)?.frames.some(({ type }) => type === 'running'));
    await second.end('SIGKILL');
    const third = startExample(server.url, '', dir.path);
    await server.until(() => holdings().length === 3);
    expect(holdings()[2]).toEqual([]);
    await third.end('SIGTERM');
    expect(server.invalid).toEqual([]);
  },
);

testWith('python3-websockets')('an order that a crash cut and the service gave up is held no more', async () => {
  await using server = await startOrderServer();
  await using dir = await tempDir();
  const order_id = randomUUID();
  const orders = { [order_id]: { report: { status: 'installing' }, acknowledged: true } };
  await writeFile(join(dir.path, 'identity.json'), JSON.stringify({ robot_token: 'svc_robot_test', orders }));
  const heard = server.onFrame;
  server.onFrame = (frame, link) => {
    heard?.(frame, link);
    if (frame.type === 'hello') link.send({ type: 'report_ack', order_id, status: 'installing', ended: true });
  };
  const example = startExample(server.url, '', dir.path);
  // It says what runs only where nothing of an order is open.
  await server.until(() => server.links[0]?.frames.some(({ type }) => type === 'running'));
  expect(server.reports).toEqual([{ order_id, status: 'installing' }]);
  expect(await readFile(join(dir.path, 'identity.json'), 'utf8')).toContain('"interrupted"');
  await example.end('SIGTERM');
  expect(server.invalid).toEqual([]);
});

testWith('python3-websockets')(
  'log records that were not acknowledged outlive kill -9 with their numbers, and go to a new spool if others have these',
  async () => {
    await using server = await startAgentServer();
    server.acknowledges = false;
    await using dir = await tempDir();
    await writeFile(join(dir.path, 'identity.json'), '{"robot_token": "svc_robot_test"}');
    const sent = () =>
      server.links.flatMap(({ frames }, link) =>
        frames.flatMap((frame) =>
          frame.type === 'logs'
            ? frame.records.map(({ seq, message }) => ({ link, spool: frame.spool, seq, message }))
            : [],
        ),
      );
    const sentOn = (link: number) => sent().filter((record) => record.link === link);
    const isSent = (message: string, link: number) =>
      server.until(() => sentOn(link).findLast((record) => record.message === message));
    const first = startExample(server.url, '', dir.path);
    for (const line of ['one', 'two', 'three']) first.write(line);
    const { spool } = await isSent('three', 0);
    await first.end('SIGKILL');

    const second = startExample(server.url, '', dir.path);
    await isSent('three', 1);
    const again = ['one', 'two', 'three'].map((message, n) => ({ link: 1, spool, seq: n + 1, message }));
    expect(sentOn(1)).toEqual(again);
    // What an earlier link has carried is stored, so skipping it is no reason for a new spool.
    const skip = (from_seq: number, to_seq: number) => {
      const frame = { type: 'logs_skipped', spool, from_seq, to_seq, reason: 'number_passed' };
      server.links.at(-1)?.socket.send(JSON.stringify(frame));
    };
    skip(1, 3);
    server.links.at(-1)?.send({ type: 'logs_ack', spool, seq: 3 });
    second.write('four');
    expect(await isSent('four', 1)).toMatchObject({ spool, seq: 4 });
    skip(4, 4);
    const { spool: next } = await server.until(() => sent().find((record) => record.spool !== spool));
    expect(sent().filter((record) => record.spool === next)).toMatchObject([{ seq: 4, message: 'four' }]);
    server.links.at(-1)?.send({ type: 'logs_ack', spool: next, seq: 1_000 });
    await server.until(() => sent().find((record) => record.spool !== spool && record.spool !== next));
    await second.end('SIGTERM');
    expect(server.links).toHaveLength(2);
    expect(server.invalid).toEqual([]);
  },
);

testWith('python3-websockets')(
  'with the real service the example, killed by kill -9 in a download and with logs unsent, resumes exactly: nothing is lost or done twice',
  async () => {
    await using world = await startIsolatedWorld();
    await using network = await startNetwork(world.port);
    await using dir = await tempDir();
    const operator = operatorOf(world);
    const file = (name: string) => join(dir.path, `identity.json${name}`);
    const key = await factories(world).key();
    const first = startExample(network.url, key.value, dir.path);
    const robots = async () => (await world.call('GET', '/api/robots')).body.items;
    await until(async () => (await robots())[0]?.online === true);
    const [{ id }] = await robots();

    const artifact = 'the map of the hall\n'.repeat(200_000);
    const sha = sha256(artifact);
    const release = { tag: 'map-1', kind: 'file', artifact_sha256: sha, artifact_size: artifact.length };
    await world.call('POST', '/api/releases', { body: release });
    const upload = { body: artifact, headers: { 'Content-Type': 'application/octet-stream' } };
    expect((await world.call('PUT', `/api/artifacts/${sha}`, upload)).status).toBe(200);
    const received = () =>
      stat(file(`.release.${sha}.part`)).then(
        ({ size }) => size,
        () => 0,
      );
    network.pauseMs = 50;
    const deployment = await operator.deployRelease(id, release);
    await expect.poll(received, { interval: 20 }).toBeGreaterThan(0);
    // It is cut off in the middle, and killed with records that nobody has heard of.
    network.cut();
    network.isDown = true;
    for (let n = 1; n <= 300; n += 1) first.write(`line ${n}`);
    await until(async () => (await readFile(file('.logs-wal'), 'latin1')).includes('line 300'));
    await first.end('SIGKILL');
    const kept = await received();
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(artifact.length);

    network.isDown = false;
    network.pauseMs = 0;
    const second = startExample(network.url, 'svc_enroll_of_nobody', dir.path);
    await until(async () => (await operator.deployment()).status === 'applied');
    expect(await readFile(file('.release'), 'utf8')).toBe(artifact);
    expect(network.asked()).toContain(`range: bytes=${kept}-`);
    const { items } = (await world.call('GET', `/api/deployments/${deployment}/events`)).body;
    expect(items.flatMap(({ target_status: status }: { target_status?: string }) => status ?? [])).toEqual([
      'dispatched',
      'downloading',
      'installing',
      'verifying',
      'applied',
    ]);

    for (const entry of [
      { key: 'speed', value: 1.5 },
      { key: 'zoom', value: { x: 2 } },
    ]) {
      await operator.deployConfig(id, entry);
      await until(async () => (await operator.deployment()).status === 'applied');
    }
    expect(JSON.parse(await readFile(file('.config'), 'utf8')).config).toMatchObject([
      { namespace: 'default', key: 'speed', value: 1.5 },
      { namespace: 'default', key: 'zoom', value: { x: 2 } },
    ]);
    second.write('after the restart');
    const messages = async () =>
      (await world.call('GET', `/api/robots/${id}/logs?limit=1000`)).body.items.map(
        ({ message }: { message: string }) => message,
      );
    await until(async () => (await messages()).at(-1) === 'after the restart');
    expect(await messages()).toEqual([...Array.from({ length: 300 }, (_, n) => `line ${n + 1}`), 'after the restart']);
    expect(await robots()).toHaveLength(1);
    expect(await second.end('SIGTERM')).toBe(0);
  },
);

testWith('python3-websockets')(
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
);
