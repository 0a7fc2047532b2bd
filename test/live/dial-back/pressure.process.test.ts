import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { nextOpen, openShell, openStream, shellAgent, shellOf, type Stream } from '../../support/dial-back.ts';
import { allFull, flood, heldBytes, mib, tellsHeldBytes, usedBytes } from '../../support/flood.ts';
import { robotsOf } from '../../support/robots.ts';
import { startServer } from '../../support/server-process.ts';
import { together } from '../../support/together.ts';
import { until, within } from '../../support/until.ts';
import { replicaBeside, startIsolatedWorld } from '../../support/world.ts';

/** Milliseconds of one keystroke there and back; the robot's end answers. */
async function echoMs({ viewer, robot }: { viewer: Stream; robot: Stream }, times: number): Promise<number[]> {
  robot.socket.on('message', (data: Buffer) => robot.socket.send(data));
  const each: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const startedAt = performance.now();
    const answer = new Promise((resolve) => viewer.socket.once('message', resolve));
    viewer.socket.send('x');
    await answer;
    each.push(performance.now() - startedAt);
  }
  return each.sort((a, b) => a - b);
}

/** A service as a process of its own, so that its memory is its own, with one robot. */
const served = () =>
  together(async (own) => {
    const world = own(await startIsolatedWorld());
    const robot = await robotsOf(world).enroll();
    const server = own(await startServer({ ...replicaBeside(world), ...tellsHeldBytes }));
    const agent = own(await shellAgent(server.url, robot.robot_token));
    const { robot_id: robotId } = robot;
    const { orgToken: token } = world;
    return { server, agent, robotId, token, shell: () => openShell(server.url, agent, robotId, token) };
  });

test('readers that stop, at either end, cost the service less than 1 MiB each, nobody else waits for them, and nothing is lost when they read again', async () => {
  await using service = await served();
  using busy = await service.shell();
  await echoMs(busy, 200); // warm
  const before = await heldBytes(service.server.url);
  const stopped: Awaited<ReturnType<typeof service.shell>>[] = [];
  const floods: ReturnType<typeof flood>[] = [];
  for (let count = 0; count < 8; count += 1) {
    const shell = await service.shell();
    stopped.push(shell);
    // Four viewers that do not read what their robots say, four robots that do not read what is pasted.
    const [reader, writer] = count % 2 === 0 ? [shell.viewer, shell.robot] : [shell.robot, shell.viewer];
    reader.socket.pause();
    floods.push(flood(writer.socket));
  }
  await allFull(floods);
  const times = await echoMs(busy, 200);
  await expect.poll(async () => (await heldBytes(service.server.url)) - before).toBeLessThan(8 * mib);
  expect(times[times.length / 2]).toBeLessThan(100); // one that waited for the others would never come back
  for (const each of floods) each.stop();
  for (const { viewer, robot } of stopped) {
    viewer.socket.resume();
    robot.socket.resume();
    viewer.socket.send('end');
    robot.socket.send('end');
  }
  await expect
    .poll(() => stopped.every(({ viewer, robot }) => viewer.frames.at(-1) === 'end' && robot.frames.at(-1) === 'end'))
    .toBe(true);
  const received = stopped.reduce((sum, { viewer, robot }) => sum + viewer.byteCount() + robot.byteCount(), 0);
  expect(received).toBe(floods.reduce((sum, each) => sum + each.taken(), 0));
  for (const each of stopped) each[Symbol.dispose]();
});

/** The kernel buffers up to 20 MB for each that stopped: where all tests run, a minute or more. */
const slowly = { timeout: 100_000, interval: 100 };

test('of forty viewers of a robot twenty stop: the others get everything meanwhile, and those twenty all of theirs when they read again', async () => {
  await using service = await served();
  const shells: Awaited<ReturnType<typeof service.shell>>[] = [];
  for (let count = 0; count < 40; count += 1) shells.push(await service.shell());
  const before = await heldBytes(service.server.url);
  const stopped = shells.slice(0, 20);
  const fast = shells.slice(20);
  for (const { viewer } of stopped) viewer.socket.pause();
  const floods = stopped.map(({ robot }) => flood(robot.socket));
  await allFull(floods);
  const said = randomBytes(mib);
  for (const { robot } of fast)
    for (let at = 0; at < mib; at += 32_768) robot.socket.send(said.subarray(at, at + 32_768));
  await expect.poll(() => fast.every(({ viewer }) => viewer.byteCount() === mib), slowly).toBe(true);
  expect(fast.every(({ viewer }) => viewer.bytes().equals(said))).toBe(true);
  await expect.poll(async () => (await heldBytes(service.server.url)) - before, slowly).toBeLessThan(20 * mib);
  expect(stopped.every(({ viewer }) => viewer.socket.readyState === viewer.socket.OPEN)).toBe(true);
  for (const each of floods) each.stop();
  for (const { viewer, robot } of stopped) {
    viewer.socket.resume();
    robot.socket.send('end');
  }
  await expect.poll(() => stopped.every(({ viewer }) => viewer.frames.at(-1) === 'end'), slowly).toBe(true);
  const received = stopped.map(({ viewer }) => viewer.byteCount());
  expect(received).toEqual(floods.map((each) => each.taken()));
  for (const each of shells) each[Symbol.dispose]();
});

