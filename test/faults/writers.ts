import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const count = 8;
const pauseMs = 20;
/** Longest time of a request: the limit of a result. */
const longestMs = 14_000;
/** 429: it waited for a slot that requests to a frozen primary hold. */
const expected = [201, 429, 503];

/** What a writer saw. */
interface Heard {
  status: number;
  retryAfter: string | null;
  ms: number;
  id: string | undefined;
}

/** Create sites until they are stopped, without retries, and keep what they heard. */
export function startWriters(call: (method: string, path: string, body: object) => Promise<Response>) {
  const heard: Heard[] = [];
  let isOver = false;
  const running = Promise.all(
    Array.from({ length: count }, async () => {
      while (!isOver) {
        const beganAt = performance.now();
        const response = await call('POST', '/api/sites', { name: randomUUID() });
        const ms = performance.now() - beganAt;
        const { data } = (await response.json()) as { data?: { id: string } };
        heard.push({ status: response.status, retryAfter: response.headers.get('retry-after'), ms, id: data?.id });
        await sleep(pauseMs);
      }
    }),
  );
  return {
    heard,
    count: (status: number) => heard.filter((each) => each.status === status).length,
    async stop() {
      isOver = true;
      await running;
    },
  };
}

/** What `judge` finds after a failover that kept every promise. */
export const kept = { unexpected: [], withoutRetryAfter: [], slow: [], lost: [], doubled: [] };

/** Broken promises. `stored`: all sites. */
export function judge(
  heard: readonly Heard[],
  stored: readonly { id: string }[],
): Record<keyof typeof kept, unknown[]> {
  const ids = new Set(stored.map(({ id }) => id));
  const acknowledged = heard.flatMap(({ id }) => id ?? []);
  return {
    unexpected: heard.filter(({ status }) => !expected.includes(status)),
    withoutRetryAfter: heard.filter(({ status, retryAfter }) => status !== 201 && retryAfter === null),
    slow: heard.filter(({ ms }) => ms >= longestMs),
    lost: acknowledged.filter((id) => !ids.has(id)),
    doubled: acknowledged.filter((id, index) => acknowledged.indexOf(id) !== index),
  };
}
