import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { RunningAgent } from '../../../support/agent-process.ts';
import { startAgent, beRobot } from '../../../support/agent-process.ts';
import { startAgentServer } from '../../../support/agent-server.ts';
import { listen, startHome, type Home } from '../../../support/cli.ts';
import { startCutter } from '../../../support/cutting-proxy.ts';
import { factories } from '../../../support/factories.ts';
import { isRunning } from '../../../support/processes.ts';
import { robotsOf } from '../../../support/robots.ts';
import { startShellRobot } from '../../../support/shell-robot.ts';
import { openShell, startShell } from '../../../support/shell-viewer.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { together } from '../../../support/together.ts';
import { testWith } from '../../../support/tools.ts';
import { until } from '../../../support/until.ts';
import { startIsolatedWorld, type World } from '../../../support/world.ts';

/** `cli agent run` as a robot of the world, once it is connected. */
async function enrolled(
  world: World,
  home: Home,
  ...args: string[]
): Promise<{ agent: RunningAgent; id: string } & AsyncDisposable> {
  const { value: key } = (await factories(world).key()) as { value: string };
  const agent = startAgent(home, ['--backend-url', world.url, '--enrollment-key', key, ...args]);
  await agent.sees('Connected to');
  const end = () => agent[Symbol.asyncDispose]();
  return { agent, [Symbol.asyncDispose]: end, id: /\t([0-9a-f-]{36})\n/.exec(agent.text())?.[1] ?? '' };
}

const closeOf = async (world: World, id: string, protocol?: 'fleet.shell.v1') => {
  using viewer = await openShell(world.url, id, { token: world.orgToken, ...(protocol && { protocol }) });
  return await viewer.closed;
};

test('shells are off unless they are allowed, and other kinds of streams are not known', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const asked = { type: 'open', session_id: 's-1', path: '/agent/streams/s-1', secret: 'x' } as const;
  const soon = new Date(Date.now() + 10_000).toISOString();
  for (const [args, kind, reason, has] of [
    [[], 'shell', 'forbidden', false],
    [['--allow-shell'], 'hologram', 'unsupported', true],
    [['--allow-shell'], 'shell', 'failed', true],
  ] as const) {
    server.links.length = 0;
    server.refuse = ({ url }) => (url?.startsWith('/agent/streams') ? { status: 401 } : undefined);
    await using agent = startAgent(home, args);
    const link = await server.until(() => server.links[0]);
    await server.until(() => link.frames.some(({ type }) => type === 'heartbeat'));
    expect(link.frames[0]).toMatchObject({ type: 'hello', capabilities: { shell: has } });
    link.send({ ...asked, kind, expires_at: soon });
    const refused = await server.until(() => link.frames.find(({ type }) => type === 'refused'));
    expect(refused).toMatchObject({ session_id: 's-1', reason });
    if (reason === 'forbidden') expect(refused).toMatchObject({ message: 'shells are off on this robot' });
    agent.kill('SIGTERM');
    await agent.ended;
  }
  expect(server.invalid).toEqual([]);
  for (const [args, sentence] of [
    [['--shell-user', 'nobody'], 'requires --allow-shell'],
    [['--allow-shell', '--shell-user', 'no-such-user'], 'user "no-such-user" not found on this machine'],
  ] as const) {
    const ended = await home.cli(['agent', 'run', ...args]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(sentence);
  }
});

test('heartbeats of an agent report how many live streams are open', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  server.heartbeatSeconds = 1;
  const sockets: WebSocket[] = [];
  server.onStream = (socket) => void sockets.push(socket);
  await using agent = startAgent(home, ['--allow-shell']);
  await agent.sees('Connected to');
  const link = await server.until(() => server.links[0]);
  const heartbeat = (streams: number) =>
    server.until(() => {
      const last = link.frames.findLast(({ type }) => type === 'heartbeat');
      return last?.type === 'heartbeat' && last.streams === streams;
    });
  await heartbeat(0);
  const expires_at = new Date(Date.now() + 10_000).toISOString();
  link.send({ type: 'open', session_id: 's-1', kind: 'shell', path: '/agent/streams/s-1', secret: 'x', expires_at });
  await heartbeat(1);
  sockets[0]?.close(1000);
  await heartbeat(0);
  expect(server.invalid).toEqual([]);
});

