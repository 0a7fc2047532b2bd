import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import protocol from '@foxglove/ws-protocol';
import type { IWebSocket } from '@foxglove/ws-protocol';
import rosmsg from '@foxglove/rosmsg';
import common from '@foxglove/rosmsg-msgs-common';
import ros2 from '@foxglove/rosmsg2-serialization';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { logIntake } from '../../../../cli/agent/logs/intake.ts';
import { foxgloveSource } from '../../../../cli/agent/ros/foxglove.ts';
import { messageText } from '../../../../cli/agent/ros/json.ts';
import { rosoutLog } from '../../../../cli/agent/ros/rosout.ts';
import type { LogRecord } from '../../../../cli/agent/spool/record.ts';
import { troublesOf } from '../../../../cli/agent/troubles.ts';
import { startTopicDesk } from './topic-harness.ts';
import { until } from '../../../support/until.ts';

const { FoxgloveServer } = protocol;
type Server = InstanceType<typeof FoxgloveServer>;

interface Bridge extends AsyncDisposable {
  url: string;
  port: number;
  server: Server;
  /** Adds a channel of a message of ROS 2 jazzy; the function that it gives sends one. */
  channel(topic: string, type: keyof typeof common.ros2jazzy): { id: number; send(message: unknown): void };
  clients: () => number;
}

/** foxglove_bridge as the makers' own server does it, which takes that one subprotocol alone. */
async function startBridge(subprotocol: string, port = 0): Promise<Bridge> {
  const server = new FoxgloveServer({ name: 'bridge', capabilities: [] });
  const ws = new WebSocketServer({
    port,
    host: '127.0.0.1',
    handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
    verifyClient: ({ req }: { req: { headers: Record<string, unknown> } }) =>
      String(req.headers['sec-websocket-protocol'])
        .split(',')
        .map((each) => each.trim())
        .includes(subprotocol),
  });
  await once(ws, 'listening');
  ws.on('connection', (socket, request) =>
    server.handleConnection(socket as unknown as IWebSocket, `${request.socket.remoteAddress}`),
  );
  return {
    url: `foxglove://127.0.0.1:${(ws.address() as AddressInfo).port}`,
    port: (ws.address() as AddressInfo).port,
    server,
    channel(topic, type) {
      const definitions = withDependencies(type);
      const schema = rosmsg.stringify(definitions);
      const writer = new ros2.MessageWriter(definitions);
      const schemaName = type.replace('/', '/msg/');
      const id = server.addChannel({ topic, encoding: 'cdr', schemaName, schema, schemaEncoding: 'ros2msg' });
      return {
        id,
        send: (message) => server.sendMessage(id, BigInt(Date.now()) * 1_000_000n, writer.writeMessage(message)),
      };
    },
    clients: () => ws.clients.size,
    async [Symbol.asyncDispose]() {
      for (const client of ws.clients) client.terminate();
      await new Promise((resolve) => ws.close(resolve));
    },
  };
}

function withDependencies(type: keyof typeof common.ros2jazzy) {
  const all = common.ros2jazzy as Record<string, (typeof common.ros2jazzy)[typeof type]>;
  const found = new Map<string, (typeof common.ros2jazzy)[typeof type]>();
  const visit = (name: string) => {
    const definition = all[name];
    if (!definition || found.has(name)) return;
    found.set(name, definition);
    for (const field of definition.definitions) if (field.isComplex) visit(field.type);
  };
  visit(type);
  // Only the first one goes without its name.
  return [...found.values()].map((each, index) => (index === 0 ? { definitions: each.definitions } : each));
}

/** A channel of JSON, as programs without ROS have them; the function that it gives sends a message, or bytes in place of one. */
function jsonChannel({ server }: Bridge, topic: string, schemaName: string): (message: unknown) => void {
  const id = server.addChannel({ topic, encoding: 'json', schemaName, schema: '{}', schemaEncoding: 'jsonschema' });
  return (message) => {
    const bytes = Buffer.isBuffer(message) ? message : Buffer.from(JSON.stringify(message));
    server.sendMessage(id, BigInt(Date.now()) * 1_000_000n, bytes);
  };
}

const connect = (bridge: Pick<Bridge, 'url' | 'port'>) => {
  const source = foxgloveSource({ url: bridge.url, socketUrl: `ws://127.0.0.1:${bridge.port}` });
  return { ...source, [Symbol.asyncDispose]: () => source.close() };
};

