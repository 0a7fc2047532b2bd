import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createClient, type ClientOptions } from '../../../cli/client/index.ts';
import { startCutter } from '../../support/cutting-proxy.ts';
import { dialBack, nextOpen, shellAgent } from '../../support/dial-back.ts';
import { logRobot } from '../../support/log-robot.ts';
import { openedByPlatform, PlatformSocket } from './platform-socket.ts';
import { robotsOf } from '../../support/robots.ts';
import { factories } from '../../support/factories.ts';
import { personWith } from '../../support/person.ts';
import { startShellRobot } from '../../support/shell-robot.ts';
import { picture, record, textOf, watchRobot } from '../../support/watch.ts';
import { startWorld, type World } from '../../support/world.ts';

const streamsOf = (world: World, options: Partial<ClientOptions>) =>
  createClient({ baseUrl: world.url, token: world.orgToken, WebSocket, ...options }).streams;

async function next<T>(stream: AsyncGenerator<T, void>): Promise<T> {
  const { value } = await stream.next();
  if (!value) throw new Error('the stream ended');
  return value;
}

/** A client of a platform that has sockets of its own. */
function platformStreams(world: World, options: Partial<ClientOptions>) {
  vi.stubGlobal('WebSocket', PlatformSocket);
  openedByPlatform.length = 0;
  return createClient({ baseUrl: world.url, token: world.orgToken, ...options }).streams;
}

afterEach(() => vi.unstubAllGlobals());

test('logs over a network that falls silent go on from their place, once it is noticed', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  await using cutter = await startCutter(world.url, (head) => head.includes('/logs/ws'));
  using robot = await logRobot(world.url, token);
  await robot.say('one');
  const stream = streamsOf(world, { baseUrl: cutter.url, silentSeconds: 0.6 }).logs(id, { tail: 1 });
  expect((await next(stream)).message).toBe('one');
  cutter.silenceAll();
  await robot.say('two', 'three');
  expect([(await next(stream)).message, (await next(stream)).message]).toEqual(['two', 'three']);
  await stream.return();
});

const openedOf = (part: string) => openedByPlatform.filter((url) => url.includes(part)).length;

test('where no ping is seen quiet logs are opened anew, and a topic on which little comes is left alone', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const streams = platformStreams(world, { silentSeconds: 0.3 });
  const rare = streams.topic(robot.id, '/e_stop');
  const stop = next(rare);
  using topic = await robot.come();
  topic.socket.send(record(1));
  await stop;
  const over = new AbortController();
  const logs = streams.logs(robot.id, { signal: over.signal }).next();
  await expect.poll(() => openedOf('/logs/')).toBeGreaterThan(3);
  expect(openedOf('/ros/')).toBe(1);
  over.abort();
  await logs;
  topic.socket.send(record(2));
  expect(await next(rare)).toMatchObject({ seq: 2 });
  await rare.return();
});

test('where no ping is seen a topic whose rhythm stops is asked for anew, and then left alone until it has one again', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  await using cutter = await startCutter(world.url, (head) => head.includes('/ros/'));
  const streams = platformStreams(world, { baseUrl: cutter.url, silentSeconds: 0.6 });
  const messages = streams.topic(robot.id, '/odom');
  const first = next(messages);
  using topic = await robot.come();
  topic.socket.send(record(1));
  await first;
  for (const seq of [2, 3, 4]) topic.socket.send(record(seq));
  for (const seq of [2, 3, 4]) expect(await next(messages)).toMatchObject({ seq });
  cutter.silenceAll();
  await expect.poll(() => openedOf('/ros/')).toBe(2);
  // The new connection begins with the last message, and one is no rhythm: logs are opened anew again and again in the time in which this is not.
  const over = new AbortController();
  const logs = streams.logs(robot.id, { signal: over.signal }).next();
  await expect.poll(() => openedOf('/logs/')).toBeGreaterThan(3);
  expect(openedOf('/ros/')).toBe(2);
  over.abort();
  await logs;
  topic.socket.send(record(5));
  expect(await next(messages)).toMatchObject({ seq: 5 });
  await messages.return();
});

