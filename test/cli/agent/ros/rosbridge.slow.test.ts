import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { messageText } from '../../../../cli/agent/ros/json.ts';
import { rosbridgeSource } from '../../../../cli/agent/ros/rosbridge.ts';
import { until } from '../../../support/until.ts';

interface Fake extends AsyncDisposable {
  url: string;
  port: number;
  /** All that it was asked, by `op`, with the service or topic. */
  asked: string[];
  types: Map<string, string>;
  /** With rosapi or without. */
  hasRosapi: boolean;
  send(text: string): void;
}

const details: Record<string, unknown[]> = {
  'std_msgs/String': [
    { type: 'std_msgs/String', fieldnames: ['data'], fieldtypes: ['string'], fieldarraylen: [-1], examples: [''] },
  ],
  'std_msgs/Int64': [
    { type: 'std_msgs/Int64', fieldnames: ['data'], fieldtypes: ['int64'], fieldarraylen: [-1], examples: ['0'] },
  ],
  'sensor_msgs/CompressedImage': [
    {
      type: 'sensor_msgs/CompressedImage',
      fieldnames: ['header', 'format', 'data'],
      fieldtypes: ['std_msgs/Header', 'string', 'uint8'],
      fieldarraylen: [-1, -1, 0],
      examples: ['{}', '', '[]'],
    },
  ],
};

/** Answers as rosbridge_suite was recorded to. */
async function startFake(port = 0): Promise<Fake> {
  const ws = new WebSocketServer({ port, host: '127.0.0.1' });
  await once(ws, 'listening');
  const clients = new Set<WebSocket>();
  const fake: Fake = {
    url: `rosbridge://127.0.0.1:${(ws.address() as AddressInfo).port}`,
    port: (ws.address() as AddressInfo).port,
    asked: [],
    types: new Map([['/chatter', 'std_msgs/String']]),
    hasRosapi: true,
    send: (text) => clients.forEach((client) => client.send(text)),
    async [Symbol.asyncDispose]() {
      for (const client of ws.clients) client.terminate();
      await new Promise((resolve) => ws.close(resolve));
    },
  };
  ws.on('connection', (socket) => {
    clients.add(socket);
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Record<string, string> & {
        args?: { topic?: string; type?: string };
      };
      fake.asked.push([frame['op'], frame['service'] ?? frame['topic'] ?? frame['level']].join(' '));
      if (frame['op'] !== 'call_service') return;
      const answer = (values: unknown, result = true) =>
        socket.send(
          JSON.stringify({ op: 'service_response', service: frame['service'], values, result, id: frame['id'] }),
        );
      if (!fake.hasRosapi) return answer(`Service ${frame['service']} does not exist`, false);
      if (frame['service'] === '/rosapi/topics')
        answer({ topics: [...fake.types.keys()], types: [...fake.types.values()] });
      if (frame['service'] === '/rosapi/nodes') answer({ nodes: ['/rosapi', '/rosbridge_websocket'] });
      if (frame['service'] === '/rosapi/topic_type') answer({ type: fake.types.get(frame.args?.topic ?? '') ?? '' });
      if (frame['service'] === '/rosapi/message_details') answer({ typedefs: details[frame.args?.type ?? ''] ?? [] });
    });
  });
  return fake;
}

function connect(fake: Pick<Fake, 'url' | 'port'>) {
  const source = rosbridgeSource({ url: fake.url, socketUrl: `ws://127.0.0.1:${fake.port}` });
  return { ...source, [Symbol.asyncDispose]: () => source.close() };
}

function listen() {
  const heard: string[] = [];
  const said: string[] = [];
  return {
    heard,
    said,
    message: (type: string, message: unknown) => void heard.push(`${type} ${messageText(message, 10_000).json}`),
    status: (level: string, message: string) => void said.push(`${level}: ${message}`),
  };
}

