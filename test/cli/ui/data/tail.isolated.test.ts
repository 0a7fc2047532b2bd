import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import type { LogRecord, Tail, TailState } from '../../../../cli/ui/data/data.ts';
import { liveTail } from '../../../../cli/ui/data/tail.ts';
import { startCutter } from '../../../support/cutting-proxy.ts';
import { logRobot } from '../../../support/log-robot.ts';
import { connectorTo } from '../../../support/plain-streams.ts';
import { robotsOf } from '../../../support/robots.ts';
import { openStores } from '../../../support/stores.ts';
import { record, watchRobot } from '../../../support/watch.ts';
import { startWorld } from '../../../support/world.ts';

const textsOf = ({ lines }: TailState) =>
  lines.map((line) => (line.kind === 'record' ? line.record.message : `-- ${line.text}`));
const recordsOf = (tail: Tail) => textsOf(tail.get()).filter((text) => !text.startsWith('-- '));

test('a tail goes on over a lost connection, without a line twice and without one missing', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll();
  using robot = await logRobot(world.url, token);
  await robot.say('one', 'two');
  await using cutter = await startCutter(world.url, (head) => head.includes('/logs/ws'));
  await using stores = await openStores({ url: cutter.url, token: world.orgToken });
  const tail = stores.data.logs([id]);
  expect(stores.data.logs([id])).toBe(tail);
  tail.want();
  await expect.poll(() => tail.get().openCount).toBe(1);
  await robot.say('three');
  await expect.poll(() => recordsOf(tail)).toEqual(['one', 'two', 'three']);

  cutter.cutAll();
  await robot.say('four');
  await expect.poll(() => tail.get().failures.size).toBe(1);
  await robot.say('five');
  await expect.poll(() => recordsOf(tail)).toEqual(['one', 'two', 'three', 'four', 'five']);
  expect(textsOf(tail.get())).toContain('-- reconnected');
  expect(tail.get()).toMatchObject({ openCount: 1, total: tail.get().lines.length });
  expect(tail.get().failures.size).toBe(0);
  const { total } = tail.get();
  tail.clear();
  expect(tail.get()).toMatchObject({ lines: [], total });
});

test('of a robot that is away what it said last is shown, and it is waited for', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll();
  const robot = await logRobot(world.url, token);
  await robot.say('its last word');
  robot.agent.socket.close();
  await expect.poll(async () => (await world.call('GET', `/api/robots/${id}`)).body.data.online).toBe(false);
  await using stores = await openStores({ url: world.url, token: world.orgToken });
  const tail = stores.data.logs([id]);
  tail.want();
  await expect.poll(() => textsOf(tail.get())).toEqual(['its last word', '-- agent offline']);
  expect(tail.get().failures.get(id)).toMatchObject({ message: 'agent offline', code: 'conflict' });
  // An agent that is away is not a service that is away.
  expect(stores.data.connection.get().kind).toBe('live');
  using again = await logRobot(world.url, token, 's', 1);
  await again.say('back');
  await expect.poll(() => recordsOf(tail)).toEqual(['its last word', 'back']);
});

test('a tail that nobody wants closes, and who comes back finds what was said meanwhile, once', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll();
  using robot = await logRobot(world.url, token);
  await robot.say('one');
  await using stores = await openStores({ url: world.url, token: world.orgToken, lingerMs: 20 });
  const tail = stores.data.logs([id]);
  const leave = tail.want();
  await expect.poll(() => tail.get()).toMatchObject({ openCount: 1, total: 1 });
  leave();
  await expect.poll(() => tail.get().openCount).toBe(0);
  await robot.say('two');
  tail.want();
  await expect.poll(() => recordsOf(tail)).toEqual(['one', 'two']);
  expect(tail.get().failures.size).toBe(0);
});

test('many robots are one tail in the order of time; who may not be seen any more is told by its robot', async () => {
  await using world = await startWorld();
  const all = await robotsOf(world).enrollMany(12);
  const robots = await Promise.all(all.map(({ robot_token: token }) => logRobot(world.url, token)));
  await Promise.all(robots.map((robot, index) => robot.say(`stored of ${index}`)));
  await using stores = await openStores({ url: world.url, token: world.orgToken });
  const tail = stores.data.logs(all.map(({ robot_id: id }) => id));
  tail.want();
  await expect.poll(() => tail.get().openCount).toBe(12);
  await robots[3]?.say('live');
  await expect.poll(() => recordsOf(tail).at(-1)).toBe('live');
  expect(recordsOf(tail).sort()).toEqual(['live', ...all.map((_, index) => `stored of ${index}`)].sort());
  const [first] = all;
  await world.call('DELETE', `/api/robots/${first?.robot_id}`);
  await expect.poll(() => tail.get().failures.get(first?.robot_id ?? '')?.code).toBe('not_found');
  expect(tail.get().openCount).toBe(11);
  for (const robot of robots) robot[Symbol.dispose]();
});

