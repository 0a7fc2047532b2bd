import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { openCameras, type CameraOffer } from '../../../../cli/agent/camera/offer.ts';
import { camerasOf } from '../../../../cli/agent/camera/spec.ts';
import type { RosSource } from '../../../../cli/agent/ros/source.ts';
import { streamManager } from '../../../../cli/agent/streams/stream-manager.ts';
import type { Refused } from '../../../../generated/frames.js';
import { patienceMs, until, within } from '../../../support/until.ts';

/** The cameras of an agent, with a service that only requests them. */
export interface CameraDesk extends AsyncDisposable {
  /** Requests a camera; returns the service's end once the agent dialled back, or the agent's refusal. */
  open(camera?: string, perSecond?: number | null): Promise<CameraStream | Refused>;
  /** The same, for a request that is not refused. */
  look(camera?: string, perSecond?: number | null): Promise<CameraStream>;
  /** The agent's messages about its cameras. */
  told: string[];
  stop(): Promise<void>;
}

export interface CameraStream {
  pictures: Buffer[];
  closed: Promise<{ code: number; reason: string }>;
  rate(perSecond: unknown): void;
  leave(): void;
  /** Stops reading, like a viewer on a stalled network. */
  pause(): void;
  resume(): void;
  has(pictures: number): Promise<void>;
}

export async function startCameraDesk(
  cameras: readonly string[],
  times: CameraOffer['times'] = {},
  graphs: readonly RosSource[] = [],
): Promise<CameraDesk> {
  const environment = { PATH: process.env['PATH'] ?? '' };
  const streams = new Map<string, CameraStream>();
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (socket, request) => {
    const pictures: Buffer[] = [];
    socket.on('message', (data: Buffer) => void pictures.push(data));
    const closed = new Promise<{ code: number; reason: string }>((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
    streams.set(request.url ?? '', {
      pictures,
      closed,
      rate: (perSecond) => socket.send(JSON.stringify({ type: 'rate', per_second: perSecond })),
      leave: () => socket.close(1000),
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      has: (count) =>
        within(
          until(() => pictures.length >= count),
          patienceMs,
          () => `there are ${pictures.length} pictures`,
        ),
    });
  });
  await until(() => server.address() !== null);
  const told: string[] = [];
  const refusals = new Map<string, Refused>();
  const trouble = (_name: string, message: string) => void told.push(message);
  const opener = openCameras(
    { cameras: camerasOf(cameras), times },
    { environment, graphs, troubles: { is: trouble, over: trouble } },
  );
  const desk = streamManager({
    backendUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    socketOptions: {},
    openers: { camera: opener },
    send: (frame) => void refusals.set(frame.session_id, frame),
  });
  await opener;
  let asked = 0;
  async function open(camera?: string, perSecond: number | null = null): Promise<CameraStream | Refused> {
    const id = `s-${(asked += 1)}`;
    const path = `/agent/streams/${id}`;
    const parameters = { ...(camera !== undefined && { camera }), per_second: perSecond };
    const expires = new Date(Date.now() + 10_000).toISOString();
    desk.open({ type: 'open', session_id: id, kind: 'camera', path, secret: 'x', expires_at: expires, parameters });
    await within(
      until(() => streams.has(path) || refusals.has(id)),
      patienceMs,
      () => 'the agent does not dial back',
    );
    return streams.get(path) ?? (refusals.get(id) as Refused);
  }
  return {
    open,
    told,
    async look(camera, perSecond) {
      const opened = await open(camera, perSecond);
      if ('type' in opened) throw new Error(opened.message);
      return opened;
    },
    stop: () => desk.stop(),
    async [Symbol.asyncDispose]() {
      await desk.stop();
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
