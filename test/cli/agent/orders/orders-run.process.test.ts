import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Order } from '../../../../generated/frames.js';
import { beRobot, startAgent, stateOf } from '../../../support/agent-process.ts';
import { startHome, type Home } from '../../../support/cli.ts';
import { configOrder, releaseOrder, sha256, startOrderServer } from '../../../support/orders.ts';

const readOr = (path: string) => readFile(path, 'utf8').catch(() => '');
const configOf = (home: Home, namespace = 'default') => join(stateOf(home), 'config', `${namespace}.json`);

async function putArtifact(home: Home, content: string): Promise<void> {
  const folder = join(stateOf(home), 'artifacts');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, sha256(content)), content);
}

test('an agent says that it takes orders, carries them out, and tells with each heartbeat which list it has', async () => {
  await using server = await startOrderServer();
  server.heartbeatSeconds = 1;
  await using home = await startHome();
  await beRobot(home, server.url);
  const order = configOrder([{ key: 'a', value: '1' }]);
  server.orders.push(order);
  const folder = join(home.path, 'for-programs');
  const hook = join(home.path, 'reload');
  await writeFile(hook, `#!/bin/sh\necho "$SERVICE_ENROLLMENT_KEY$*" > ${home.path}/reloaded\necho reloaded\n`);
  await chmod(hook, 0o700);
  await using agent = startAgent(home, ['--config-dir', folder, '--on-config', hook], {
    SERVICE_ENROLLMENT_KEY: 'svc_enroll_k',
  });
  expect(await server.endOf(order)).toMatchObject({ status: 'applied', digest: order.digest });
  expect(await readFile(join(folder, 'default.json'), 'utf8')).toBe('{\n  "a": 1\n}\n');
  expect(await readFile(join(home.path, 'reloaded'), 'utf8')).toBe('default\n');
  const [hello] = server.links[0]?.frames ?? [];
  expect(hello).toMatchObject({ capabilities: { logs: true, orders: true }, holding: [] });
  const kinds = hello?.type === 'hello' ? (hello.capabilities?.kinds ?? []) : [];
  expect(kinds).toEqual(expect.arrayContaining(['archive', 'file', 'script']));
  await server.until(() => server.messages('agent').includes(`installs releases of the kinds ${kinds.join(', ')}`));
  await server.until(() =>
    server.links[0]?.frames.some((frame) => frame.type === 'heartbeat' && frame.desired_hash === 'hash-1'),
  );
  await server.until(() => server.messages('on-config').includes('reloaded'));
  await server.until(() => server.messages('agent').some((line) => line.endsWith('of lane config: applied')));
  expect((await stat(join(stateOf(home), 'orders'))).mode & 0o777).toBe(0o700);
  agent.kill('SIGTERM');
  expect((await agent.ended).code).toBe(0);
  expect(server.invalid).toEqual([]);
});

test('an agent offers releases as container images where there is an engine, also one that is installed later', async () => {
  await using server = await startOrderServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const programs = join(home.path, 'programs');
  await mkdir(programs);
  await writeFile(join(programs, 'docker'), '#!/bin/sh\n');
  await using agent = startAgent(home, ['--container-engine', 'podman'], { PATH: programs });
  const kinds = (link: number) => {
    const hello = server.links[link]?.frames[0];
    return hello?.type === 'hello' ? hello.capabilities?.kinds : undefined;
  };
  await server.until(() => kinds(0) !== undefined);
  await agent.sees('Connected to');
  expect(kinds(0)).toEqual(['agent', 'archive', 'file', 'script']);
  await writeFile(join(programs, 'podman'), '#!/bin/sh\n');
  await chmod(join(programs, 'podman'), 0o755);
  server.links[0]?.socket.close(1012);
  await server.until(() => server.links.slice(1).some((_link, at) => kinds(at + 1)?.includes('container_image')));
  const told = () => server.messages('agent').filter((message) => message.startsWith('installs releases of'));
  await server.until(() => told().length === 2);
  expect(told().at(-1)).toBe('installs releases of the kinds agent, archive, container_image, file, script');
});

