import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../transport/backoff.ts';
import type { Api } from '../../api/api.ts';
import { CliError } from '../../command-line/errors.ts';
import type { ConnectionState } from './data.ts';
import type { Failure } from './freshness.ts';
import { failureKindOf } from './failure-kind.ts';
import { createStore, type Readable } from './store.ts';
import { failureOf } from './failure.ts';

interface ConnectionMonitorSettings {
  /** The client of the signed-in user. */
  api: () => Promise<Api>;
  now: () => number;
  random?: (() => number) | undefined;
  /** Timeout of a read: until then, old data on the screen would pass for live. Default: 10 s. */
  answerWithinMs?: number | undefined;
}

interface CallOptions {
  /** Its failures make the service degraded, until it succeeds or is forgotten. Default: none. */
  name?: string;
  /** Called with the response time. */
  onAnswer?: (ms: number) => void;
  /** It changes something: no timeout, since the outcome would be unknown. Default: false. */
  changes?: boolean;
  /**
   * A robot responds: a silent or busy one says nothing about the service, and the timeout is longer. Default: false.
   */
  isOfOneRobot?: boolean;
}

/**
 * The connection to the service, as seen by all calls together:
 *
 *   connecting    no response yet
 *   live          calls get responses
 *   degraded      calls get responses, some with failures of the service
 *   reconnecting  no response: a probe retries after 1 to 30 s, at most 5 s while the user is active; all others wait
 *   resting       429, 503, or 401 of a suspended org: no requests for at most 60 s, then the probe
 *   signedOut     401: no requests until a sign-in
 */
export interface ConnectionMonitor {
  state: Readable<ConnectionState>;
  /** Makes a call, and updates the state from its outcome. Rejects as the call does. */
  call<T>(run: (api: Api) => Promise<T>, options?: CallOptions): Promise<T>;
  /** Updates the state from an error of a call or live stream. */
  learn(error: unknown): void;
  /** Why requests are blocked; undefined: they are not. */
  blockingFailure(): Failure | undefined;
  /** Resolves when requests are allowed, or the signal aborts. */
  free(signal: AbortSignal): Promise<void>;
  /** The user is active: the next retry must come soon. */
  attend(): void;
  /** Retries now if there was no response, or a 503. */
  tryNow(): void;
  /** The shortest recent response time, in ms: the excess of longer ones is work. */
  shortestMs(): number;
  forget(name: string): void;
  /** A user signed in: outcomes of earlier requests are ignored. */
  renew(): void;
  end(): void;
}

const usualAnswerWithinMs = 10_000;
/** Extra time for a response from a robot: the service forwards the request, and times out earlier. */
const robotsTakeMs = 5_000;
/** A key press counts as activity for this long; meanwhile a retry waits at most `attendedWaitMs`. */
const attendsForMs = 60_000;
const attendedWaitMs = 5_000;
/** A proxy may request hours, and the outage may be over sooner: a probe costs little. */
const longestRestMs = 60_000;
/** Weight of each response time in the displayed latency. */
const smoothing = 0.2;
/** Each response raises the shortest time by this factor: the network may have become slower. */
const forgetting = 1.02;