test('an agent that is stopped ends its shells in order, and its log tells of them without a word of what was typed', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  await using robot = await enrolled(world, home, '--allow-shell');
  const { agent, id } = robot;
  using raw = await openShell(world.url, id, { token: world.orgToken });
  using v1 = await startShell(world.url, id, world.orgToken, { command: ['sh', '-c', 'echo pid $$; sleep 1000'] });
  raw.type('echo pid $$ se\\cret\n');
  await raw.sees(/pid \d+ secret/);
  await v1.sees(/pid \d+/);
  const pids = [raw, v1].map((viewer) => Number(/pid (\d+)/.exec(viewer.text())?.[1]));
  using short = await startShell(world.url, id, world.orgToken, { command: ['true'] });
  await short.next('exit');
  agent.kill('SIGTERM');
  expect(await raw.closed).toMatchObject({ code: 1012, reason: 'the agent was stopped' });
  expect(await v1.next('failed')).toMatchObject({ reason: 'gone' });
  expect(await v1.closed).toMatchObject({ code: 4410 });
  expect((await agent.ended).code).toBe(0);
  expect(pids.filter(isRunning)).toEqual([]);
  // Its last words are on the disk; the next run sends them.
  await using next = startAgent(home);
  await next.sees('Connected to');
  const said = async () =>
    ((await world.call('GET', `/api/robots/${id}/logs?source=agent&limit=1000`)).body.items as { message: string }[])
      .map(({ message }) => message)
      .filter((message) => message.includes('shell'));
  await until(async () => (await said()).length === 6);
  const lines = await said();
  const [opened, ended] = [
    /^a shell was opened: [0-9a-f-]{36}, by token:.+, as root$/,
    /^the shell [0-9a-f-]{36} of token:.+ ended after \d+\.\d s$/,
  ];
  expect(lines.filter((line) => opened.test(line))).toHaveLength(3);
  expect(lines.filter((line) => ended.test(line))).toHaveLength(3);
  for (const text of [lines.join(), agent.text(), world.lines.join()]) {
    expect(text).not.toContain('secret');
    expect(text).not.toContain('sleep 1000');
  }
});

test('it dials back through the proxy of its link, with the secret of the session and never its token', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll();
  const heads: string[] = [];
  await using front = await startCutter(world.url, (head) => heads.push(head) < 0);
  await using proxy = await listen((_, response) => response.end(), Number(new URL(front.url).port));
  await beRobot(home, 'http://fleet.test');
  const path = join(home.config, 'agent.toml');
  await writeFile(path, (await readFile(path, 'utf8')).replace('svc_robot_test', token));
  await using agent = startAgent(home, ['--allow-shell'], { HTTP_PROXY: proxy.url });
  await agent.sees('Connected to');
  using viewer = await startShell(world.url, id, world.orgToken, { command: ['true'] });
  expect(await viewer.next('exit')).toEqual({ type: 'exit', code: 0 });
  expect(proxy.requests).toEqual(['CONNECT fleet.test:80', 'CONNECT fleet.test:80']);
  const [link, stream] = heads;
  expect(link).toContain(`Authorization: Bearer ${token}`);
  expect(stream).toMatch(/^GET \/agent\/streams\/[0-9a-f-]{36}\/[0-9a-f-]{36} HTTP/);
  expect(stream).toMatch(/Authorization: Bearer [0-9a-f]{64}\r\n/);
  expect(stream).not.toContain(token);
});

test('four shells are open at most; one that waits for its viewer counts, and going on with it does not', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  const viewers = await Promise.all([1, 2, 3].map(() => openShell(world.url, robot.id, { token: world.orgToken })));
  using fourth = await startShell(world.url, robot.id, world.orgToken, { command: ['sleep', '1000'] });
  const { resume_token: token } = await fourth.next('ready');
  fourth.socket.close(4000);
  await fourth.closed;
  for (const viewer of viewers) await viewer.sees(/./);
  expect(await closeOf(world, robot.id)).toMatchObject({ code: 4429 });
  using fifth = await startShell(world.url, robot.id, world.orgToken);
  expect(await fifth.next('failed')).toMatchObject({ reason: 'busy' });
  expect(await fifth.closed).toMatchObject({ code: 4429 });
  using resumed = await startShell(world.url, robot.id, world.orgToken, { resume: { token, received: 0 } });
  await resumed.next('ready');
  resumed.socket.close(1000);
  await until(async () => {
    using viewer = await openShell(world.url, robot.id, { token: world.orgToken });
    return await Promise.race([viewer.sees(/./).then(() => true), viewer.closed.then(() => false)]);
  });
  for (const viewer of viewers) viewer.socket.terminate();
});

