import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface OrderStream {
  /** Ids of the deployments that were acknowledged, by their idempotency keys. */
  acknowledged: Map<string, string>;
  /** No more orders; resolves when the last one is acknowledged. */
  stop(): Promise<void>;
}

const pauseMs = 100;

/**
 * Orders a config and a program for a robot in turn, each under a key of its own that is sent until it is answered, whatever becomes of the
 * service.
 */
export function streamOrders(url: URL, token: string, robotId: string, releaseId: string): OrderStream {
  const acknowledged = new Map<string, string>();
  let stopped = false;

  async function post(path: string, body: object): Promise<string> {
    const key = randomUUID();
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key };
    for (;;) {
      try {
        const signal = AbortSignal.timeout(5_000);
        const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body), signal });
        const { data } = (await answer.json()) as { data?: { id: string } };
        if (answer.ok && data) {
          if (path.endsWith('deployments')) acknowledged.set(key, data.id);
          return data.id;
        }
        if (answer.status < 500 && answer.status !== 409) throw new Refused(`${path} was answered ${answer.status}`);
      } catch (error) {
        if (error instanceof Refused) throw error; // anything else: it is away
      }
      await sleep(pauseMs);
    }
  }

  async function run(): Promise<void> {
    const target = { target_kind: 'robot', target_id: robotId };
    for (let number = 1; !stopped; number += 1) {
      const config_id = await post('/api/configs', { key: 'round', value: number });
      await post('/api/configs/deployments', { config_id, ...target });
      await sleep(pauseMs);
      await post('/api/deployments', { release_id: releaseId, ...target });
      await sleep(pauseMs);
    }
  }

  const running = run();
  return {
    acknowledged,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

class Refused extends Error {}
