import { setTimeout as sleep } from 'node:timers/promises';
import type { Desired } from '../../generated/frames.js';
import { connectAgent, type FakeAgent } from '../support/fake-agent.ts';
import type { Identity } from '../support/robots.ts';

const relinkMs = 100;
/** How long a robot works on an order. */
const workMs = 40;

/** What a robot was given to do, once for each order. */
export interface Carried {
  robotId: string;
  orderId: string;
  deployments: string[];
  sha256: string; // of the artifact
  status: string;
}

/** Robots that carry out each order once, whatever becomes of their links, and say again what came of it. `willFail`: by artifact and robot. */
export function rolloutRobots(
  url: string,
  identities: readonly Identity[],
  willFail: (sha256: string, robotId: string) => boolean,
) {
  const links = new Map<string, FakeAgent>();
  const carried: Carried[] = [];
  let events = 0;
  let awaited: { at: number; wake: () => void } | undefined;
  let over = false;
  const isOver = () => over; // as a function: it changes while links are awaited

  function happens(): void {
    events += 1;
    if (awaited && events >= awaited.at) awaited.wake();
  }

  async function carry(
    robotId: string,
    { order_id: orderId, deployments, payload = '' }: Desired['items'][number],
  ): Promise<void> {
    const report = (status: string, digest?: string) => {
      const { socket, send } = links.get(robotId) ?? {};
      if (socket?.readyState === socket?.OPEN)
        send?.({ type: 'report', order_id: orderId, status, ...(digest !== undefined && { digest }) });
    };
    const known = carried.find((each) => each.orderId === orderId);
    if (known) return report(known.status, known.sha256);
    const { release } = JSON.parse(payload) as { release: { artifact_sha256: string } };
    const sha256 = release.artifact_sha256;
    const order = { robotId, orderId, deployments, sha256, status: 'downloading' };
    carried.push(order);
    happens();
    report(order.status);
    await sleep(workMs);
    order.status = willFail(sha256, robotId) ? 'failed' : 'applied';
    happens();
    report(order.status, order.status === 'applied' ? sha256 : undefined);
  }

  async function live({ robot_id: robotId, robot_token: token }: Identity): Promise<void> {
    for (; !isOver(); await sleep(relinkMs)) {
      const agent = await connectAgent(url, token).catch(() => undefined); // the service is down
      if (!agent) continue;
      agent.socket.on('error', () => undefined);
      agent.socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as { type: string; items?: Desired['items'] };
        if (frame.type === 'desired') for (const item of frame.items ?? []) void carry(robotId, item);
      });
      links.set(robotId, agent);
      agent.hello({ capabilities: { orders: true } });
      if (isOver()) agent.socket.terminate();
      await agent.closed;
      links.delete(robotId);
    }
  }

  const living = identities.map(live);
  return {
    carried,
    linked: () => links.size,
    /** Resolves at the n-th event from now on: an order that comes, or the end of one. */
    event: (n: number) =>
      n === 0 ? Promise.resolve() : new Promise<void>((resolve) => (awaited = { at: events + n, wake: resolve })),
    async [Symbol.asyncDispose]() {
      over = true;
      for (const { socket } of links.values()) socket.terminate();
      await Promise.all(living);
    },
  };
}
