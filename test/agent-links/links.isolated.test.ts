import { once } from 'node:events';
import { expect, test } from 'vitest';
import { connectAgent, linkedAgent } from '../support/fake-agent.ts';
import { factories } from '../support/factories.ts';
import { startForwarder } from '../support/forwarder.ts';
import { freePort } from '../support/free-port.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, startWorld } from '../support/world.ts';

test('an agent that says hello is welcomed, and its robot is online until it leaves', async () => {
  await using world = await startWorld();
  const robot = await robotsOf(world).enroll();
  expect(await robotsOf(world).robot(robot)).toMatchObject({ online: false });
  using agent = await connectAgent(world.url, robot.robot_token);
  agent.hello();
  expect(await agent.next('welcome')).toMatchObject({
    protocol: 1,
    heartbeat_seconds: 10,
    robot_id: robot.robot_id,
    robot_name: 'amr-1',
  });
  const online = await robotsOf(world).robot(robot);
  expect(online.online).toBe(true);
  expect(Date.parse(online.last_seen_at)).toBeGreaterThan(Date.now() - 60_000);
  expect((await world.call('GET', '/api/robots')).body.items).toEqual([online]);

  agent.socket.close(1000);
  await agent.closed;
  await expect.poll(async () => (await robotsOf(world).robot(robot)).online).toBe(false);
  expect(await robotsOf(world).timeline(robot)).toMatchObject([
    { seq: 1, kind: 'enrolled', message: 'enrolled' },
    {
      seq: 2,
      kind: 'connected',
      message: 'connected from 127.0.0.1',
      details: { agent_version: 'fake-agent/1', boot_id: 'boot-1', address: '127.0.0.1' },
    },
    { seq: 3, kind: 'disconnected', details: { reason: 'ended', code: 1000, seconds: 0 } },
  ]);
});

test('the newest snapshot of a heartbeat is kept as it was sent, with the fields that nobody knows', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { flushEveryMs: 50 } });
  const robot = await robotsOf(world).enroll();
  expect(await robotsOf(world).health(robot)).toMatchObject({ robot_id: robot.robot_id, online: false });
  using agent = await linkedAgent(world.url, robot.robot_token);
  agent.send({ type: 'heartbeat' });
  agent.send({ type: 'heartbeat', health: { ts: '1970-01-01T00:00:00Z', uptime_s: 1 } });
  const newest = {
    ts: '2038-01-19T03:14:08Z',
    uptime_s: 2,
    gripper: { open: true, name: 'グリ' },
    cpu: { cores: 4 },
  };
  agent.send({ type: 'heartbeat', health: newest, later: 'field' });
  await expect.poll(async () => (await robotsOf(world).health(robot)).snapshot).toEqual(newest);
  const health = await robotsOf(world).health(robot);
  expect(health.online).toBe(true);
  // The robot's clock decides nothing.
  for (const at of [health.snapshot_at, health.last_seen_at])
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
});

test('half a surrogate pair or a NUL in a snapshot harms neither its reader nor the robots that are written with it', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { flushEveryMs: 200 } });
  const robots = robotsOf(world);
  const [vendors, ours] = [await robots.enroll(), await robots.enroll()];
  using odd = await linkedAgent(world.url, vendors.robot_token);
  using plain = await linkedAgent(world.url, ours.robot_token);
  odd.send(
    '{"type":"heartbeat","health":{"a\\ud800":"\\udc00\\u0000b","pair":"\\ud83d\\udca5","text":"\\\\u0000 \\\\ud800","extra":{"\\u0000":[1]}}}',
  );
  plain.send({ type: 'heartbeat', health: { uptime_s: 3 } });
  await expect.poll(async () => (await robots.health(ours)).snapshot).toEqual({ uptime_s: 3 });
  expect((await robots.health(vendors)).snapshot).toEqual({
    'a\ufffd': '\ufffd\ufffdb',
    pair: '💥',
    text: '\\u0000 \\ud800',
    extra: { '\ufffd': [1] },
  });
  // As a reader that is strict about surrogates takes it.
  expect(await world.db('robot_health').select(world.db.raw('snapshot::jsonb'))).toHaveLength(2);
});