test.each(['foxglove.sdk.v1', 'foxglove.websocket.v1'])(
  'topics of ROS 2 are listed and decoded by %s',
  async (name) => {
    await using bridge = await startBridge(name);
    const imu = bridge.channel('/imu', 'sensor_msgs/Imu');
    await using source = connect(bridge);
    expect(await source.listTopics()).toEqual([{ name: '/imu', type: 'sensor_msgs/Imu' }]);
    const heard: { type: string; message: unknown }[] = [];
    const said: string[] = [];
    const subscribed = new Promise((resolve) => bridge.server.on('subscribe', resolve));
    const unsubscribed = new Promise((resolve) => bridge.server.on('unsubscribe', resolve));
    const end = source.subscribe('/imu', {
      message: (type, message) => void heard.push({ type, message }),
      status: (_level, message) => void said.push(message),
    });
    expect(await subscribed).toBe(imu.id);
    imu.send({
      header: { stamp: { sec: 7, nanosec: 8 }, frame_id: 'base' },
      orientation: { x: 0, y: 0, z: 0, w: 1 },
      linear_acceleration: { x: Number.NaN, y: 0, z: 9.81 },
    });
    await until(() => heard.length === 1);
    expect(heard[0]?.type).toBe('sensor_msgs/Imu');
    expect(JSON.parse(messageText(heard[0]?.message, 65_536).json)).toMatchObject({
      header: { stamp: { sec: 7, nanosec: 8 }, frame_id: 'base' },
      orientation: { w: 1 },
      linear_acceleration: { x: 'NaN', z: 9.81 },
    });
    end();
    expect(await unsubscribed).toBe(imu.id);
    expect(said).toEqual([]);
  },
);

test('64-bit integers stay exact, what nobody wants is not decoded, and a change of type is told', async () => {
  await using bridge = await startBridge('foxglove.sdk.v1');
  const counter = bridge.channel('/any', 'std_msgs/Int64');
  await using source = connect(bridge);
  const heard: unknown[] = [];
  const said: string[] = [];
  let wants = true;
  let asked = 0;
  source.subscribe('/any', {
    wants() {
      asked += 1;
      return wants;
    },
    message: (type, message) => void heard.push([type, messageText(message, 1000).json]),
    status: (level, message) => void said.push(`${level}: ${message}`),
  });
  await new Promise((resolve) => bridge.server.on('subscribe', resolve));
  counter.send({ data: 9223372036854775807n });
  await until(() => heard.length === 1);
  expect(heard).toEqual([['std_msgs/Int64', '{"data":"9223372036854775807"}']]);
  wants = false;
  counter.send({ data: 1n });
  await until(() => asked === 2);
  wants = true;
  bridge.server.removeChannel(counter.id);
  const next = new Promise((resolve) => bridge.server.on('subscribe', resolve));
  const text = bridge.channel('/any', 'std_msgs/String');
  await next;
  text.send({ data: 'hello' });
  await until(() => heard.length === 2);
  expect(said.at(-1)).toBe('warn: /any changed its type from std_msgs/Int64 to std_msgs/String');
});

test('a bridge that goes and comes back is told of, and a topic that comes later is waited for', async () => {
  const first = await startBridge('foxglove.sdk.v1');
  await using source = connect(first);
  const heard: unknown[] = [];
  const said: string[] = [];
  source.subscribe('/late', {
    message: (_type, message) => void heard.push(message),
    status: (level, message) => void said.push(`${level}: ${message}`),
  });
  await until(() => said.includes('info: /late has no publisher yet'));
  await first[Symbol.asyncDispose]();
  await until(() => said.some((each) => each.startsWith('warn: ') && each.endsWith('Retrying')));
  await using second = await startBridge('foxglove.websocket.v1', first.port);
  const subscribed = new Promise((resolve) => second.server.on('subscribe', resolve));
  const late = second.channel('/late', 'std_msgs/String');
  await subscribed;
  late.send({ data: 'here' });
  await until(() => heard.length === 1);
  expect(said).toContainEqual(expect.stringMatching(/^info: reconnected to foxglove:/));
  await source.close();
  await until(() => second.clients() === 0);
});

test('a schema that is not understood is told of, and a bridge that is not there is named', async () => {
  await using bridge = await startBridge('foxglove.sdk.v1');
  bridge.server.addChannel({
    topic: '/odd',
    encoding: 'protobuf',
    schemaName: 'a.B',
    schema: '',
    schemaEncoding: 'protobuf',
  });
  await using source = connect(bridge);
  const said: string[] = [];
  source.subscribe('/odd', { message: () => undefined, status: (_level, message) => void said.push(message) });
  await until(() => said.includes('/odd cannot be read: its encoding is protobuf by protobuf'));
  await using nobody = connect({ url: 'foxglove://127.0.0.1:1', port: 1 });
  await expect(nobody.listTopics()).rejects.toThrow('foxglove://127.0.0.1:1: connect ECONNREFUSED');
});

