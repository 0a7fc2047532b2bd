import type { RawData, WebSocket } from 'ws';
import { serverFrames, type AgentFrame, type Hello, type ServerFrame, type Welcome } from '../../generated/frames.js';
import { closeCodes, limits } from '../../generated/protocol.js';
import { backoffMs } from '../transport/backoff.ts';
import { readFrame } from '../transport/frames.ts';
import { closedWith, failedWith, refusedWith, type Ending } from '../transport/close-codes.ts';
import { linkUrl, openSocket, type SocketOptions } from '../transport/link-socket.ts';

export type LinkStatus =
  | { kind: 'connecting'; attempt: number }
  | { kind: 'up'; welcome: Welcome; clockOffsetMs: number }
  /** `code`: close code, or HTTP status of a refused upgrade. */
  | { kind: 'waiting'; waitMs: number; reason: string; code?: number | undefined }
  /** `final`: the service wants no further attempt; otherwise the link was stopped. */
  | { kind: 'ended'; final: boolean; reason: string; code?: number | undefined };

export interface LinkSettings {
  /** Without a trailing slash. */
  backendUrl: string;
  token: string;
  /** Called each time a link begins. */
  hello(): Hello;
  socketOptions?: SocketOptions;
  /** Default Math.random. */
  random?(): number;
  /** Wait before the first attempt; default 0. */
  connectDelayMs?: number;
  /** The silence after which to ping, and after which the link is dead; default: 10 and 30 s, as in the protocol. */
  silence?: { pingEveryMs: number; deadAfterMs: number } | undefined;
}

interface LinkListener {
  status(status: LinkStatus): void;
  /** Each valid frame of a known type from the service, welcome included. */
  frame(frame: ServerFrame): void;
}

export interface AgentLink {
  start(): void;
  /** Returns false without a link; the frame is then lost. */
  send(frame: AgentFrame): boolean;
  /** Bytes sent that have not reached the network yet. */
  readonly bufferedBytes: number;
  /** Round trip of the last ping that was answered. */
  readonly rttMs: number | undefined;
  /** Links after the first one. */
  readonly reconnects: number;
  /** Invalid frames from the service. */
  readonly badFrames: number;
  /** Closes the current link and opens the next one at once, for a changed hello. Does nothing without a link. */
  renew(reason: string): void;
  /** Closes with 1000 and does not retry. Resolves within 2 s. */
  stop(): Promise<void>;
}

/** An attempt without a welcome after this time has failed. */
const connectWithinMs = 30_000;
/** After a link that lived this long, the backoff starts again. */
const stableAfterMs = 60_000;
/** After a drain the agent reconnects within this time, in ms; the drain period has already spread the links. */
const backAfterDrainMs = 500;
/** How often to measure the round trip when nothing else requires a ping. */
const measureEveryMs = 60_000;
/** How long the other side may take to answer a close. */
const closeWithinMs = 2_000;
const wasStopped: Ending = { reason: 'stopped', isFinal: false };

/**
 * The link of one robot to the service; it reconnects until it is stopped or refused permanently.
 *
 * States, each with at most one timer: idle → connecting (to the welcome: 30 s) → up (a ping after 10 s of silence;
 * dead after 30 s of silence) → [draining: closes itself at a random moment] → closing (2 s) → waiting (backoff) →
 * connecting …; ended from any of them.
 */