test('a payload that does not travel on the link is fetched with the token of the robot, over faults of the service', async () => {
  await using server = await startOrderServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const { payload = '', ...order } = configOrder([{ key: 'map', value: JSON.stringify('x'.repeat(1_000_000)) }]);
  const missing = configOrder([{ key: 'a', value: '2' }]);
  delete missing.payload;
  server.payloads.set(order.digest, payload);
  const answer = server.answer;
  const authorizations: unknown[] = [];
  server.answer = (request, response) => {
    authorizations.push(request.headers.authorization);
    if (authorizations.length === 1) response.writeHead(503).end();
    else answer(request, response);
  };
  server.orders.push(order, missing);
  await using agent = startAgent(home);
  expect(await server.endOf(order)).toMatchObject({ status: 'applied', digest: order.digest });
  expect(authorizations.slice(0, 2)).toEqual(['Bearer svc_robot_test', 'Bearer svc_robot_test']);
  expect((await stat(configOf(home))).size).toBeGreaterThan(1_000_000);
  expect(await server.endOf(missing)).toMatchObject({ status: 'failed', reason: 'payload_unavailable' });
  agent.kill('SIGTERM');
  await agent.ended;
});

/** Each kills its agent with -9 the first time that the order gets there, by its hook, its script, or from outside. */
const crashes: {
  at: string;
  order: () => Order;
  onConfig?: string;
  prepare?: (home: Home, order: Order) => Promise<void>;
  end: object;
  runs: number;
}[] = [
  {
    at: 'verify, while its hook runs',
    order: () => configOrder([{ key: 'a', value: '1' }]),
    onConfig: 'echo run >> "$HOME/runs"; if test ! -e "$HOME/once"; then touch "$HOME/once"; kill -9 $PPID; fi',
    end: { status: 'applied' },
    runs: 2,
  },
  {
    at: 'rollback, while its hook runs with the old files',
    order: () => configOrder([{ key: 'a', value: '1' }]),
    onConfig:
      'echo run >> "$HOME/runs"; test $SVC_PHASE = rollback || exit 1; if test ! -e "$HOME/once"; then touch "$HOME/once"; kill -9 $PPID; fi',
    end: { status: 'rolled_back', reason: 'hook_failed' },
    runs: 3,
  },
  {
    at: 'activate, while its script runs',
    order: () => releaseOrder('script', '#!/bin/sh\necho run >> ../../../../../../../runs\nkill -9 $PPID\nsleep 1\n'),
    prepare: (home) => putArtifact(home, '#!/bin/sh\necho run >> ../../../../../../../runs\nkill -9 $PPID\nsleep 1\n'),
    end: { status: 'failed', reason: 'interrupted' },
    runs: 1,
  },
];

test.each(crashes)('kill -9 in $at: the next start tells what is true', async ({ order: make, ...crash }) => {
  await using server = await startOrderServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const order = make();
  await crash.prepare?.(home, order);
  server.orders.push(order);
  const args = crash.onConfig === undefined ? [] : ['--on-config', crash.onConfig];
  await using first = startAgent(home, args);
  expect((await first.ended).code).toBe(137);
  await using second = startAgent(home, args);
  expect(await server.endOf(order)).toMatchObject(crash.end);
  expect((await readOr(join(home.path, 'runs'))).trim().split('\n')).toHaveLength(crash.runs);
  // What is known of it stays known: the list that still names it begins nothing.
  server.give(order);
  second.kill('SIGTERM');
  await second.ended;
  expect((await readOr(join(home.path, 'runs'))).trim().split('\n')).toHaveLength(crash.runs);
  expect(server.invalid).toEqual([]);
});

test('kill -9 while a payload is awaited, and before the end is acknowledged: nothing is lost, nothing is done twice', async () => {
  await using server = await startOrderServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const { payload = '', ...order } = configOrder([{ key: 'a', value: '1' }]);
  const answer = server.answer;
  let asked = 0;
  server.answer = () => void (asked += 1);
  server.orders.push(order);
  const args = ['--on-config', 'echo run >> "$HOME/runs"'];
  {
    await using agent = startAgent(home, args);
    await server.until(() => asked === 1);
    expect(agent.text()).toContain('Connected');
  }
  server.answer = answer;
  server.payloads.set(order.digest, payload);
  server.acknowledgesReports = false;
  {
    await using agent = startAgent(home, args);
    await server.endOf(order);
    expect(agent.text()).toContain('Connected');
  }
  server.acknowledgesReports = true;
  server.reports = [];
  await using agent = startAgent(home, args);
  await server.until(() => server.links.length === 3 && server.links[2]?.frames[0]);
  expect(server.links[2]?.frames[0]).toMatchObject({
    holding: [{ order_id: order.order_id, status: 'applied', digest: order.digest }],
  });
  expect(await readOr(join(home.path, 'runs'))).toBe('run\n');
  agent.kill('SIGTERM');
  await agent.ended;
});

