import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** The response to an order. */
export interface Acknowledged {
  id: string;
  /** The whole body of the response. */
  text: string;
  /** It was carried out before, and that response was lost. */
  isReplay: boolean;
  /** Sends the same request again; returns the new response. */
  again(): Promise<Pick<Acknowledged, 'text' | 'isReplay'>>;
}

export interface OrderStream {
  /** In order of arrival. */
  acknowledged: Acknowledged[];
  /** Unexpected responses: the service may be unavailable (503) or the key in flight (409), nothing else. */
  refusals: string[];
  /** While true it starts no order; the current one is retried until it gets a response. */
  isResting: boolean;
  /** It rests, and no request is pending. */
  readonly isIdle: boolean;
  /** Starts no more orders; resolves when the last one is acknowledged. */
  stop(): Promise<void>;
}

const pauseMs = 100;
/** Stands for a missing status. */
const unanswered = 0;

/**
 * Orders a config and a program for a robot in turn. Each has its own key and is retried until it gets a response,
 * whatever happens to the service.
 */
export function streamOrders(url: string, token: string, robotId: string, releaseId: string): OrderStream {
  const acknowledged: Acknowledged[] = [];
  let stopped = false;
  let isIdle = false;
  const stream: OrderStream = {
    acknowledged,
    refusals: [],
    isResting: false,
    get isIdle() {
      return isIdle;
    },
    async stop() {
      stopped = true;
      await running;
    },
  };

  async function send(path: string, body: object, key: string) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key };
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body), signal });
    const isReplay = answer.headers.get('idempotent-replayed') === 'true';
    return { status: answer.status, text: await answer.text(), isReplay };
  }

  /** Retries until it gets a response. */
  async function post(path: string, body: object, key: string): Promise<{ text: string; isReplay: boolean }> {
    for (;;) {
      const { status, ...answer } = await send(path, body, key).catch(() => ({
        status: unanswered,
        text: '',
        isReplay: false,
      }));
      if (status === 200 || status === 201) return answer;
      if (![unanswered, 409, 503].includes(status)) stream.refusals.push(`${path}: ${status} ${answer.text}`);
      await sleep(pauseMs);
    }
  }

  const idOf = (text: string) => (JSON.parse(text) as { data: { id: string } }).data.id;

  async function order(path: string, body: object): Promise<void> {
    isIdle = stream.isResting;
    while (stream.isResting && !stopped) await sleep(pauseMs);
    isIdle = false;
    const key = randomUUID();
    const { text, isReplay } = await post(path, body, key);
    acknowledged.push({ id: idOf(text), text, isReplay, again: () => post(path, body, key) });
  }

  async function run(): Promise<void> {
    const target = { target_kind: 'robot', target_id: robotId };
    for (let number = 1; !stopped; number += 1) {
      const config = await post('/api/configs', { key: 'round', value: number }, randomUUID());
      await order('/api/configs/deployments', { config_id: idOf(config.text), ...target });
      await sleep(pauseMs);
      await order('/api/deployments', { release_id: releaseId, ...target });
      await sleep(pauseMs);
    }
  }

  const running = run();
  return stream;
}