test.each([
  ['Pose', 'unknown/Pose'],
  ['', 'unknown/unknown'],
  ['geometry_msgs/msg/Pose', 'geometry_msgs/Pose'],
])('messages of the type "%s" are records of %s', async (schemaName, type) => {
  await using bridge = await startBridge('foxglove.sdk.v1');
  const send = jsonChannel(bridge, '/pose', schemaName);
  await using desk = await startTopicDesk([bridge.url]);
  expect((await desk.list()).topics).toEqual([{ name: '/pose', type, source: bridge.url }]);
  const subscribed = new Promise((resolve) => bridge.server.on('subscribe', resolve));
  const stream = await desk.echo('/pose');
  await subscribed;
  send({ x: 1 });
  await until(() => stream.texts.length > 0);
  expect(stream.records()).toMatchObject([{ type, msg: { x: 1 } }]);
});

test('messages that cannot be read are told of once, and not each', async () => {
  await using bridge = await startBridge('foxglove.sdk.v1');
  const send = jsonChannel(bridge, '/odd', 'a/B');
  await using source = connect(bridge);
  const heard: unknown[] = [];
  const said: string[] = [];
  const subscribed = new Promise((resolve) => bridge.server.on('subscribe', resolve));
  source.subscribe('/odd', {
    message: (_type, message) => void heard.push(message),
    status: (_level, message) => void said.push(message),
  });
  await subscribed;
  for (const text of ['{', '{', '{}', '{', '{}']) send(Buffer.from(text));
  await until(() => heard.length === 2);
  expect(said).toEqual([expect.stringMatching(/^a message could not be read as a\/B: /)]);
});

test('what a node logs fits into a frame to the service, whatever it says', async () => {
  await using bridge = await startBridge('foxglove.sdk.v1');
  const send = jsonChannel(bridge, '/rosout', 'rcl_interfaces/msg/Log');
  await using source = connect(bridge);
  const records: LogRecord[] = [];
  const told: string[] = [];
  const intake = logIntake({ append: (record) => void records.push(record), takeLost: () => undefined });
  const subscribed = new Promise((resolve) => bridge.server.on('subscribe', resolve));
  const log = rosoutLog(source, { intake, troubles: troublesOf((_level, message) => void told.push(message)) });
  await subscribed;
  const long = 'x'.repeat(300_000);
  const said = { level: 30, name: '/arm', msg: 'hot' };
  send({ ...said, file: long, line: 7, function: 'main' });
  send({ ...said, file: 'arm.py', line: { of: [long] }, function: long });
  send({ ...said, name: long });
  for (const sec of [1e300, 1e13, '?', null]) send({ ...said, stamp: { sec, nanosec: -1e300 } });
  send(null);
  send({ name: {}, msg: [long], level: {}, stamp: 5, header: 5 });
  send({ ...said, file: 'arm.py', line: 7, function: 'main', stamp: { sec: 1_700_000_000, nanosec: 5e8 } });
  await until(() => records.length === 10);
  await log.stop();
  intake.close();
  for (const record of records) expect(JSON.stringify(record).length).toBeLessThan(1_000);
  expect(records.at(-1)).toEqual({
    ts: '2023-11-14T22:13:20.500Z',
    level: 'warn',
    source: 'rosout:/arm',
    message: 'hot',
    fields: { file: 'arm.py', line: 7, function: 'main' },
  });
  expect(told).toEqual([]);
});

test('frames that are not as the protocol says end nothing, and those that are come through', async () => {
  const ws = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'foxglove.sdk.v1' });
  await once(ws, 'listening');
  const schema = 'string data';
  const channel = { id: 1, topic: '/a', encoding: 'cdr', schemaName: 'std_msgs/msg/String', schema };
  const frames = [
    null,
    { op: 'serverInfo' },
    { op: 'advertise', channels: null },
    { op: 'unadvertise' },
    { op: 'connectionGraphUpdate' },
    { op: 'serverInfo', name: 'bridge', capabilities: [] },
    { op: 'advertise', channels: [channel] },
  ];
  ws.on('connection', (socket) => frames.forEach((frame) => socket.send(JSON.stringify(frame))));
  const url = `127.0.0.1:${(ws.address() as AddressInfo).port}`;
  const source = foxgloveSource({ url: `foxglove://${url}`, socketUrl: `ws://${url}` });
  expect(await source.listTopics()).toEqual([{ name: '/a', type: 'std_msgs/String' }]);
  await source.close();
  ws.close();
});

test('a topic that nobody looks at any more is found again, and makes room for one more than may be read', async () => {
  await using bridge = await startBridge('foxglove.sdk.v1');
  await using desk = await startTopicDesk([bridge.url]);
  const all = await Promise.all(Array.from({ length: 32 }, (_, index) => desk.echo(`/t${index}`)));
  all[0]?.leave();
  all[1]?.leave();
  // The agent hears a moment later that they left.
  const refusals: unknown[] = [];
  await until(async () => {
    const stream = await desk.open('topic', { topic: '/t1' });
    if (!('leave' in stream)) refusals.push(stream.message);
    return 'leave' in stream;
  });
  expect(refusals.filter((message) => message !== 'the robot has too many live streams open')).toEqual([]);
  expect(await desk.open('topic', { topic: '/one_more' })).toHaveProperty('leave');
});