test('frames of types that the service does not know are passed over', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  agent.send({ type: 'teleport', to: 'moon' });
  agent.send({ type: 'toString' });
  agent.send({ type: '__proto__' });
  agent.send({ type: 'heartbeat', health: { uptime_s: 7 } });
  await expect.poll(async () => (await robotsOf(world).health(robot)).snapshot).toEqual({ uptime_s: 7 });
  const { text } = await world.call('GET', '/metrics', { token: '' });
  expect(text).toContain('fleet_agent_links 1');
  expect(text).toContain('fleet_agent_frames_total{type="unknown"} 3');
  expect(text).toContain('fleet_agent_frames_total{type="heartbeat"} 1');
});

test('a hello and what follows it in one packet are taken in order', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { flushEveryMs: 50 } });
  const robot = await robotsOf(world).enroll();
  using agent = await connectAgent(world.url, robot.robot_token);
  agent.hello();
  agent.send({ type: 'heartbeat', health: { uptime_s: 1 } });
  agent.send({ type: 'heartbeat', health: { uptime_s: 2 } });
  await agent.next('welcome');
  await expect.poll(async () => (await robotsOf(world).health(robot)).snapshot).toEqual({ uptime_s: 2 });
});

const logsFrame = (from: number, to: number, seqs: number[]) => ({
  type: 'logs',
  spool: 's',
  from_seq: from,
  to_seq: to,
  records: seqs.map((seq) => ({ seq, message: `line ${seq}` })),
});

test.each([
  ['not JSON', '{', 1008, 'a frame must be JSON'],
  ['no object', '[]', 1008, 'a frame must be an object'],
  ['no type', '{}', 1008, 'type: must be a string'],
  ['a wrong field', { type: 'heartbeat', streams: -1 }, 1008, 'heartbeat/streams: must be >= 0'],
  ['no snapshot in its place', { type: 'heartbeat', health: [] }, 1008, 'heartbeat/health: must be object'],
  ['another hello', { type: 'hello', protocol: 1, agent_version: 'x', boot_id: 'x' }, 1008, 'hello: allowed only once'],
  ['a number twice', logsFrame(1, 3, [1, 3, 2, 3]), 1008, 'logs/records: more than one has the seq 3'],
  ['another first number', logsFrame(1, 3, [2, 3]), 1008, 'logs/from_seq: must be the lowest seq of the records, 2'],
  ['another last number', logsFrame(1, 3, [2, 1]), 1008, 'logs/to_seq: must be the highest seq of the records, 2'],
  ['too large a frame', 'x'.repeat(262_145), 1009, 'a frame was larger than 262144 bytes'],
])('a frame with %s ends the link with the code that says so', async (_what, frame, code, reason) => {
  await using world = await startWorld();
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  agent.send(frame);
  expect(await agent.closed).toEqual({ code, reason });
  await expect
    .poll(async () => (await robotsOf(world).timeline(robot)).at(-1))
    .toMatchObject({
      kind: 'disconnected',
      details: { reason: 'refused', code, close_reason: reason },
    });
  expect(await world.count('log_chunks')).toBe(0);
});

test('log records in any order with the right edges are stored by their numbers', async () => {
  await using world = await startWorld();
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  agent.send(logsFrame(1, 4, [4, 1, 2]));
  expect(await agent.next('logs_ack')).toMatchObject({ seq: 4 });
  const { body } = await world.call('GET', `/api/robots/${robot.robot_id}/logs`);
  expect(body.items.map(({ message }: { message: string }) => message)).toEqual(['line 1', 'line 2', 'line 4']);
});

