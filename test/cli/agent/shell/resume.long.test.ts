import { createHash, randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startCutter } from '../../../support/cutting-proxy.ts';
import { factories } from '../../../support/factories.ts';
import { resumingViewer } from './resuming-viewer.ts';
import { startShellRobot } from '../../../support/shell-robot.ts';
import { startShell, type ShellViewer } from '../../../support/shell-viewer.ts';
import { bytesWritten, isRunning } from '../../../support/processes.ts';
import { until } from '../../../support/until.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

/** A hundred in `npm run test:long`. */
const cuts = process.env['FAULT_ROUNDS'] === undefined ? 12 : 100;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const pidOf = (viewer: ShellViewer) => Number(/pid (\d+)\s/.exec(viewer.text())?.[1]);

test.each([
  ['in a terminal', { tty: true, command: ['sh', '-c', 'stty raw -echo; printf R; exec cat'] }],
  ['on pipes', { tty: false, command: ['sh', '-c', 'printf R; exec cat'] }],
])(
  'through cuts at random bytes on both sides, input and output %s are byte for byte what they were',
  async (_, start) => {
    await using world = await startIsolatedWorld();
    await using near = await startCutter(world.url, () => true);
    await using far = await startCutter(world.url, (head) => head.includes('/agent/streams/'));
    await using robot = await startShellRobot(world, { backendUrl: far.url });
    const before = () => near.cuts + far.cuts;
    // The handshake takes half a KiB of it.
    for (const cutter of [near, far]) cutter.after = () => (before() < cuts ? randomInt(300, 60_000) : undefined);
    using viewer = resumingViewer(near.url, robot.id, world.orgToken, start);
    // A terminal would change what comes before it is told not to.
    await until(() => viewer.output().length > 0);
    const typed: Buffer[] = [];
    while (before() < cuts) {
      const bytes = randomBytes(randomInt(1, 9_000));
      typed.push(bytes);
      await Promise.race([viewer.type(bytes), viewer.exit]);
    }
    const input = Buffer.concat(typed);
    await until(() => viewer.output().length > input.length);
    if (!start.tty) {
      viewer.eof();
      expect(await viewer.exit).toEqual({ type: 'exit', code: 0 });
    } else await robot.stop();
    const output = viewer.output().subarray(1);
    expect(output.length).toBe(input.length);
    expect(sha256(output)).toBe(sha256(input));
    expect(viewer.resumed).toBeGreaterThan(cuts / 4);
    await viewer.exit.catch(() => undefined);
  },
);

test.each([true, false])(
  'a program that prints more than it reads does not come to a halt (terminal: %s)',
  async (tty) => {
    await using world = await startIsolatedWorld();
    await using robot = await startShellRobot(world);
    const script = `${tty ? 'stty raw -echo; ' : ''}printf R; head -c 400000 | od -An -v -tx1 -w1`;
    using viewer = resumingViewer(world.url, robot.id, world.orgToken, { tty, command: ['sh', '-c', script] });
    await until(() => viewer.output().length > 0);
    const input = randomBytes(400_000);
    for (let at = 0; at < input.length; at += 30_000) await viewer.type(input.subarray(at, at + 30_000));
    viewer.eof();
    expect(await viewer.exit).toEqual({ type: 'exit', code: 0 });
    expect(viewer.output().toString()).toBe(`R${input.toString('hex').replaceAll(/../g, ' $&\n')}`);
  },
);

test('a shell waits for its viewer, who gets what it printed meanwhile, and a second connection takes its place', async () => {
  await using world = await startIsolatedWorld();
  await using near = await startCutter(world.url, () => true);
  await using robot = await startShellRobot(world);
  const command = ['sh', '-c', 'echo pid $$; read line; echo "$line"; seq 300000; sleep 1000'];
  using viewer = await startShell(near.url, robot.id, world.orgToken, { command });
  const { resume_token: token } = await viewer.next('ready');
  await viewer.sees(/pid \d+\r\n/);
  const pid = pidOf(viewer);
  viewer.type('go\n');
  await viewer.sees(/go\r\ngo\r\n/);
  near.cutAll();
  await viewer.closed;
  const received = viewer.output().length;
  using second = await startShell(world.url, robot.id, world.orgToken, { resume: { token, received } });
  expect(await second.next('ready')).toMatchObject({ resume_token: token, received: 3 });
  await until(() => {
    second.send({ type: 'ack', bytes: received + second.output().length });
    return second.text().includes('300000');
  });
  const whole = Buffer.concat([viewer.output(), second.output()]).toString();
  expect(whole.slice(whole.indexOf('go\r\ngo'))).toBe(
    `go\r\ngo\r\n${Array.from({ length: 300_000 }, (_, n) => `${n + 1}\r\n`).join('')}`,
  );
  const all = whole.length;
  using third = await startShell(world.url, robot.id, world.orgToken, { resume: { token, received: all } });
  await third.next('ready');
  expect(await second.closed).toMatchObject({ code: 4409 });
  expect(third.output().length).toBe(0);
  third.send({ type: 'signal', name: 'KILL' });
  await third.next('exit');
  await until(() => !isRunning(pid));
});

