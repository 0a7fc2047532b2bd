import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { openRosGraphs } from '../../../../cli/agent/ros/offer.ts';
import { streamManager } from '../../../../cli/agent/streams/stream-manager.ts';
import type { Refused } from '../../../../generated/frames.js';
import type { TopicGap, TopicList, TopicRecord, TopicStatus } from '../../../../generated/media.js';
import { patienceMs, until, within } from '../../../support/until.ts';

export type TopicFrame = TopicRecord | TopicGap | TopicStatus;

export interface TopicStream {
  texts: string[];
  /** Messages; other frame types have no slash. */
  records(): TopicRecord[];
  words(): (TopicGap | TopicStatus)[];
  closed: Promise<{ code: number; reason: string }>;
  send(frame: unknown): void;
  leave(): void;
  /** Stops reading, like a viewer on a stalled network. */
  pause(): void;
  resume(): void;
}

/** The ROS graphs of an agent, with a service that only requests their topics. */
export interface TopicDesk extends AsyncDisposable {
  open(kind: 'topic' | 'topics', parameters?: Record<string, unknown>): Promise<TopicStream | Refused>;
  /** The stream of a topic that is not refused. */
  echo(topic: string, parameters?: Record<string, unknown>): Promise<TopicStream>;
  list(): Promise<TopicList>;
  stop(): Promise<void>;
}

export async function startTopicDesk(urls: readonly string[]): Promise<TopicDesk> {
  const streams = new Map<string, TopicStream>();
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (socket, request) => {
    const texts: string[] = [];
    const frames: TopicFrame[] = [];
    socket.on('message', (data: Buffer) => {
      texts.push(data.toString());
      frames.push(JSON.parse(data.toString()) as TopicFrame);
    });
    streams.set(request.url ?? '', {
      texts,
      records: () => frames.filter((frame): frame is TopicRecord => frame.type.includes('/')),
      words: () => frames.filter((frame): frame is TopicGap | TopicStatus => !frame.type.includes('/')),
      closed: new Promise((resolve) =>
        socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
      ),
      send: (frame) => socket.send(JSON.stringify(frame)),
      leave: () => socket.close(1000),
      pause: () => socket.pause(),
      resume: () => socket.resume(),
    });
  });
  await until(() => server.address() !== null);
  const refusals = new Map<string, Refused>();
  const ros = await openRosGraphs(
    { urls, hostname: '127.0.0.1', sendsRosout: false, tellsHealth: false },
    `desk ${urls.join()}`,
  );
  const desk = streamManager({
    backendUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    socketOptions: {},
    openers: { topic: Promise.resolve(ros.topic), topics: Promise.resolve(ros.topics) },
    send: (frame) => void refusals.set(frame.session_id, frame),
  });
  let asked = 0;

  async function open(
    kind: 'topic' | 'topics',
    parameters: Record<string, unknown> = {},
  ): Promise<TopicStream | Refused> {
    const id = `s-${(asked += 1)}`;
    const path = `/agent/streams/${id}`;
    const expires = new Date(Date.now() + 10_000).toISOString();
    desk.open({ type: 'open', session_id: id, kind, path, secret: 'x', expires_at: expires, parameters });
    await within(
      until(() => streams.has(path) || refusals.has(id)),
      patienceMs,
      () => 'the agent does not dial back',
    );
    return streams.get(path) ?? (refusals.get(id) as Refused);
  }

  async function opened(...args: Parameters<typeof open>): Promise<TopicStream> {
    const stream = await open(...args);
    if ('type' in stream) throw new Error(stream.message);
    return stream;
  }

  const stop = async () => {
    await Promise.all([desk.stop(), ros.stop()]);
  };
  return {
    open,
    echo: (topic, parameters = {}) => opened('topic', { per_second: null, ...parameters, topic }),
    async list() {
      const stream = await opened('topics');
      const { code, reason } = await stream.closed;
      if (code !== 1000) throw new Error(`${code} ${reason}`);
      return JSON.parse(stream.texts[0] ?? '') as TopicList;
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