test('a binary frame, a hello with control characters and a first frame that is not hello are refused at once', async () => {
  await using world = await startWorld();
  const robot = await robotsOf(world).enroll();
  const story = () => robotsOf(world).story(robot);
  const ended = ['enrolled'];
  // One after the other is told: of a link whose robot comes back before its end is known, the service tells that it was replaced.
  const isTold = async (): Promise<void> => {
    ended.push('connected', 'disconnected refused');
    await expect.poll(story).toEqual(ended);
  };
  using binary = await linkedAgent(world.url, robot.robot_token);
  binary.socket.send(Buffer.from('{}'));
  expect(await binary.closed).toEqual({ code: 1008, reason: 'a frame must be text' });
  await isTold();
  using garbled = await linkedAgent(world.url, robot.robot_token);
  garbled.socket.send(Buffer.from([0xff]), { binary: false });
  expect(await garbled.closed).toEqual({ code: 1007, reason: 'a text frame was not UTF-8' });
  await isTold();
  for (const [frame, reason] of [
    [{ type: 'heartbeat' }, 'first frame must be hello'],
    [{ type: 'helo' }, 'first frame must be hello'],
    [
      { type: 'hello', protocol: 1, agent_version: 'a\u0000b', boot_id: 'x' },
      'hello/agent_version: must be plain text',
    ],
    [{ type: 'hello', protocol: 1, agent_version: 'a', boot_id: '\ud800' }, 'hello/boot_id: must be plain text'],
    [{ type: 'hello', agent_version: 'a', boot_id: 'x' }, "hello: must have required property 'protocol'"],
  ] as const) {
    using agent = await connectAgent(world.url, robot.robot_token);
    agent.send(frame);
    expect(await agent.closed).toEqual({ code: 1008, reason });
  }
  await expect.poll(story).toEqual([...ended, ...Array.from({ length: 5 }, () => 'link_refused')]);
});

test('a protocol that the service does not speak ends with 4426, whatever else that hello holds', async () => {
  await using world = await startWorld();
  const robot = await robotsOf(world).enroll();
  for (const protocol of [0, 2, 99_999]) {
    using agent = await connectAgent(world.url, robot.robot_token);
    agent.send({ type: 'hello', protocol, who: 'me' });
    expect(await agent.closed).toEqual({ code: 4426, reason: 'this service speaks protocol 1' });
  }
  expect(await robotsOf(world).robot(robot)).not.toHaveProperty('last_seen_at');
});

test('more frames than allowed end the link; a burst does not', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { maxFramesPerSecond: 20 } });
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  for (let sent = 0; sent < 35; sent += 1) agent.send({ type: 'heartbeat' });
  agent.send({ type: 'heartbeat', health: { uptime_s: 1 } });
  await expect.poll(async () => (await robotsOf(world).health(robot)).snapshot).toEqual({ uptime_s: 1 });
  for (let sent = 0; sent < 60; sent += 1) agent.socket.ping();
  expect(await agent.closed).toEqual({ code: 1008, reason: 'more than 20 frames per second' });
});

test('an agent that says nothing within the time for its hello is sent away', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { helloWithinMs: 200, pingEveryMs: 100 } });
  const robot = await robotsOf(world).enroll();
  using agent = await connectAgent(world.url, robot.robot_token);
  expect(await agent.closed).toEqual({ code: 4408, reason: 'hello did not arrive in time' });
});

test('a link whose agent went silent is cut and its robot offline, one that answers pings stays', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { pingEveryMs: 100, deadAfterMs: 400 } });
  const quiet = await robotsOf(world).enroll();
  const awake = await robotsOf(world).enroll();
  using halfOpen = await linkedAgent(world.url, quiet.robot_token, { autoPong: false });
  using other = await linkedAgent(world.url, awake.robot_token);
  expect((await halfOpen.closed).code).toBe(1006);
  await expect.poll(async () => (await robotsOf(world).robot(quiet)).online).toBe(false);
  expect((await robotsOf(world).timeline(quiet)).at(-1)).toMatchObject({
    kind: 'disconnected',
    message: expect.stringMatching(/^disconnected after \d+ s: no data received for 30 s$/),
    details: { reason: 'timeout' },
  });
  expect(other.frames).toHaveLength(1);
  expect(await robotsOf(world).robot(awake)).toMatchObject({ online: true });
});