test('an agent that breaks the protocol of shells costs a page its shell, by a code that a page may close with', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  using agent = await shellAgent(world.url, token);
  const opening = platformStreams(world, {}).openShell(id);
  using robot = await dialBack(world.url, await nextOpen(agent));
  await expect.poll(() => robot.frames.length).toBe(1);
  const ready = { type: 'ready', resume_token: 'abcdefghijklmnop', received: 0, grace_seconds: 60 };
  robot.socket.send(JSON.stringify(ready));
  const shell = await opening;
  robot.socket.send('{"type":"ack","bytes":-1}');
  await expect(shell.ended).rejects.toMatchObject({ name: 'StreamError', reason: 'broken' });
  await robot.closed;
});

test('a camera whose network falls silent is asked for anew', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  await using cutter = await startCutter(world.url, (head) => head.includes('/camera/'));
  const pictures = streamsOf(world, { baseUrl: cutter.url, silentSeconds: 0.6 }).camera(robot.id, { camera: 'front' });
  const first = next(pictures);
  using camera = await robot.come();
  camera.socket.send(picture('one'));
  expect(textOf(Buffer.from(await first))).toBe('one');
  cutter.silenceAll();
  const second = next(pictures);
  using again = await robot.come();
  again.socket.send(picture('two'));
  expect(textOf(Buffer.from(await second))).toBe('two');
  await pictures.return();
});

test('a quiet shell of a platform is left alone: only what was typed and is not answered tells of silence', async () => {
  await using world = await startWorld();
  await using cutter = await startCutter(world.url, (head) => head.includes('/shell/ws'));
  await using robot = await startShellRobot(world);
  const streams = platformStreams(world, { baseUrl: cutter.url, silentSeconds: 0.3 });
  const shell = await streams.openShell(robot.id, {
    command: ['sh', '-c', 'sleep 2; read one; echo "got $one"; read two; echo "got $two"'],
  });
  await shell.write('one\n');
  const shown = shell.text();
  expect(await next(shown)).toBe('got one\n');
  expect(openedByPlatform).toHaveLength(1);
  cutter.silenceAll();
  await shell.write('two\n');
  expect(await next(shown)).toBe('got two\n');
  expect(await shell.ended).toEqual({ code: 0 });
});

test('a token that is good in several orgs opens streams by tickets in the one that was chosen', async () => {
  await using world = await startWorld();
  const other = await factories(world).org('Acme');
  const { value } = await personWith(world, [
    { orgId: world.orgId, token: world.orgToken, role: 'operator' },
    { orgId: other.id, token: other.token, role: 'viewer' },
  ]);
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  using robot = await logRobot(world.url, token);
  await robot.say('one');
  const options = { baseUrl: world.url, token: value };
  const stream = platformStreams(world, { ...options, orgId: world.orgId }).logs(id, { tail: 1 });
  expect((await next(stream)).message).toBe('one');
  await stream.return();
  await expect(next(platformStreams(world, options).logs(id))).rejects.toMatchObject({ status: 400 });
  const elsewhere = platformStreams(world, { ...options, orgId: other.id }).logs(id);
  await expect(next(elsewhere)).rejects.toMatchObject({ status: 404 });
});

test('a way to the service on which nothing answers is an error in time', async () => {
  await using world = await startWorld();
  const { robot_id: id } = await robotsOf(world).enroll('amr-1');
  await using cutter = await startCutter(world.url, (head) => head.includes('/logs/ws'));
  cutter.after = () => -1;
  const stream = streamsOf(world, { baseUrl: cutter.url, silentSeconds: 0.3 }).logs(id, { tail: 1 });
  await expect(next(stream)).rejects.toMatchObject({ reason: 'unopened', code: 1006 });
});