test('kill -9 at any moment: every order comes to one end, and what is on disk is what was told', async () => {
  await using server = await startOrderServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const script = `#!/bin/sh\necho $SVC_ORDER_ID >> ${home.path}/runs\n`;
  await putArtifact(home, script);
  for (const content of ['one', 'two', 'three']) await putArtifact(home, content);
  const orders: Order[] = [];
  const namespaces = ['a', 'b', 'c', 'd', 'e', 'f'];
  const give = (round: number) => {
    const contents = ['one', 'two', 'three'];
    const made = [
      configOrder(namespaces.map((namespace) => ({ namespace, key: 'round', value: String(round) }))),
      releaseOrder('script', script),
      releaseOrder('file', contents[round % 3] ?? ''),
    ];
    orders.push(...made);
    server.orders.push(...made);
  };
  for (let round = 0; round < 10; round += 1) {
    if (server.orders.length < 3) give(round);
    const links = server.links.length;
    await using agent = startAgent(home);
    await server.until(() => server.links.length > links && server.links.at(-1)?.frames.length);
    const begun = performance.now();
    // A spread of moments over what the orders take.
    await server.until(() => performance.now() - begun > (round * 37) % 160, 5_000);
    expect(agent.text()).not.toContain('Error');
  }
  await using agent = startAgent(home);
  let last: Order | undefined;
  for (const order of orders) {
    const end = await server.endOf(order);
    // A script that was cut, or a step that was cut three times.
    if (end.reason !== 'interrupted') expect(end).toMatchObject({ status: 'applied' });
    if (end.status === 'applied' && order.lane === 'config') last = order;
    const ends = server.statusesOf(order).filter((status) => ['applied', 'failed', 'rolled_back'].includes(status));
    expect(new Set(ends).size).toBe(1);
  }
  const runs = (await readOr(join(home.path, 'runs'))).trim().split('\n');
  expect(new Set(runs).size).toBe(runs.length);
  // Each of them sets the same keys; before the first one there is no file.
  const { config } = JSON.parse((last ?? orders[0])?.payload ?? '') as {
    config: { namespace: string; value: number }[];
  };
  for (const { namespace, value } of config)
    expect(await readOr(configOf(home, namespace))).toBe(last ? `{\n  "round": ${value}\n}\n` : '');
  const left = async () => (await readdir(join(stateOf(home), 'orders'))).filter((name) => name.endsWith('.d'));
  await expect.poll(left).toEqual([]);
  agent.kill('SIGTERM');
  await agent.ended;
  expect(server.invalid).toEqual([]);
});

test('an agent that is stopped in the middle of a download goes on with it', async () => {
  await using server = await startOrderServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const content = 'a map of the hall';
  const order = releaseOrder('file', content);
  let asked = 0;
  server.answer = (request, response) => {
    asked += 1;
    const first = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(first > 0 ? 206 : 200, {
      'Content-Range': `bytes ${first}-${content.length - 1}/${content.length}`,
      'Content-Length': content.length - first,
    });
    // The first one gets a part and no end.
    if (asked === 1) response.write(content.slice(0, 5));
    else response.end(content.slice(first));
  };
  server.orders.push(order);
  await using first = startAgent(home);
  await server.until(() => asked === 1);
  first.kill('SIGTERM');
  expect((await first.ended).code).toBe(0);
  expect(server.statusesOf(order)).not.toContain('failed');
  await using second = startAgent(home);
  expect(await server.endOf(order)).toMatchObject({ status: 'applied', digest: sha256(content) });
  second.kill('SIGTERM');
  await second.ended;
});

test('a folder where nothing can be written leaves the robot online, without orders', async () => {
  await using server = await startOrderServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await mkdir(stateOf(home), { recursive: true, mode: 0o700 });
  await writeFile(join(stateOf(home), 'orders'), '');
  const order = configOrder([{ key: 'a', value: '1' }]);
  server.orders.push(order);
  {
    await using agent = startAgent(home);
    await agent.sees('Connected');
    await server.until(() => server.links[0]?.frames[0]);
    expect(server.links[0]?.frames[0]).toMatchObject({ capabilities: { logs: true, orders: false } });
    await server.until(() => server.messages('agent').some((line) => line.startsWith('orders are not accepted')));
  }
  await rm(join(stateOf(home), 'orders'));
  await using agent = startAgent(home);
  expect(await server.endOf(order)).toMatchObject({ status: 'applied' });
  agent.kill('SIGTERM');
  await agent.ended;
});