test('topics and nodes are asked of rosapi, and messages come with their types', async () => {
  await using fake = await startFake();
  await using source = connect(fake);
  expect(await source.listTopics()).toEqual([{ name: '/chatter', type: 'std_msgs/String' }]);
  expect(await source.listNodes()).toEqual(['/rosapi', '/rosbridge_websocket']);
  const listener = listen();
  const end = source.subscribe('/chatter', listener);
  await until(() => fake.asked.includes('subscribe /chatter'));
  expect(fake.asked[0]).toBe('set_level warning');
  expect(fake.asked.indexOf('call_service /rosapi/topic_type')).toBeLessThan(fake.asked.indexOf('subscribe /chatter'));
  fake.send('{"op":"publish","topic":"/chatter","msg":{"data":"hello 63090"}}');
  await until(() => listener.heard.length === 1);
  expect(listener.heard).toEqual(['std_msgs/String {"data":"hello 63090"}']);
  end();
  await until(() => fake.asked.includes('unsubscribe /chatter'));
});

test('bytes are bytes and 64-bit integers are exact; frames that are nothing are passed over', async () => {
  await using fake = await startFake();
  fake.types.set('/image', 'sensor_msgs/CompressedImage').set('/count', 'std_msgs/Int64');
  await using source = connect(fake);
  const [image, count] = [listen(), listen()];
  const bytes: unknown[] = [];
  source.subscribe('/image', { ...image, message: (_type, message) => void bytes.push(message) });
  source.subscribe('/count', count);
  await until(() => fake.asked.includes('subscribe /image') && fake.asked.includes('subscribe /count'));
  for (const nothing of [
    '',
    'nonsense',
    '[]',
    'null',
    '{"op":"publish"}',
    '{"op":7}',
    '{"op":"service_response","id":"x"}',
  ])
    fake.send(nothing);
  fake.send('{"op":"publish","topic":"/image","msg":{"header":{},"format":"jpeg","data":"/9j/2Q=="}}');
  fake.send('{"op":"publish","topic":"/count","msg":{"data":9007199254740993}}');
  await until(() => bytes.length === 1 && count.heard.length === 1);
  expect(bytes[0]).toEqual({ header: {}, format: 'jpeg', data: Uint8Array.of(255, 216, 255, 217) });
  expect(count.heard).toEqual(['std_msgs/Int64 {"data":"9007199254740993"}']);
});

test('a topic that is not there, a type that changes and a bridge that restarts are told of', async () => {
  const first = await startFake();
  await using source = connect(first);
  const listener = listen();
  source.subscribe('/late', listener);
  await until(() => listener.said.includes('info: /late has no publisher yet'));
  first.types.set('/late', 'std_msgs/Int64');
  await until(() => first.asked.filter((each) => each === 'subscribe /late').length === 2);
  first.send('{"op":"publish","topic":"/late","msg":{"data":1}}');
  await until(() => listener.heard.length === 1);
  await first[Symbol.asyncDispose]();
  await until(() => listener.said.some((each) => each.endsWith('Retrying')));
  await using second = await startFake(first.port);
  second.types.set('/late', 'std_msgs/String');
  await until(() => second.asked.includes('subscribe /late'));
  second.send('{"op":"publish","topic":"/late","msg":{"data":"text"}}');
  await until(() => listener.heard.length === 2);
  expect(listener.heard).toEqual(['std_msgs/Int64 {"data":"1"}', 'std_msgs/String {"data":"text"}']);
  expect(listener.said).toContain('warn: /late changed its type from std_msgs/Int64 to std_msgs/String');
});

test('without rosapi messages come as they are, and the list says what is missing', async () => {
  await using fake = await startFake();
  fake.hasRosapi = false;
  await using source = connect(fake);
  await expect(source.listTopics()).rejects.toThrow('cannot say topics: Service /rosapi/topics does not exist');
  const listener = listen();
  source.subscribe('/chatter', listener);
  await until(() => fake.asked.includes('subscribe /chatter'));
  fake.send('{"op":"publish","topic":"/chatter","msg":{"data":"hello"}}');
  await until(() => listener.heard.length === 1);
  expect(listener.heard).toEqual(['unknown/unknown {"data":"hello"}']);
});