test('frames without bytes cost the service no more than others, before and after the robot came, of either side', async () => {
  await using service = await served();
  const { server, agent } = service;
  const before = await usedBytes(server.url);
  // As they are on the wire: a binary frame, masked, of no bytes. ws would take a microsecond for each.
  const empty = Buffer.alloc(600_000, Buffer.from([0x82, 0x80, 0, 0, 0, 0]));
  const floodEmpty = async ({ socket }: Stream) => {
    const { _socket: below } = socket as unknown as { _socket: Socket };
    for (const endAt = performance.now() + 3_000; performance.now() < endAt && !below.destroyed;) {
      if (below.writableLength < mib) below.write(empty);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  using shell = await service.shell();
  shell.viewer.socket.pause();
  await floodEmpty(shell.robot);
  using viewer = await openStream(shellOf(server.url, service.robotId), { token: service.token });
  await nextOpen(agent);
  await floodEmpty(viewer);
  expect((await usedBytes(server.url)) - before).toBeLessThan(16 * mib);
});

test('the tail of a stream reaches a slow reader also when the robot left long before', async () => {
  await using service = await served();
  using shell = await service.shell();
  shell.viewer.socket.pause();
  const flooding = flood(shell.robot.socket);
  await until(() => shell.robot.socket.bufferedAmount > 0);
  flooding.stop();
  // It sends what it still has, and leaves.
  shell.robot.socket.send('the last words');
  shell.robot.socket.close(1000, 'exit 0');
  // It reads a piece, then nothing for a while, and so on.
  const slow = setInterval(() => {
    shell.viewer.socket.pause();
    setTimeout(() => shell.viewer.socket.resume(), 40);
  }, 50);
  const closed = await within(shell.viewer.closed, 25_000, () => 'it never ended');
  clearInterval(slow);
  expect(closed).toEqual({ code: 1000, reason: 'exit 0' });
  expect(shell.viewer.frames.at(-1)).toBe('the last words');
});

test('pings without end close a stream, of either side', async () => {
  await using world = await startIsolatedWorld({ viewerLimits: { pingEveryMs: 500, deadAfterMs: 5_000 } });
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(world.url, robot.robot_token);
  for (const end of ['viewer', 'robot'] as const) {
    using shell = await openShell(world.url, agent, robot.robot_id, world.orgToken);
    for (let count = 0; count < 50; count += 1) shell[end].socket.ping();
    expect((await shell[end].closed).code, end).toBe(1008);
    await shell.viewer.closed;
    await shell.robot.closed;
  }
});

test('an end of which nothing is heard is ended, and the other one told; a reader that is only slow is not', async () => {
  await using world = await startIsolatedWorld({ viewerLimits: { pingEveryMs: 200, deadAfterMs: 1_000 } });
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(world.url, robot.robot_token);
  const shell = () => openShell(world.url, agent, robot.robot_id, world.orgToken);
  using silent = await shell();
  silent.robot.socket.pause(); // so it answers no ping
  expect(await silent.viewer.closed).toEqual({ code: 4503, reason: 'the connection to the robot was lost' });
  using gone = await shell();
  gone.viewer.socket.pause();
  expect((await gone.robot.closed).code).toBe(1001);

  using slow = await shell();
  slow.viewer.socket.pause();
  const flooding = flood(slow.robot.socket);
  await until(() => slow.robot.socket.bufferedAmount > mib);
  flooding.stop();
  await new Promise((resolve) => setTimeout(resolve, 2_000)); // longer than a dead one would have
  expect([slow.viewer.socket.readyState, slow.robot.socket.readyState]).toEqual([1, 1]);
  slow.viewer.socket.resume();
  slow.robot.socket.send('end');
  await expect.poll(() => slow.viewer.frames.at(-1)).toBe('end');
});

test('a reader that needs longer for what it was sent than a dead one has to respond gets all of it', async () => {
  await using world = await startIsolatedWorld({ viewerLimits: { pingEveryMs: 200, deadAfterMs: 1_000 } });
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(world.url, robot.robot_token);
  using shell = await openShell(world.url, agent, robot.robot_id, world.orgToken);
  shell.viewer.socket.pause();
  // The kernel takes it: the service has nothing left to send, and its pings are behind it.
  for (let at = 0; at < mib; at += 65_536) shell.robot.socket.send(Buffer.alloc(65_536));
  shell.robot.socket.send('end');
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  shell.viewer.socket.resume();
  await expect.poll(() => shell.viewer.frames.at(-1)).toBe('end');
  expect(shell.viewer.byteCount()).toBe(mib);
  expect([shell.viewer.socket.readyState, shell.robot.socket.readyState]).toEqual([1, 1]);
});
