import { setTimeout as sleep } from 'node:timers/promises';

/** By replica; null for one that does not say where it is reached. */
type Urls = ReadonlyMap<string, string | null>;

/** All of them are read so often at most, however many are asked for that never were. */
const readEveryMs = 100;
/** What was read is believed for so long: less than a lease, after which a replica counts as dead. */
const believeMs = 5_000;

/** Where replicas are reached; undefined for one that is not alive. Who is not known is looked for by a read that begins after the question. */
export function replicaUrls(readAll: () => Promise<Urls>): (id: string) => Promise<string | null | undefined> {
  let known: Urls = new Map();
  let readMs = -Infinity; // when it was begun
  let next: Promise<Urls> | undefined; // not begun yet

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
