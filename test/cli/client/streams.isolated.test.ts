import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClient, StreamError, type SocketMaker } from '../../../cli/client/index.ts';
import { startCutter } from '../../support/cutting-proxy.ts';
import { dialBack, nextOpen, shellAgent } from '../../support/dial-back.ts';
import { logRobot } from '../../support/log-robot.ts';
import { robotsOf } from '../../support/robots.ts';
import { picture, record, textOf, watchRobot } from '../../support/watch.ts';
import { startWorld, type World } from '../../support/world.ts';

const clientOf = (world: World, baseUrl = world.url) => createClient({ baseUrl, token: world.orgToken, WebSocket });

/** What a stream gives next. */
async function next<T>(stream: AsyncGenerator<T, void>): Promise<T | undefined> {
  const { value } = await stream.next();
  return value ?? undefined;
}

test('logs are stored and live records joined, once each and in order, over a lost connection', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  await using cutter = await startCutter(world.url, (head) => head.includes('/logs/ws'));
  using robot = await logRobot(world.url, token);
  await robot.say('one', 'two', 'three');
  const stream = clientOf(world, cutter.url).streams.logs(id, { tail: 2 });
  const read = async () => (await next(stream))?.message;
  expect([await read(), await read()]).toEqual(['two', 'three']);
  await robot.say('four');
  expect(await read()).toBe('four');
  cutter.cutAll();
  await robot.say('five');
  expect(await read()).toBe('five');
  await robot.say('six');
  expect(await read()).toBe('six');
  await stream.return();
});

test('who asks for new records alone misses none that comes while the first connection is lost', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  await using cutter = await startCutter(world.url, (head) => head.includes('/logs/ws'));
  using robot = await logRobot(world.url, token);
  await robot.say('old');
  let opened = 0;
  const client = createClient({
    baseUrl: cutter.url,
    token: world.orgToken,
    WebSocket: class extends WebSocket {
      constructor(...made: ConstructorParameters<SocketMaker>) {
        super(...made);
        this.once('open', () => (opened += 1));
      }
    },
  });
  const stream = client.streams.logs(id);
  const first = next(stream);
  await expect.poll(() => opened).toBe(1);
  cutter.cutAll();
  await robot.say('new');
  expect((await first)?.message).toBe('new');
  await stream.return();
});

test('a stream that cannot be had is an error at once, and a signal ends one in order', async () => {
  await using world = await startWorld();
  const { robot_id: id } = await robotsOf(world).enroll('amr-1');
  const { streams } = clientOf(world);
  await expect(next(streams.logs('nobody', { tail: 1 }))).rejects.toBeInstanceOf(StreamError);
  await expect(next(streams.camera(id))).rejects.toThrow('409');
  await expect(streams.shell(id)).rejects.toBeInstanceOf(StreamError);

  const { robot_id: other, robot_token: token } = await robotsOf(world).enroll('amr-2');
  using robot = await logRobot(world.url, token);
  await robot.say('one');
  const over = new AbortController();
  const stream = streams.logs(other, { tail: 1, signal: over.signal });
  expect((await next(stream))?.message).toBe('one');
  over.abort();
  expect(await next(stream)).toBeUndefined();
});

test('a camera gives whole pictures, the newest to a slow reader, and a topic its messages', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const { streams } = clientOf(world);
  const pictures = streams.camera(robot.id, { camera: 'front' });
  const first = next(pictures);
  using camera = await robot.come();
  expect(camera.open.parameters).toMatchObject({ camera: 'front' });
  camera.socket.send(picture('one', 100_000));
  const bytes = await first;
  expect(bytes?.length).toBe(100_000);
  expect(textOf(Buffer.from(bytes ?? []))).toBe('one');
  await pictures.return();

  const messages = streams.topic(robot.id, '/chatter', { hz: 5 });
  const message = next(messages);
  using topic = await robot.come();
  expect(topic.open).toMatchObject({ kind: 'topic', parameters: { topic: '/chatter', per_second: 5 } });
  topic.socket.send(record(1));
  expect(await message).toMatchObject({ seq: 1 });
  await messages.return();
});

test('a shell is bytes both ways, and tells how it ended', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  using agent = await shellAgent(world.url, token);
  const shell = await clientOf(world).streams.shell(id, { cols: 100, rows: 30 });
  const open = await nextOpen(agent);
  expect(open.parameters).toMatchObject({ cols: 100, rows: 30 });
  using robot = await dialBack(world.url, open);
  shell.write('uptime\n');
  await expect.poll(() => robot.bytes().toString()).toBe('uptime\n');
  robot.socket.send(Buffer.from('up 3 days'));
  robot.socket.close(1000, 'exit 3');
  let shown = '';
  for await (const bytes of shell) shown += new TextDecoder().decode(bytes);
  expect(shown).toBe('up 3 days');
  expect(await shell.ended).toBe('exit 3');
});