test('nobody else goes on with a shell, and nobody with another token of it or after its time', async () => {
  await using world = await startIsolatedWorld();
  await using near = await startCutter(world.url, () => true);
  await using robot = await startShellRobot(world, { limits: { graceMs: 1_000 } });
  const [own, others] = [await factories(world).userToken('operator', 'a@x.example'), world.orgToken];
  using viewer = await startShell(near.url, robot.id, own, { command: ['sh', '-c', 'echo pid $$; sleep 1000'] });
  const { resume_token: token, grace_seconds: grace } = await viewer.next('ready');
  expect(grace).toBe(1);
  await viewer.sees(/pid \d+\r\n/);
  const pid = pidOf(viewer);
  for (const [who, resume] of [
    [others, { token, received: 0 }],
    [own, { token: '0'.repeat(32), received: 0 }],
    [own, { token: '', received: 0 }],
  ] as const) {
    using thief = await startShell(world.url, robot.id, who, { resume });
    expect(await thief.next('failed')).toMatchObject({ reason: 'gone' });
    expect(await thief.closed).toMatchObject({ code: 4410 });
  }
  using beyond = await startShell(world.url, robot.id, own, { resume: { token, received: 1_000_000 } });
  expect(await beyond.next('failed')).toMatchObject({ reason: 'invalid' });
  // The shell did not notice any of it.
  expect(viewer.socket.readyState).toBe(viewer.socket.OPEN);
  near.cutAll();
  await viewer.closed;
  expect(isRunning(pid)).toBe(true);
  await until(() => !isRunning(pid));
  using late = await startShell(world.url, robot.id, own, { resume: { token, received: 0 } });
  expect(await late.next('failed')).toMatchObject({ reason: 'gone' });
});

test('a shell that ended while its viewer was away gives the rest and the exit code to who comes back', async () => {
  await using world = await startIsolatedWorld();
  await using near = await startCutter(world.url, () => true);
  await using robot = await startShellRobot(world);
  const command = ['sh', '-c', 'echo pid $$; sleep 0.5; seq 1000; exit 9'];
  using viewer = await startShell(near.url, robot.id, world.orgToken, { command });
  const { resume_token: token } = await viewer.next('ready');
  await viewer.sees(/pid \d+\r\n/);
  const pid = pidOf(viewer);
  near.cutAll();
  await viewer.closed;
  await until(() => !isRunning(pid));
  // The connection may be lost just then, too.
  for (let times = 0; times < 2; times += 1) {
    const resume = { token, received: viewer.output().length };
    using again = await startShell(world.url, robot.id, world.orgToken, { resume });
    expect(await again.next('exit')).toEqual({ type: 'exit', code: 9 });
    expect(again.text()).toMatch(/^1\r\n2\r\n.*\n1000\r\n$/s);
  }
});

test('while nobody is there it keeps 1 MiB and the program waits', async () => {
  await using world = await startIsolatedWorld();
  await using near = await startCutter(world.url, () => true);
  await using robot = await startShellRobot(world);
  const command = ['sh', '-c', 'echo pid $$; read line; exec seq 250000'];
  using viewer = await startShell(near.url, robot.id, world.orgToken, { command });
  const { resume_token: token } = await viewer.next('ready');
  await viewer.sees(/pid \d+\r\n/);
  const pid = pidOf(viewer);
  const received = viewer.output().length;
  // Nothing is acknowledged, so that it comes to a halt with and without a connection.
  viewer.type('go\n');
  let written = -1;
  await until(async () => {
    const last = written;
    written = bytesWritten(pid);
    await sleep(200);
    return written === last && written > 700_000;
  });
  expect(written).toBeLessThan(1_300_000);
  expect(viewer.output().length).toBeLessThan(2 ** 20);
  near.cutAll();
  await viewer.closed;
  using again = await startShell(world.url, robot.id, world.orgToken, { resume: { token, received } });
  await until(() => {
    again.send({ type: 'ack', bytes: received + again.output().length });
    return again.frames.some(({ type }) => type === 'exit');
  });
  expect(again.text()).toBe(`go\r\n${Array.from({ length: 250_000 }, (_, n) => `${n + 1}\r\n`).join('')}`);
});

test('a viewer that acknowledges what was not sent to it yet is told that it breaks the contract, and the agent goes on', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  const command = ['head', '-c', '50000000', '/dev/zero'];
  using viewer = await startShell(world.url, robot.id, world.orgToken, { tty: false, command });
  await viewer.next('ready');
  // Until all buffers on the way are full, and for less time than a viewer may stop reading.
  viewer.socket.pause();
  const until = performance.now() + 3_000;
  for (let round = 0; round < 50 && performance.now() < until; round += 1) {
    for (let bytes = 0; bytes < 40_000_000; bytes += 32_768) viewer.send({ type: 'ack', bytes });
    await sleep(20);
  }
  viewer.socket.resume();
  expect(await viewer.closed).toMatchObject({ code: 1008 });
  using next = await startShell(world.url, robot.id, world.orgToken, { tty: false, command: ['true'] });
  expect(await next.next('exit')).toEqual({ type: 'exit', code: 0 });
});
