import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const topic = '/lidar/scan';
const type = 'sensor_msgs/LaserScan';

interface Request {
  op: string;
  id?: string;
  service?: string;
}

/** A rosbridge with one topic, a laser scanner: the agent is the real one, and no ROS is needed. */
export async function startLaserScanner(): Promise<{ url: string } & AsyncDisposable> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket) => {
    const send = (frame: object) => socket.send(JSON.stringify(frame));
    let timer: NodeJS.Timeout | undefined;
    socket.on('close', () => clearInterval(timer));
    socket.on('message', (data: Buffer) => {
      const { op, id, service = '' } = JSON.parse(data.toString()) as Request;
      if (op === 'call_service') send({ op: 'service_response', id, service, ...answerOf(service) });
      if (op === 'subscribe' || op === 'unsubscribe') clearInterval(timer);
      if (op !== 'subscribe') return;
      let sequence = 320;
      timer = setInterval(() => send({ op: 'publish', topic, msg: scan((sequence += 1)) }), 200);
    });
  });
  return {
    url: `rosbridge://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerOf(service: string): { result: boolean; values: unknown } {
  if (service.endsWith('/topics')) return { result: true, values: { topics: [topic], types: [type] } };
  if (service.endsWith('/topic_type')) return { result: true, values: { type } };
  return { result: false, values: `${service} does not exist` };
}

/** Distances to the walls of a room, in metres. */
function scan(sequence: number) {
  const nowMs = Date.now();
  const ranges = Array.from({ length: 720 }, (_, index) => {
    const angle = (index / 720) * 2 * Math.PI;
    return Math.round(100 * Math.min(4 / Math.abs(Math.cos(angle)), 2.5 / Math.abs(Math.sin(angle)))) / 100;
  });
  return {
    header: {
      seq: sequence,
      stamp: { secs: Math.floor(nowMs / 1000), nsecs: (nowMs % 1000) * 1e6 },
      frame_id: 'lidar',
    },
    angle_min: -3.14159,
    angle_max: 3.14159,
    angle_increment: 0.00873,
    range_min: 0.1,
    range_max: 25,
    ranges,
    intensities: [],
  };
}
