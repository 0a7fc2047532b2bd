import { setTimeout as sleep } from 'node:timers/promises';
import { connectAgent } from '../../support/fake-agent.ts';
import type { Fleet } from './fleet.ts';
import type { History, LinkSpan } from './history.ts';
import type { FaultService } from './service.ts';

const count = 3;
const pingMs = 1_000;
/** As agents do. */
const deadAfterMs = 30_000;
const retryMs = 500;
const lookEveryMs = 1_000;
/** A response that took longer may be of any moment in between. */
const promptMs = 1_000;

/** Robots that keep their links, know until when these worked, and are looked at in the API. */
export async function startWitnesses(service: FaultService, fleet: Fleet, history: History) {
  let isOver = false;
  const isRunning = () => !isOver; // as a function: it changes while responses are awaited

  /** One link, until it ends or the service is silent. */
  async function link(robotId: string, token: string): Promise<void> {
    using agent = await connectAgent(service.url, token);
    agent.hello();
    await agent.next('welcome');
    const span: LinkSpan = { robotId, startMs: performance.now(), heardMs: performance.now() };
    history.links.push(span);
    for (const event of ['message', 'pong']) agent.socket.on(event, () => (span.heardMs = performance.now()));
    const isUp = () => agent.socket.readyState === agent.socket.OPEN && performance.now() - span.heardMs < deadAfterMs;
    while (isRunning() && isUp()) {
      agent.socket.ping();
      agent.send({ type: 'heartbeat' });
      await sleep(pingMs);
    }
  }

  async function keepLinked(robotId: string, token: string): Promise<void> {
    while (isRunning()) {
      await link(robotId, token).catch(() => undefined);
      if (isRunning()) await sleep(retryMs);
    }
  }

  async function look(robotId: string): Promise<void> {
    const headers = { Authorization: `Bearer ${service.token}` };
    for (; isRunning(); await sleep(lookEveryMs)) {
      const atMs = performance.now();
      const signal = AbortSignal.timeout(promptMs);
      const response = await fetch(`${service.url}/api/robots/${robotId}`, { headers, signal }).catch(() => undefined);
      const body = response?.ok ? await response.json().catch(() => undefined) : undefined;
      if (body) history.sightings.push({ robotId, atMs, online: (body as { data: { online: boolean } }).data.online });
    }
  }

  const robots = await Promise.all(Array.from({ length: count }, () => fleet.enroll()));
  const running = robots.flatMap(({ robotId, token }) => [keepLinked(robotId, token), look(robotId)]);
  return {
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}