export function agentLink(settings: LinkSettings, on: LinkListener): AgentLink {
  const { random = Math.random, socketOptions = {}, connectDelayMs = 0, silence = limits } = settings;
  const url = linkUrl(settings.backendUrl);
  let timer: NodeJS.Timeout | undefined;
  let socket: WebSocket | undefined;
  let waits = backoffMs(random);
  let attempt = 0;
  let links = 0;
  let badFrames = 0;
  let rttMs: number | undefined;
  let isEnded = false;
  /** The promise that all calls of `stop` share, and its resolver. */
  let stopping: Promise<void> | undefined;
  let stopped: (() => void) | undefined;
  /** Ends the current attempt or link. */
  let over: (why: Ending) => void = () => undefined;
  /** Why this side began to close. */
  let parting: Ending | undefined;
  /** The service announced the end of the current link. */
  let isDraining = false;
  /** By the monotonic clock, because the robot's system clock may jump. */
  const at = { hello: 0, up: 0, heard: 0, pinged: 0 };
  let isUp = false;

  const after = (ms: number, act: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };

  function end(final: boolean, { reason, code }: Ending): void {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(timer);
    on.status({ kind: 'ended', final, reason, code });
    stopped?.();
  }

  function connect(): void {
    attempt += 1;
    on.status({ kind: 'connecting', attempt });
    // Of this attempt only: events of an earlier socket must not be taken for those of a later one.
    let opened: WebSocket | undefined;
    let ending: Ending | undefined;
    let isOver = false;
    parting = undefined;
    isDraining = false;
    const overNow = (why: Ending) => {
      if (isOver) return;
      isOver = true;
      opened?.terminate();
      disconnected(why.isFinal ? why : (parting ?? why));
    };
    over = overNow;
    after(connectWithinMs, () => overNow({ reason: `no welcome within ${connectWithinMs / 1000} s`, isFinal: false }));
    openSocket(url, settings.token, socketOptions).then(
      (made) => {
        opened = made;
        made.on('error', (error) => (ending ??= failedWith(error)));
        made.on('close', (code, reason) => {
          overNow(code === 1006 && ending ? ending : closedWith(code, reason.toString('utf8')));
        });
        made.on('unexpected-response', (_request, response) => {
          response.resume().on('error', () => undefined);
          overNow(refusedWith(response));
        });
        if (isOver || isEnded) return made.terminate();
        socket = made;
        made.on('open', () => {
          made.send(JSON.stringify(settings.hello()));
          at.hello = performance.now();
          heard();
        });
        made.on('ping', heard);
        made.on('pong', () => {
          heard();
          rttMs = performance.now() - at.pinged;
        });
        made.on('message', (data, isBinary) => {
          heard();
          if (!isOver) receive(data, isBinary);
        });
      },
      (error: unknown) => overNow(failedWith(error)),
    );
  }

  const heard = () => {
    at.heard = performance.now();
  };

  function receive(data: RawData, isBinary: boolean): void {
    const frame = isBinary ? undefined : readFrame<ServerFrame>(data as Buffer, serverFrames);
    if (frame === 'bad') badFrames += 1;
    else if (frame !== undefined && (isUp || frame.type === 'welcome')) {
      if (frame.type === 'welcome' && !isUp) welcomed(frame);
      if (frame.type === 'drain') {
        isDraining = true;
        after(random() * frame.within_ms, () => close({ reason: 'the service asked to reconnect', isFinal: false }));
      }
      on.frame(frame);
    }
  }

  function welcomed(welcome: Welcome): void {
    isUp = true;
    attempt = 0;
    links += 1;
    at.up = performance.now();
    at.pinged = -Infinity;
    // The service read its clock half a round trip ago.
    const clockOffsetMs = Math.round(Date.now() - (at.up - at.hello) / 2 - Date.parse(welcome.server_time));
    ping();
    on.status({ kind: 'up', welcome, clockOffsetMs });
  }

  function ping(): void {
    const silentMs = performance.now() - at.heard;
    if (silentMs >= silence.deadAfterMs) {
      const reason = `no data received for ${Math.round(silentMs / 1000)} s`;
      over({ reason, isFinal: false });
      return;
    }
    // While the service pings, its pings are enough; that saves half of the bytes of an idle link.
    const isQuiet = silentMs >= silence.pingEveryMs * 0.9 || performance.now() - at.pinged >= measureEveryMs;
    if (isQuiet) {
      at.pinged = performance.now();
      socket?.ping();
    }
    after(Math.min(silence.pingEveryMs, silence.deadAfterMs - silentMs), ping);
  }

  /** Closes gracefully, or hard if the other side does not answer. */
  function close(why: Ending): void {
    isUp = false;
    parting = why;
    socket?.close(closeCodes.ended);
    after(closeWithinMs, () => over(why));
  }

  /** How long to wait before the next attempt. */
  function waitAfter({ waitMs, code }: Ending): number {
    // `attempt` is 0 if there was a link until now.
    const wasStable = attempt === 0 && performance.now() - at.up >= stableAfterMs;
    // A planned end is not a failure: the next failure is the first of a new series.
    if (wasStable || isDraining || code === closeCodes.restarting) waits = backoffMs(random);
    // The service sends many robots the same wait, so each adds a random part. This wait overrides a backoff that grew
    // while the service was down.
    if (waitMs !== undefined) return waitMs * (1 + random() / 4);
    return isDraining ? random() * backAfterDrainMs : waits.next().value;
  }

  function disconnected(why: Ending): void {
    isUp = false;
    socket = undefined;
    rttMs = undefined;
    if (isEnded) return;
    if (stopped) return end(false, wasStopped);
    if (why.isFinal) return end(true, why);
    const waitMs = Math.round(waitAfter(why));
    after(waitMs, connect);
    on.status({ kind: 'waiting', waitMs, reason: why.reason, code: why.code });
  }

  return {
    start: () => after(connectDelayMs, connect),
    send(frame) {
      if (!isUp || !socket) return false;
      socket.send(JSON.stringify(frame));
      return true;
    },
    get bufferedBytes() {
      return socket?.bufferedAmount ?? 0;
    },
    get rttMs() {
      return rttMs;
    },
    get reconnects() {
      return Math.max(0, links - 1);
    },
    get badFrames() {
      return badFrames;
    },
    renew(reason) {
      if (isUp) close({ reason, isFinal: false, waitMs: 0 });
    },
    stop: () =>
      (stopping ??= new Promise((resolve) => {
        if (isEnded) return resolve();
        stopped = resolve;
        if (isUp) return close(wasStopped);
        over(wasStopped);
        // Between two attempts there is none that could end.
        end(false, wasStopped);
      })),
  };
}
