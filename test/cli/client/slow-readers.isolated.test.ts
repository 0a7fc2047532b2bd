import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClient, type SocketMaker } from '../../../cli/client/index.ts';
import { logRobot } from '../../support/log-robot.ts';
import { robotsOf } from '../../support/robots.ts';
import { picture, record, textOf, watchRobot } from '../../support/watch.ts';
import { startWorld, type World } from '../../support/world.ts';

/** A client, and what its sockets do. */
function watchedClient(world: World) {
  const sockets: WebSocket[] = [];
  const seen = { newest: undefined as Buffer | undefined, count: 0 };
  class Watched extends WebSocket {
    constructor(...made: ConstructorParameters<SocketMaker>) {
      super(...made);
      sockets.push(this);
      this.on('message', (data: ArrayBuffer | Buffer) => {
        seen.newest = data instanceof ArrayBuffer ? Buffer.from(data) : data;
        seen.count += 1;
      });
    }
  }
  const { streams } = createClient({ baseUrl: world.url, token: world.orgToken, WebSocket: Watched });
  return { streams, sockets, seen };
}

async function next<T>(stream: AsyncGenerator<T, void>): Promise<T> {
  const { value } = await stream.next();
  if (!value) throw new Error('the stream ended');
  return value;
}

const numbered = (count: number, from: number) => Array.from({ length: count }, (_, index) => `${from + index}`);

test('a reader of logs who is 5,000 records behind holds no more, and gets all others as they are stored', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  using robot = await logRobot(world.url, token);
  const { streams, sockets, seen } = watchedClient(world);
  await robot.say('1');
  const stream = streams.logs(id, { tail: 1 });
  expect((await next(stream)).message).toBe('1');
  await robot.say(...numbered(8_000, 2));
  await expect.poll(() => sockets[0]?.readyState).toBe(WebSocket.CLOSED);
  expect(seen.count).toBeGreaterThan(5_000);
  expect(seen.count).toBeLessThan(8_000);
  const messages: string[] = [];
  while (messages.length < 8_000) messages.push((await next(stream)).message);
  expect(messages).toEqual(numbered(8_000, 2));
  expect(sockets).toHaveLength(2);
  await stream.return();
});

test('records that the service left out for a slow connection are told where they are missing', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  using robot = await logRobot(world.url, token);
  const { streams, sockets } = watchedClient(world);
  await robot.say('1');
  const stream = streams.logs(id, { tail: 1 });
  expect((await next(stream)).message).toBe('1');
  await robot.say('2');
  expect((await next(stream)).message).toBe('2'); // nobody is spared what he has to catch up on
  sockets[0]?.pause();
  const count = 16_000;
  const text = 'x'.repeat(1_500);
  let seq = 2;
  for (let sent = 3; sent < count; sent += 500) await robot.say(...numbered(500, sent).map((line) => line + text));
  sockets[0]?.resume();
  let gaps = 0;
  while (seq < count) {
    const item = await next(stream);
    const [from, to] = 'to_seq' in item ? [item.from_seq, item.to_seq] : [item.seq, item.seq];
    expect(from).toBe(seq + 1);
    if ('to_seq' in item) {
      gaps += 1;
      expect(item).toMatchObject({ type: 'gap', reason: 'slow_consumer', dropped: to - from + 1 });
    }
    seq = to;
  }
  expect(gaps).toBeGreaterThan(0);
  await stream.return();
});

test('a slow reader of a topic loses the oldest messages, and is told how many in their place', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const { streams, seen } = watchedClient(world);
  const stream = streams.topic(robot.id, '/chatter');
  const first = next(stream);
  using topic = await robot.come();
  topic.socket.send(record(1));
  expect(await first).toMatchObject({ seq: 1 });
  let dropped = 0; // on the way, of which the service tells by itself
  for (let seq = 2; seq <= 1_501; seq += 1) {
    topic.socket.send(record(seq));
    if (seq % 100 === 0) await expect.poll(() => String(seen.newest)).toContain(`"seq":${seq},`);
  }
  await expect.poll(() => String(seen.newest)).toContain('"seq":1501,');
  const items: { type: string; seq?: unknown; dropped?: unknown }[] = [];
  while (items.at(-1)?.seq !== 1_501) items.push(await next(stream));
  const [gap, ...rest] = items;
  expect(gap).toMatchObject({ type: 'gap', reason: 'slow_consumer' });
  for (const each of items) dropped += Number(each.dropped ?? 0);
  const messages = rest.filter(({ type }) => type.includes('/'));
  expect(dropped + messages.length).toBe(1_500);
  expect(items.length).toBeLessThanOrEqual(1_001);
  await stream.return();
});

test('a slow reader of a camera gets the newest picture, and the others are not kept for it', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const { streams, seen } = watchedClient(world);
  const stream = streams.camera(robot.id, { camera: 'front' });
  const first = next(stream);
  using camera = await robot.come();
  camera.socket.send(picture('1', 100_000));
  expect(textOf(Buffer.from(await first))).toBe('1');
  for (let count = 2; count <= 60; count += 1) {
    camera.socket.send(picture(String(count), 100_000));
    await expect.poll(() => textOf(seen.newest)).toBe(String(count));
  }
  expect(seen.count).toBe(60);
  expect(textOf(Buffer.from(await next(stream)))).toBe('60');
  const after = next(stream);
  camera.socket.send(picture('61'));
  expect(textOf(Buffer.from(await after))).toBe('61');
  await stream.return();
});
