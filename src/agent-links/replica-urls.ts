import { setTimeout as sleep } from 'node:timers/promises';

/** By replica; null for a replica without a URL. */
type Urls = ReadonlyMap<string, string | null>;

/** Minimum time between reads of all URLs, however many unknown replicas are asked for. */
const readEveryMs = 100;
/** How long a read is trusted: less than a lease, after which a replica counts as dead. */
const believeMs = 5_000;

/**
 * The URL of a replica; undefined if it is not alive. An unknown replica is looked up by a read that starts after the
 * request.
 */
export function replicaUrls(readAll: () => Promise<Urls>): (id: string) => Promise<string | null | undefined> {
  let known: Urls = new Map();
  let readMs = -Infinity; // when the last read started
  let next: Promise<Urls> | undefined; // not started yet

  async function read(): Promise<Urls> {
    await sleep(Math.max(0, readMs + readEveryMs - performance.now()));
    next = undefined;
    readMs = performance.now();
    return (known = await readAll());
  }

  return async (id) => {
    if (known.has(id) && performance.now() - readMs < believeMs) return known.get(id);
    return (await (next ??= read())).get(id);
  };
}
