import { stat } from 'node:fs/promises';
import type { AgentFrame } from '../../../generated/frames.js';
import { digestOf } from './digest.ts';

interface DriftSettings {
  /** Names of the installed kinds, also of those without an order in the journal. Other names may be among them. */
  installed(): Promise<readonly string[]>;
  orders: {
    /** Lanes of the known orders. */
    lanes(): Iterable<string>;
    /** Last order of a lane; undefined while one is carried out, or until the service has acknowledged its end. */
    restOf(lane: string): string | undefined;
  };
  /** SHA-256 of the running release of a kind; null if none runs, undefined if unknown. The signal ends the check. */
  running(kind: string, signal: AbortSignal): Promise<string | null | undefined>;
  /** False if there is no link. */
  send(frame: AgentFrame): boolean;
  /** Interval between checks. Default: 1 min. */
  everyMs?: number | undefined;
}

export interface DriftWatch {
  /** A link is up: checks at once, and reports everything it finds. */
  linkUp(): void;
  /** Also ends programs that a check is running. */
  stop(): void;
}

const minuteMs = 60_000;
/** An unchanged state is sent again after this many checks: the service may have been too busy for it. */
const looksToRepeat = 10;
const releaseLane = 'release:';
/** Number of cached digests. More files than this belong to deleted releases. */
const maxKnown = 100;
const kindName = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Reports to the service which release of each kind runs, except while an order changes it. The service knows what
 * should run. "Nothing runs" is reported only after half an interval: after a boot, releases need time to start.
 */
export function driftWatch({ installed, orders, running, send, everyMs = minuteMs }: DriftSettings): DriftWatch {
  let lastSent: string | undefined;
  let lastSentMs = 0;
  let isLooking = false;
  const stopping = new AbortController();
  /** Kinds whose check is running: a kind whose check hangs is skipped until it ends. */
  const busy = new Set<string>();
  const goneMs = new Map<string, number>();
  const timer = setInterval(() => void look(), everyMs);

  async function kinds(): Promise<string[]> {
    const lanes = [...orders.lanes()].filter((lane) => lane.startsWith(releaseLane));
    const names = [...lanes.map((lane) => lane.slice(releaseLane.length)), ...(await installed())];
    return [...new Set(names)].filter((name) => kindName.test(name)).sort();
  }

  /** What runs, and after which order; undefined if unknown now. */
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
    // An order may have begun while other kinds were checked.
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

/** SHA-256 of files, in hex. A file is read again only if it was replaced or changed. */
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