test('a record that is a little late is put in its place among those of others, one that is very late stands where it came', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const robots = new Map<string, { say(text: string, ms: number, receivedMs?: number): void }>();
  const instant = (ms: number) => new Date(Date.parse('2026-11-21T09:00:00.000Z') + ms).toISOString();
  server.on('connection', (socket, { url }) => {
    let seq = 10;
    robots.set((url ?? '').slice(1), {
      say: (message, ms, receivedMs = ms) =>
        socket.send(JSON.stringify({ ...storedOf((seq += 1), receivedMs), ts: instant(ms), message })),
    });
  });
  const tail = liveTail({
    robotIds: ['r1', 'r2'],
    monitor: { free: () => Promise.resolve(), learn: () => undefined },
    stored: async (id) => (id === 'r1' ? [storedOf(1, -60_000), storedOf(2, -20_000)] : [storedOf(1, -40_000)]),
    connector: connectorTo(server),
    now: () => performance.now(),
  });
  function storedOf(seq: number, ms: number): LogRecord {
    return {
      seq,
      robot_id: '',
      source: 'a',
      level: 'info',
      message: `stored ${ms}`,
      ts: instant(ms),
      received_at: instant(ms),
    };
  }
  const said = () => textsOf(tail.get());
  const before = ['stored -60000', 'stored -40000', 'stored -20000'];
  tail.want();
  await expect.poll(() => tail.get().openCount).toBe(2);
  await expect.poll(said).toEqual(before);
  robots.get('r1')?.say('one', 0);
  robots.get('r1')?.say('three', 1_000);
  await expect.poll(said).toEqual([...before, 'one', 'three']);
  robots.get('r2')?.say('two', 500);
  await expect.poll(said).toEqual([...before, 'one', 'two', 'three']);
  robots.get('r2')?.say('its clock is off', 3_600_000, 1_500);
  robots.get('r1')?.say('four', 1_400);
  robots.get('r1')?.say('five', 1_600);
  await expect.poll(said).toEqual([...before, 'one', 'two', 'three', 'four', 'its clock is off', 'five']);
  robots.get('r2')?.say('kept for long', -5_000);
  const all = [...before, 'one', 'two', 'three', 'four', 'its clock is off', 'five', 'kept for long'];
  await expect.poll(said).toEqual(all);
  // Its own order is that of its numbers, whatever it says of the time.
  robots.get('r1')?.say('six', 1_200);
  await expect.poll(() => [...said()].sort()).toContain('six');
  expect(said().indexOf('six')).toBeGreaterThan(said().indexOf('five'));
  tail.end();
  for (const socket of server.clients) socket.terminate();
  server.close();
});

test('a flood is kept to its last 5,000 lines and drawn at most 15 times a second', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const count = 20_000;
  server.on('connection', (socket) => {
    for (let seq = 1; seq <= count; seq += 1)
      socket.send(JSON.stringify({ seq, received_at: '2026-11-21T09:00:00.000Z', level: 'info', message: `${seq}` }));
    socket.send(JSON.stringify({ type: 'gap', from_seq: count + 1, to_seq: count + 7, message: 'skipped' }));
  });
  await once(server, 'listening');
  const tail = liveTail({
    robotIds: ['r1'],
    monitor: { free: () => Promise.resolve(), learn: () => undefined },
    stored: async () => [],
    connector: connectorTo(server),
    now: () => performance.now(),
  });
  let told = 0;
  tail.subscribe(() => (told += 1));
  const beganMs = performance.now();
  tail.want();
  await expect.poll(() => tail.get().total).toBe(count + 1);
  const seconds = (performance.now() - beganMs) / 1_000;
  expect(told).toBeLessThanOrEqual(16 * seconds + 2);
  expect(tail.get().lines).toHaveLength(5_000);
  expect(tail.get().lines.at(-1)).toMatchObject({ kind: 'note', text: '7 records skipped', isGap: true });
  tail.end();
  for (const socket of server.clients) socket.terminate();
  server.close();
});

test('an echo shows what is published and how often, and comes back by itself', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  await using stores = await openStores({ url: world.url, token: world.orgToken });
  const one = stores.data.echo(robot.id, '/chatter');
  one.want();
  const stream = await robot.come();
  expect(stream.open.parameters).toMatchObject({ topic: '/chatter', per_second: 10 });
  stream.socket.send(
    JSON.stringify({ type: 'status', ts: '2026-11-22T09:00:00Z', level: 'warn', message: 'no publisher\u001b[2J' }),
  );
  await expect.poll(() => one.get().failure?.message).toBe('no publisher\u241b[2J');
  // Ten a second come, of a thousand times as many: the numbers tell.
  let seq = 0;
  const talking = setInterval(() => stream.socket.send(record((seq += 1_000), { data: 'x'.repeat(20_000) })), 100);
  await expect.poll(() => one.get().perSecond).toBeGreaterThan(100);
  expect(one.get().failure).toBeUndefined();
  expect(one.get().lines.at(-1)).toHaveLength(8_193);
  clearInterval(talking);
  await expect.poll(() => one.get().perSecond).toBe(0);

  stream.socket.terminate();
  using again = await robot.come();
  again.socket.send(record(1, { data: 'again' }));
  await expect.poll(() => one.get().lines.at(-1)).toContain('"again"');
});
