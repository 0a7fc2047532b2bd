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
  /** `final`: the service wants no other try; otherwise it was stopped. */
  | { kind: 'ended'; final: boolean; reason: string; code?: number | undefined };

export interface LinkSettings {
  /** Without a slash at its end. */
  backendUrl: string;
  token: string;
  /** Asked for each time a link begins. */
  hello(): Hello;
  socketOptions?: SocketOptions;
  /** Default Math.random. */
  random?(): number;
  /** Wait before the first try; default 0. */
  connectDelayMs?: number;
  /** When silence is asked about, and when it is the end; default: 10 and 30 s, as the protocol says. */
  silence?: { pingEveryMs: number; deadAfterMs: number } | undefined;
}

interface LinkListener {
  status(status: LinkStatus): void;
  /** Each frame of the service that is valid and of a known type, welcome included. */
  frame(frame: ServerFrame): void;
}

export interface AgentLink {
  start(): void;
  /** False if there is no link; the frame is lost then. */
  send(frame: AgentFrame): boolean;
  /** What was sent and did not reach the network yet. */
  readonly bufferedBytes: number;
  /** Of the last ping that was answered. */
  readonly rttMs: number | undefined;
  /** Links after the first one. */
  readonly reconnects: number;
  /** Frames of the service that were not understood. */
  readonly badFrames: number;
  /** Ends the link that is up and begins the next one at once, for a hello that says something else. Nothing where none is up. */
  renew(reason: string): void;
  /** Closes with 1000 and tries no more. Resolves within 2 s. */
  stop(): Promise<void>;
}

/** A try that takes longer than this, to the welcome, has failed. */
const connectWithinMs = 30_000;
/** A link that lived this long makes the next trouble a new one: the backoff begins again. */
const stableAfterMs = 60_000;
/** After a drain it comes back within this time, in ms; the service has spread the links over the time of the drain already. */
const backAfterDrainMs = 500;
/** The round trip is measured this often where nothing else asks for a ping. */
const measureEveryMs = 60_000;
/** How long the other side may take to answer a close. */
const closeWithinMs = 2_000;
const wasStopped: Ending = { reason: 'stopped', isFinal: false };

/**
 * The link of one robot to the service, over and over until it is stopped or refused for good.
 *
 * States, of which each has one timer at most: idle → connecting (to the welcome: 30 s) → up (a ping when nothing came for 10 s; dead
 * when nothing came for 30 s) → [draining: closes itself at a random moment] → closing (2 s) → waiting (backoff) → connecting …; ended from any of them.
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
  /** Of everybody who stops it, and what resolves it. */
  let stopping: Promise<void> | undefined;
  let stopped: (() => void) | undefined;
  /** Ends the try or the link that is going on. */
  let over: (why: Ending) => void = () => undefined;
  /** Why this side began to close. */
  let parting: Ending | undefined;
  /** The service announced the end of the link that is up. */
  let isDraining = false;
  /** All by the monotonic clock: the robot's other one may jump. */
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
    // Of this try alone: events of an earlier socket must not be taken for those of a later one.
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
      const reason = `nothing was heard for ${Math.round(silentMs / 1000)} s`;
      over({ reason, isFinal: false });
      return;
    }
    // Where the service pings, that it does is enough, and half of the bytes of an idle link.
    const isQuiet = silentMs >= silence.pingEveryMs * 0.9 || performance.now() - at.pinged >= measureEveryMs;
    if (isQuiet) {
      at.pinged = performance.now();
      socket?.ping();
    }
    after(Math.min(silence.pingEveryMs, silence.deadAfterMs - silentMs), ping);
  }

  /** Closes in order, and hard if the other side does not answer. */
  function close(why: Ending): void {
    isUp = false;
    parting = why;
    socket?.close(closeCodes.ended);
    after(closeWithinMs, () => over(why));
  }

  /** How long to wait before the next try. */
  function waitAfter({ waitMs, code }: Ending): number {
    // No attempt yet means that there was a link until now.
    const wasStable = attempt === 0 && performance.now() - at.up >= stableAfterMs;
    // A planned end is no failure: whatever fails next is the first failure of new trouble.
    if (wasStable || isDraining || code === closeCodes.restarting) waits = backoffMs(random);
    // Many robots are told the same moment: each adds a part of its own.
    // Where the service says when to come, it knows better than a backoff that grew while it was away.
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
        // Between two tries there is none that could end.
        end(false, wasStopped);
      })),
  };
}