test('a shell that was forgotten is ended, and says so', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world, { limits: { idleMs: 2_500 } });
  using raw = await openShell(world.url, robot.id, { token: world.orgToken });
  using v1 = await startShell(world.url, robot.id, world.orgToken, { command: ['sleep', '1000'] });
  using output = await startShell(world.url, robot.id, world.orgToken, {
    command: ['sh', '-c', 'for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.4; done; exit 4'],
  });
  expect(await raw.closed).toMatchObject({ code: 1000, reason: expect.stringContaining('idle') });
  expect(await v1.next('failed')).toMatchObject({ reason: 'idle' });
  expect(await output.next('exit')).toEqual({ type: 'exit', code: 4 });
});

/** The agent as one file in an empty folder: nothing native is beside it. */
const startAlone = (world: World, ...more: string[]) =>
  together(async (own) => {
    const home = own(await startHome());
    const folder = own(await tempDir());
    const program = join(folder.path, 'agent.mjs');
    await copyFile(new URL('../../../../dist/agent.mjs', import.meta.url), program);
    const { value: key } = (await factories(world).key()) as { value: string };
    const args = ['run', '--backend-url', world.url, '--enrollment-key', key, '--allow-shell', ...more];
    const agent = home.start(args, { program });
    own({
      async [Symbol.asyncDispose]() {
        agent.kill('SIGKILL');
        await agent.ended;
      },
    });
    await agent.sees('Connected to');
    return { id: /\t([0-9a-f-]{36})\n/.exec(agent.text())?.[1] ?? '' };
  });

testWith('script')('the agent alone, without the native part, opens shells by script', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startAlone(world);
  using viewer = await startShell(world.url, robot.id, world.orgToken, { cols: 111, rows: 22 });
  await viewer.next('ready');
  viewer.type('cat /proc/$PPID/comm; stty size; echo $TERM $SHELL\n');
  await viewer.sees(/script\r\n22 111\r\nxterm-256color \/bin\/\w+/);
  viewer.send({ type: 'resize', cols: 90, rows: 30 });
  viewer.type('until [ "$(stty size)" = "30 90" ]; do sleep 0.05; done; echo resi\\zed\n');
  await viewer.sees('resized');
  viewer.type('sh -c \'trap "echo got\\$((1+1))" INT; echo wai\\ting; while :; do sleep 0.05; done\'\n');
  await viewer.sees('waiting');
  viewer.send({ type: 'signal', name: 'INT' });
  await viewer.sees('got2');
  viewer.type('\u001c');
  const bytes = "stty raw -echo; printf re\\ady; head -c 4 | od -An -tx1; printf '\\377\\376\\000\\200'; exit 3";
  viewer.type(`exec sh -c "${bytes}"\n`);
  await viewer.sees(/ready$/);
  viewer.type(Buffer.from([0xff, 0xfe, 0x00, 0x80]));
  expect(await viewer.next('exit')).toEqual({ type: 'exit', code: 3 });
  expect(viewer.output().subarray(-4)).toEqual(Buffer.from([0xff, 0xfe, 0x00, 0x80]));
  expect(viewer.text()).toContain(' ff fe 00 80\n');
  using left = await startShell(world.url, robot.id, world.orgToken, {
    command: ['sh', '-c', 'echo pid $$; sleep 1000'],
  });
  await left.sees(/pid \d+/);
  const pid = Number(/pid (\d+)/.exec(left.text())?.[1]);
  left.socket.close(1000);
  await until(() => !isRunning(pid));
});

testWith('script', 'root')(
  'a shell by script is that of its user too, with his terminal, and hears Ctrl-C',
  async () => {
    await using world = await startIsolatedWorld();
    await using robot = await startAlone(world, '--shell-user', 'daemon');
    const script = 'id -un; echo o\\pened >"$(tty)"; cat /proc/$PPID/comm; cat; echo after';
    using viewer = await startShell(world.url, robot.id, world.orgToken, { command: ['sh', '-c', script] });
    await viewer.sees(/daemon\r\nopened\r\n/);
    await viewer.sees('script');
    // Dash loses a Ctrl-C that comes between two of its programs.
    viewer.type('again\n');
    await viewer.sees(/again\r\nagain\r\n/);
    viewer.type('\u0003');
    expect(await viewer.next('exit')).toEqual({ type: 'exit', code: 130 });
    expect(viewer.text()).not.toContain('after');
  },
);
