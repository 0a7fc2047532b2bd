import { readdir, stat } from 'node:fs/promises';
import type { AgentFrame } from '../../../generated/frames.js';
import { digestOf } from './digest.ts';

interface DriftSettings {
  /** Where releases are installed, a folder a kind: it tells of kinds whose orders are forgotten. */
  folder: string;
  orders: {
    /** Of the orders that are known. */
    lanes(): Iterable<string>;
    /** Which order was the last of a lane; undefined while one is carried out or the service does not know its end. */
    restOf(lane: string): string | undefined;
  };
  /** SHA-256 of what runs of a kind; null where nothing does, undefined where nobody can tell. The signal ends what it asks. */
  running(kind: string, signal: AbortSignal): Promise<string | null | undefined>;
  /** False if there is no link. */
  send(frame: AgentFrame): boolean;
  /** From one look to the next; default: a minute. */
  everyMs?: number | undefined;
}

export interface DriftWatch {
  /** A link began: looks at once, and tells all that it finds. */
  linkUp(): void;
  /** Programs that are being asked are ended. */
  stop(): void;
}

const minuteMs = 60_000;
/** What is the same as before goes again after so many looks: the service may have had no time for it. */
const looksToRepeat = 10;
const releaseLane = 'release:';
/** Files whose digests are kept; more are of releases that are gone. */
const maxKnown = 100;
/** What no kind is called is no folder of one. */
const kindName = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Tells the service what runs of each kind of release, where no order changes it at that moment. It is the service that knows what should run. That
 * nothing runs is told only when it was so for half the time between two looks: a machine that boots is not there at once.
 */
export function driftWatch({ folder, orders, running, send, everyMs = minuteMs }: DriftSettings): DriftWatch {
  let lastSent: string | undefined;
  let lastSentMs = 0;
  let isLooking = false;
  const stopping = new AbortController();
  /** Kinds that are being looked at: one whose look hangs is left alone until it ends. */
  const busy = new Set<string>();
  const goneMs = new Map<string, number>();
  const timer = setInterval(() => void look(), everyMs);

  async function kinds(): Promise<string[]> {
    const lanes = [...orders.lanes()].filter((lane) => lane.startsWith(releaseLane));
    const folders = await readdir(folder).catch(() => []);
    const names = [...lanes.map((lane) => lane.slice(releaseLane.length)), ...folders];
    return [...new Set(names)].filter((name) => kindName.test(name)).sort();
  }

  /** What runs, and after which order; undefined where it cannot be told now. */
  async function find(kind: string) {
    const lane = `${releaseLane}${kind}`;
    const after = orders.restOf(lane);
    if (after === undefined || busy.has(kind)) return undefined;
    busy.add(kind);
    const digest = await running(kind, stopping.signal)
      .catch(() => undefined)
      .finally(() => busy.delete(kind));
    const sinceMs = goneMs.get(kind) ?? performance.now();
    if (digest === null) goneMs.set(kind, sinceMs);
    else goneMs.delete(kind);
    if (digest === undefined || (digest === null && performance.now() - sinceMs < everyMs / 2)) return undefined;
    return { lane, after, digest };
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const looks = (await kinds()).map(find);
    const timeLimit = new Promise<undefined>((resolve) => setTimeout(resolve, everyMs / 2, undefined).unref());
    const found = await Promise.all(looks.map((each) => Promise.race([each, timeLimit])));
    isLooking = false;
    // An order may have begun while others were looked at.
    const still = found.flatMap((each) => (each && orders.restOf(each.lane) === each.after ? [each] : []));
    if (!stopping.signal.aborted && still.length > 0) tell(still);
  }

  function tell(found: readonly { lane: string; after: string; digest: string | null }[]): void {
    const state = JSON.stringify(found);
    const now = performance.now();
    if (state === lastSent && now - lastSentMs < looksToRepeat * everyMs) return;
    const lanes = Object.fromEntries(found.map(({ lane, digest }) => [lane, digest]));
    if (send({ type: 'running', lanes })) [lastSent, lastSentMs] = [state, now];
  }

  return {
    linkUp() {
      lastSent = undefined;
      void look();
    },
    stop() {
      stopping.abort();
      clearInterval(timer);
    },
  };
}

/** SHA-256 of files in hex, each read anew only when it is another one or was changed. */
export function digestsOfUnchanged(): (path: string) => Promise<string> {
  const known = new Map<string, { mark: string; digest: string }>();
  return async (path) => {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    const mark = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
    const before = known.get(path);
    if (before?.mark === mark) return before.digest;
    const digest = await digestOf(path);
    if (known.size >= maxKnown) known.clear();
    known.set(path, { mark, digest });
    return digest;
  };
}