export function createConnectionMonitor({
  api,
  now,
  random,
  answerWithinMs = usualAnswerWithinMs,
}: ConnectionMonitorSettings): ConnectionMonitor {
  const state = createStore<ConnectionState>({ kind: 'connecting' });
  const failing = new Map<string, Failure>();
  const waiting = new Set<() => void>();
  let waits = backoffMs(random);
  let timer: NodeJS.Timeout | undefined;
  let [attempt, era, answers, latencyMs, shortestMs] = [0, 0, 0, 0, Infinity];
  let attendedMs = Number.NEGATIVE_INFINITY;
  let isOver = false;

  async function call<T>(run: (api: Api) => Promise<T>, options: CallOptions = {}) {
    const { name, onAnswer, changes = false, isOfOneRobot = false } = options;
    const [mine, startedMs] = [era, now()];
    try {
      const work = api().then(run);
      const answer = await (changes
        ? work
        : inTime(work, isOfOneRobot ? answerWithinMs + robotsTakeMs : answerWithinMs));
      const tookMs = now() - startedMs;
      onAnswer?.(tookMs);
      if (mine === era) {
        latencyMs = latencyMs === 0 ? tookMs : latencyMs + (tookMs - latencyMs) * smoothing;
        shortestMs = Math.min(tookMs, shortestMs * forgetting);
        if (name !== undefined) failing.delete(name);
        answered();
      }
      return answer;
    } catch (error) {
      if (mine === era && (!isOfOneRobot || isOfWhoAsks(error))) learn(error, name);
      throw error;
    }
  }

  function inTime<T>(work: Promise<T>, withinMs = answerWithinMs): Promise<T> {
    const done = new AbortController();
    const late = pause(withinMs, undefined, { signal: done.signal }).then(() => {
      throw new CliError(`no response within ${withinMs / 1000} s`, { hint: 'Retrying automatically.' });
    });
    // Aborting rejects it after the race, without a listener.
    late.catch(() => undefined);
    return Promise.race([work, late]).finally(() => done.abort());
  }

  function learn(error: unknown, name?: string, isProbe = false): void {
    if (isOver || !(error instanceof CliError)) return;
    const failure = failureOf(error);
    const { kind } = state.get();
    switch (failureKindOf(error)) {
      case 'nothing':
        return;
      case 'lost':
        // Other requests in flight fail with the first.
        if (isProbe || kind === 'connecting' || kind === 'live' || kind === 'degraded') lose(failure);
        return;
      case 'signedOut':
        clearTimeout(timer);
        return state.set({ kind: 'signedOut', failure });
      case 'resting':
        if (isProbe || kind !== 'signedOut') rest(failure, error);
        return;
      case 'failing':
        if (name !== undefined) failing.set(name, failure);
        return answered(isProbe);
      case 'own':
        if (name !== undefined) failing.delete(name);
        return answered(isProbe);
    }
  }

  function lose(failure: Failure): void {
    attempt += 1;
    const isAttended = now() - attendedMs < attendsForMs;
    const waitMs = Math.min(waits.next().value, isAttended ? attendedWaitMs : Infinity);
    state.set({ kind: 'reconnecting', attempt, nextAtMs: now() + waitMs, failure });
    probeIn(waitMs);
  }

  /**
   * Moves the next retry to at most `ms` from now; a retry already in flight is enough. A wait that the service
   * requested is only cut short `afterOutage`, if that was a 503.
   */
  function bringForward(ms: number, afterOutage = false): void {
    const before = state.get();
    const isOutage = afterOutage && before.kind === 'resting' && before.status === 503;
    if (isOver || (before.kind !== 'reconnecting' && !isOutage) || before.nextAtMs <= now() + ms) return;
    state.set({ ...before, nextAtMs: now() + ms });
    probeIn(ms);
  }

  function rest(failure: Failure, { status = 0, retryAfterSeconds: seconds }: CliError): void {
    const waitMs = seconds === undefined ? waits.next().value : Math.min(seconds * 1_000, longestRestMs);
    const before = state.get();
    const nextAtMs = Math.max(now() + waitMs, before.kind === 'resting' ? before.nextAtMs : 0);
    state.set({ kind: 'resting', status, nextAtMs, failure });
    probeIn(nextAtMs - now());
  }

  function probeIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void probe(), ms);
  }

  async function probe(): Promise<void> {
    const [mine, answersBefore] = [era, answers];
    const failure = await inTime(api().then((client) => client.get('/api/whoami', {}))).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    // An answer to another call since then is newer.
    if (mine !== era || answers !== answersBefore || isOver) return;
    if (failure && failureKindOf(failure.error) === 'nothing') return lose(failureOf(failure.error));
    if (failure) learn(failure.error, undefined, true);
    else answered(true);
  }

  /** A response came. `resting` and `signedOut` end only by the probe or a sign-in. */
  function answered(isProbe = false): void {
    const { kind } = state.get();
    if (isOver || kind === 'signedOut' || (kind === 'resting' && !isProbe)) return;
    clearTimeout(timer);
    answers += 1;
    attempt = 0;
    waits = backoffMs(random);
    tell();
    for (const go of [...waiting]) go();
  }

  function tell(): void {
    const before = state.get();
    const [failure] = failing.values();
    if (failure) {
      if (before.kind !== 'degraded' || before.failure.message !== failure.message)
        state.set({ kind: 'degraded', failure });
    } else if (before.kind !== 'live' || isOtherwise(latencyMs, before.latencyMs))
      state.set({ kind: 'live', latencyMs });
  }

  const blockingFailure = () => {
    const now = state.get();
    return now.kind === 'reconnecting' || now.kind === 'resting' || now.kind === 'signedOut' ? now.failure : undefined;
  };

  return {
    state,
    call,
    learn: (error) => learn(error),
    blockingFailure,
    free: (signal) =>
      new Promise((resolve) => {
        const go = () => {
          waiting.delete(go);
          signal.removeEventListener('abort', go);
          resolve();
        };
        waiting.add(go);
        signal.addEventListener('abort', go);
        if (signal.aborted || !blockingFailure()) go();
      }),
    attend() {
      attendedMs = now();
      bringForward(attendedWaitMs);
    },
    tryNow: () => bringForward(0, true),
    shortestMs: () => shortestMs,
    forget(name) {
      if (failing.delete(name) && state.get().kind === 'degraded') tell();
    },
    renew() {
      era += 1;
      clearTimeout(timer);
      failing.clear();
      [attempt, waits] = [0, backoffMs(random)];
      state.set({ kind: 'connecting' });
      for (const go of [...waiting]) go();
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** The caller is not signed in, or exceeds the rate limit. */
const isOfWhoAsks = (error: unknown) =>
  error instanceof CliError && (error.code === 'unauthorized' || error.status === 429);

/** Whether the difference is visible: the header is not redrawn for less. */
const isOtherwise = (ms: number, shownMs: number) => Math.abs(ms - shownMs) > Math.max(5, shownMs * 0.2);
