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
  /** A read that takes longer is given up: what is on the screen would pass for live meanwhile. Default: 10 s. */
  answerWithinMs?: number | undefined;
}

interface CallOptions {
  /** Whose failures make the service degraded, until it succeeds or is forgotten. Default: nobody's. */
  name?: string;
  /** Hears how long the answer took. */
  onAnswer?: (ms: number) => void;
  /** It changes something: it is waited for, since nobody could say whether it was done. Default: false. */
  changes?: boolean;
  /** A robot answers it: that one is mute or busy says nothing of the service, and its answer takes longer. Default: false. */
  isOfOneRobot?: boolean;
}

/**
 * The connection to the service, as all calls together find it:
 *
 *   connecting    nothing has answered yet
 *   live          calls are answered
 *   degraded      calls are answered, some with failures of the service
 *   reconnecting  nothing answers: a probe asks after 1 to 30 s, while somebody is there 5 s at most; everybody else waits for it
 *   resting       429 or 503: nobody asks until then, and then the probe
 *   signedOut     401: nobody asks until somebody signs in
 */
export interface ConnectionMonitor {
  state: Readable<ConnectionState>;
  /** Calls, and learns from how that went. Rejects as the call does. */
  call<T>(run: (api: Api) => Promise<T>, options?: CallOptions): Promise<T>;
  /** What a call or a live stream met. */
  learn(error: unknown): void;
  /** Why nobody asks now; undefined: all may. */
  blockingFailure(): Failure | undefined;
  /** Resolves when all may ask, or the signal comes. */
  free(signal: AbortSignal): Promise<void>;
  /** Somebody is there, who is not kept waiting long. */
  attend(): void;
  /** Where nothing answered, asks now. */
  tryNow(): void;
  /** The shortest time an answer took lately, in ms: the rest of longer ones is work. */
  shortestMs(): number;
  forget(name: string): void;
  /** Somebody signed in: what is on its way from before says nothing any more. */
  renew(): void;
  end(): void;
}

const usualAnswerWithinMs = 10_000;
/** So much longer the answer of a robot may take: the service asks it first, and gives up before that. */
const robotsTakeMs = 5_000;
/** Who pressed a key is there for so long, and waits no longer than that for the next try. */
const attendsForMs = 60_000;
const attendedWaitMs = 5_000;
/** How much of each answer's time goes into the latency that is shown. */
const smoothing = 0.2;
/** The shortest answer counts a little less with each that comes: the network may have become slower. */
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
  let [attempt, era, latencyMs, shortestMs] = [0, 0, 0, Infinity];
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
      throw new CliError(`no answer within ${withinMs / 1000} s`, { hint: 'Trying again by itself.' });
    });
    // It is aborted once nobody listens to it any more.
    late.catch(() => undefined);
    return Promise.race([work, late]).finally(() => done.abort());
  }

  function learn(error: unknown, name?: string, isProbe = false): void {
    if (isOver) return;
    const failure = failureOf(error);
    const { kind } = state.get();
    switch (failureKindOf(error)) {
      case 'nothing':
        return;
      case 'lost':
        // Others that were on their way are lost with the first.
        if (isProbe || kind === 'connecting' || kind === 'live' || kind === 'degraded') lose(failure);
        return;
      case 'signedOut':
        clearTimeout(timer);
        return state.set({ kind: 'signedOut', failure });
      case 'resting':
        if (isProbe || kind !== 'signedOut')
          rest(failure, error instanceof CliError ? error.retryAfterSeconds : undefined);
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

  /** The next try is at most so far away; one that is on its way is enough. */
  function bringForward(ms: number): void {
    const before = state.get();
    if (isOver || before.kind !== 'reconnecting' || before.nextAtMs <= now() + ms) return;
    state.set({ ...before, nextAtMs: now() + ms });
    probeIn(ms);
  }

  function rest(failure: Failure, seconds: number | undefined): void {
    const waitMs = seconds === undefined ? waits.next().value : seconds * 1_000;
    const before = state.get();
    const untilMs = Math.max(now() + waitMs, before.kind === 'resting' ? before.untilMs : 0);
    state.set({ kind: 'resting', untilMs, failure });
    probeIn(untilMs - now());
  }

  function probeIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void probe(), ms);
  }

  async function probe(): Promise<void> {
    const mine = era;
    const failure = await inTime(api().then((client) => client.get('/api/whoami', {}))).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (mine !== era || isOver) return;
    if (failure && failureKindOf(failure.error) === 'nothing') return lose(failureOf(failure.error));
    if (failure) learn(failure.error, undefined, true);
    else answered(true);
  }

  /** Something came back; who rests or is signed out goes on so, until the probe or somebody who signs in changes that. */
  function answered(isProbe = false): void {
    const { kind } = state.get();
    if (isOver || kind === 'signedOut' || (kind === 'resting' && !isProbe)) return;
    clearTimeout(timer);
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
    tryNow: () => bringForward(0),
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

/** Who is not signed in, or asks too often. */
const isOfWhoAsks = (error: unknown) =>
  error instanceof CliError && (error.code === 'unauthorized' || error.status === 429);

/** Whether people would see a difference: the line at the top is not drawn for less. */
const isOtherwise = (ms: number, shownMs: number) => Math.abs(ms - shownMs) > Math.max(5, shownMs * 0.2);