test('a frame that takes longer than the silence of a dead link arrives, and its link stays', async () => {
  await using world = await startIsolatedWorld({
    linkLimits: { pingEveryMs: 100, deadAfterMs: 400, flushEveryMs: 50 },
  });
  const port = await freePort();
  // 1.6 s for the frame. The pongs of the agent wait behind it.
  await using uplink = await startForwarder('127.0.0.1', port, Number(new URL(world.url).port), 100_000);
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(`http://127.0.0.1:${port}`, robot.robot_token);
  const before = (await robotsOf(world).robot(robot)).last_seen_at as string;
  const record = { ts: '2026-11-21T09:00:00Z', level: 'info', source: 'exec:x', message: 'x'.repeat(16_000) };
  const records = Array.from({ length: 10 }, (_, index) => ({ seq: index + 1, ...record }));
  agent.send({ type: 'logs', spool: 'a'.repeat(32), from_seq: 1, to_seq: 10, records });
  expect(await agent.next('logs_ack')).toMatchObject({ seq: 10 });
  expect(uplink.connections).toBe(1);
  expect((await robotsOf(world).robot(robot)).last_seen_at > before).toBe(true);
});

test('an agent is pinged while nothing is heard of it', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { pingEveryMs: 1_500 } });
  const [silent, beating] = [await robotsOf(world).enroll(), await robotsOf(world).enroll()];
  using pinged = await linkedAgent(world.url, silent.robot_token);
  using other = await linkedAgent(world.url, beating.robot_token);
  const pings = { silent: 0, beating: 0 };
  pinged.socket.on('ping', () => (pings.silent += 1));
  other.socket.on('ping', () => (pings.beating += 1));
  const timer = setInterval(() => other.send({ type: 'heartbeat' }), 50);
  await expect.poll(() => pings.silent).toBeGreaterThan(1);
  clearInterval(timer);
  expect(pings.beating).toBe(0);
});

test('heartbeats beyond 2 MiB at once and 1 MiB per second are read later, and the link stays up', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  const startedMs = performance.now();
  for (let sent = 0; sent < 24; sent += 1)
    agent.send({ type: 'heartbeat', health: { uptime_s: sent, extra: { text: 'x'.repeat(200_000) } } });
  agent.socket.ping();
  await once(agent.socket, 'pong'); // of the ping behind them
  expect(performance.now() - startedMs).toBeGreaterThan(1_500);
  await expect.poll(async () => (await robotsOf(world).health(robot)).snapshot?.uptime_s).toBe(23);
  expect(agent.socket.readyState).toBe(1);
});

test('the pongs of an agent whose heartbeats are rare keep its robot seen', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { pingEveryMs: 50, flushEveryMs: 50 } });
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  const first = (await robotsOf(world).robot(robot)).last_seen_at as string;
  await expect.poll(async () => (await robotsOf(world).robot(robot)).last_seen_at > first).toBe(true);
  expect(agent.frames).toHaveLength(1);
});

test('the pings of an agent whose heartbeats are rare keep its robot seen too', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { pingEveryMs: 200, flushEveryMs: 50 } });
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  const timer = setInterval(() => agent.socket.ping(), 50);
  const first = (await robotsOf(world).robot(robot)).last_seen_at as string;
  await expect.poll(async () => (await robotsOf(world).robot(robot)).last_seen_at > first).toBe(true);
  clearInterval(timer);
});

test('a rename, a move and new labels stand on the timeline, and nothing else does', async () => {
  await using world = await startWorld();
  const robot = await robotsOf(world).enroll();
  const { fleet_id: before } = await robotsOf(world).robot(robot);
  const fleet = await factories(world).fleet(undefined, 'packers');
  const path = `/api/robots/${robot.robot_id}`;
  await world.call('PATCH', path, { body: { name: 'amr-2', labels: { floor: '2' } } });
  await world.call('PATCH', path, { body: { fleet_id: fleet.id } });
  await world.call('PATCH', path, { body: { name: 'amr-2' } });
  const items = await robotsOf(world).timeline(robot);
  expect(items.slice(1).sort((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
    { kind: 'labelled', details: { before: {}, after: { floor: '2' } } },
    { kind: 'moved', details: { before_fleet_id: before, after_fleet_id: fleet.id } },
    { kind: 'renamed', message: 'renamed from amr-1 to amr-2', details: { before: 'amr-1', after: 'amr-2' } },
  ]);
  const after = await world.call('GET', `${path}/timeline?after=1&limit=1`);
  expect(after.body.items).toMatchObject([{ seq: 2 }]);
  const renamed = await world.call('GET', `${path}/timeline?kind=renamed`);
  expect(renamed.body.items).toHaveLength(1);
});
