import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { openShell, shellAgent, type Stream } from '../support/dial-back.ts';
import { robotsOf } from '../support/robots.ts';
import { startServer } from '../support/server-process.ts';
import { until, within } from '../support/until.ts';
import { addressOf, startWorld } from '../support/world.ts';

const mib = 2 ** 20;

/** What the service holds outside of its heap, where bytes on their way are; less once it has thrown away what is over. */
async function heldBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_external_memory_bytes (\S+)/m.exec(text)?.[1]);
}

/** Sends as much as the other side takes, until it is stopped; gives how many bytes the kernel took. */
function flood(socket: WebSocket): { taken(): number; stop(): void } {
  const piece = randomBytes(65_536);
  let sent = 0;
  const timer = setInterval(() => {
    while (socket.readyState === socket.OPEN && socket.bufferedAmount < 2 * mib) {
      socket.send(piece);
      sent += piece.length;
    }
  }, 1);
  return { taken: () => sent - socket.bufferedAmount, stop: () => clearInterval(timer) };
}

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
async function served() {
  const world = await startWorld();
  const robot = await robotsOf(world).enroll();
  const server = await startServer({ DATABASE_URL: addressOf(world), RATE_LIMIT: 'off' });
  const agent = await shellAgent(server.url, robot.robot_token);
  return {
    server,
    agent,
    shell: () => openShell(server.url, agent, robot.robot_id, world.orgToken),
    async [Symbol.asyncDispose]() {
      agent.socket.terminate();
      await server[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

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
  // Until nothing goes on any more: all buffers on the way are full.
  let taken = -1;
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const now = floods.reduce((sum, each) => sum + each.taken(), 0);
    const isStill = now === taken;
    taken = now;
    return isStill;
  });
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
  const received = stopped.reduce((sum, { viewer, robot }) => sum + viewer.bytes().length + robot.bytes().length, 0);
  expect(received).toBe(floods.reduce((sum, each) => sum + each.taken(), 0));
  for (const each of stopped) each[Symbol.dispose]();
}, 60_000);

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
}, 40_000);

test('pings without end close a stream, of either side', async () => {
  await using world = await startWorld({ viewerLimits: { pingEveryMs: 500, deadAfterMs: 5_000 } });
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
  await using world = await startWorld({ viewerLimits: { pingEveryMs: 200, deadAfterMs: 1_000 } });
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
