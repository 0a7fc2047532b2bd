import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClient, type ClientOptions, type SocketMaker } from '../../../cli/client/index.ts';
import { startCutter } from '../../support/cutting-proxy.ts';
import { dialBack, nextOpen, shellAgent } from '../../support/dial-back.ts';
import { logRobot } from '../../support/log-robot.ts';
import { robotsOf } from '../../support/robots.ts';
import { startShellRobot } from '../../support/shell-robot.ts';
import { record, watchRobot } from '../../support/watch.ts';
import { startWorld, type World } from '../../support/world.ts';

const streamsOf = (world: World, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: world.url, token: world.orgToken, WebSocket, ...options }).streams;

async function next<T>(stream: AsyncGenerator<T, void>): Promise<T> {
  const { value } = await stream.next();
  if (!value) throw new Error('the stream ended');
  return value;
}

const strange = ['{"type":"later","from":7}', '{"type":7}', '[]', 'null', '7', '""', '{', ''];

/** A socket on which a later service says more than is known today, before and after each frame. */
class LaterSocket extends WebSocket {
  constructor(...made: ConstructorParameters<SocketMaker>) {
    super(...made);
    let isStrange = false;
    const speak = () => {
      if (isStrange) return;
      isStrange = true;
      for (const text of strange) this.emit('message', Buffer.from(text), false);
      isStrange = false;
    };
    this.on('message', speak);
    this.on('open', () => queueMicrotask(() => this.on('message', speak)));
  }
}

test('frames that are not known are left out, and the place in the logs is kept over them', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  await using cutter = await startCutter(world.url, (head) => head.includes('/logs/ws'));
  using robot = await logRobot(world.url, token);
  await robot.say('one', 'two');
  const logs = streamsOf(world, { baseUrl: cutter.url, WebSocket: LaterSocket }).logs(id, { tail: 2 });
  expect([(await next(logs)).message, (await next(logs)).message]).toEqual(['one', 'two']);
  cutter.cutAll();
  await robot.say('three');
  expect((await next(logs)).message).toBe('three');
  await logs.return();
});

test('what a topic says in words that are not known is passed on, and what is no frame is left out', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const messages = streamsOf(world, { WebSocket: LaterSocket }).topic(robot.id, '/chatter');
  const first = next(messages);
  using topic = await robot.come();
  topic.socket.send(record(1));
  expect(await first).toEqual({ type: 'later', from: 7 });
  expect(await next(messages)).toMatchObject({ seq: 1 });
  await messages.return();
});

test('who asks for none of the stored logs in words misses none either that comes while the first connection is lost', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  await using cutter = await startCutter(world.url, (head) => head.includes('/logs/ws'));
  using robot = await logRobot(world.url, token);
  await robot.say('old');
  let opened = 0;
  class Counted extends WebSocket {
    constructor(...made: ConstructorParameters<SocketMaker>) {
      super(...made);
      this.once('open', () => (opened += 1));
    }
  }
  const stream = streamsOf(world, { baseUrl: cutter.url, WebSocket: Counted }).logs(id, { tail: 0 });
  const first = next(stream);
  await expect.poll(() => opened).toBe(1);
  cutter.cutAll();
  await robot.say('new');
  expect((await first).message).toBe('new');
  await stream.return();
});

test('a stream that is given up over a network that stands still ends all the same', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  await using cutter = await startCutter(world.url, (head) => head.includes('/logs/ws'));
  using robot = await logRobot(world.url, token);
  await robot.say('one');
  const sockets: WebSocket[] = [];
  class Kept extends WebSocket {
    constructor(...made: ConstructorParameters<SocketMaker>) {
      super(...made);
      sockets.push(this);
    }
  }
  const over = new AbortController();
  const options = { baseUrl: cutter.url, WebSocket: Kept, silentSeconds: Infinity };
  const stream = streamsOf(world, options).logs(id, { tail: 1, signal: over.signal });
  await next(stream);
  cutter.silenceAll();
  const waiting = stream.next();
  over.abort();
  expect(await waiting).toEqual({ value: undefined, done: true });
  await expect.poll(() => sockets.map(({ readyState }) => readyState)).toEqual([WebSocket.CLOSED]);
});

test('characters of two outputs that speak in between each other are whole, and half of one at the end is told', async () => {
  await using world = await startWorld();
  await using robot = await startShellRobot(world);
  let cameBytes = 0;
  class Counted extends WebSocket {
    constructor(...made: ConstructorParameters<SocketMaker>) {
      super(...made);
      // The first byte of each says which output it is of.
      this.on('message', (data: ArrayBuffer, isBinary) => (cameBytes += isBinary ? data.byteLength - 1 : 0));
    }
  }
  const parts = [String.raw`printf '\303'`, String.raw`printf 'e\303' >&2`, String.raw`printf '\251'`];
  const last = String.raw`printf '\250\342\202' >&2`;
  const shell = await streamsOf(world, { WebSocket: Counted }).openShell(robot.id, {
    command: ['sh', '-c', [...parts, last].join('; read go; ')],
  });
  for (const bytes of [1, 3, 4]) {
    await expect.poll(() => cameBytes).toBe(bytes);
    await shell.write('go\n');
  }
  let shown = '';
  for await (const text of shell.text()) shown += text;
  expect(shown).toBe('eéè\ufffd');
});

test('a raw shell that shows 64 MiB to nobody is ended', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  using agent = await shellAgent(world.url, token);
  const opening = streamsOf(world).shell(id);
  using robot = await dialBack(world.url, await nextOpen(agent));
  const shell = await opening;
  const piece = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent <= 1024; sent += 1)
    await new Promise<void>((resolve) => robot.socket.send(piece, () => resolve()));
  await expect(shell.ended).rejects.toMatchObject({ reason: 'unread' });
  let bytes = 0;
  await expect(
    (async () => {
      for await (const part of shell) bytes += part.length;
    })(),
  ).rejects.toMatchObject({ name: 'StreamError', reason: 'unread' });
  expect(bytes).toBe(64 * 1024 * 1024);
});
