import type { WebSocket } from 'ws';
import type { Ready, ShellAgentFrame, Signal, Start } from '../../generated/shell.js';
import { backoffMs } from '../agent/backoff.ts';
import { CliError } from '../errors.ts';
import type { StreamEnd } from '../live/viewer-socket.ts';
import { shellConnection, type ShellConnection } from './connection.ts';
import { cutOff, unreachable } from './ends.ts';
import type { Output } from './outlet.ts';
import { sendRing } from './ring.ts';

export interface Size {
  cols: number;
  rows: number;
}

/** How a shell ended: one of the first two is there. */
export interface ShellEnd {
  code?: number;
  signal?: string;
  /** It was this side that left, with this code. Default: false. */
  isLeft?: boolean;
}

interface SessionSettings {
  /** Opens a connection to the robot, or tells why there is none. */
  connect(): Promise<WebSocket | StreamEnd>;
  start: Omit<Start, 'type' | 'cols' | 'rows' | 'resume'> & { tty: boolean };
  /** Of the window now. */
  size(): Size;
  /** The shell runs; called once. */
  onReady(ready: Ready): void;
  /** Bytes of the robot; `written` is to be told when they are out. */
  onOutput(to: Output, bytes: Buffer): void;
  /** The connection is away and is tried again after this time; 0 while it is being tried. */
  onWaiting(waitMs: number): void;
  /** It is there again, and nothing was lost. */
  onResumed(ready: Ready): void;
  /** Input goes on after `write` said that it must wait. */
  onRoom(): void;
  /** Pauses before each try to connect again, in ms; default: from 1 to 30 s, and random. */
  pauses?: () => Iterator<number, never>;
}

/** What was sent is kept for a resume up to so much; then input waits. The protocol wants it on both sides. */
const ringBytes = 1024 * 1024;
/** Streams are read in no larger pieces. */
const maxChunkBytes = 64 * 1024;
/** Output is acknowledged after so many bytes, or so much later. */
const ackBytes = 64 * 1024;
const ackWithinMs = 100;
/** An agent sends no more than its ring holds; one that does is not read until less waits here. */
const maxWaitingBytes = 2 * ringBytes;

export type ShellSession = ReturnType<typeof shellSession>;

/**
 * One shell over as many connections as it takes. States: opening → open (`ready` came) → waiting (the connection was lost, the next is tried after a
 * pause) → opening …; over from each of them: it ended, nothing is left to be resumed, or the grace of the robot has passed.
 */
export function shellSession(settings: SessionSettings) {
  const { connect, start, size, pauses = backoffMs } = settings;
  const input = sendRing(ringBytes);
  let [isFull, isEof] = [false, false]; // of the input
  let taken = 0; // of the input, by the program: what came with a resume may still wait on the robot
  let [received, written, acked] = [0, 0, 0];
  let shell: { token: string; graceMs: number } | undefined; // from the first `ready` on
  let lostMs: number | undefined; // when the connection was lost; undefined while there is one
  let waits = pauses();
  let open: ShellConnection | undefined; // `ready` came on it
  let ackTimer: NodeJS.Timeout | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let current: ShellConnection | undefined;
  let [isPaused, isOver] = [false, false];
  let finish: (end: ShellEnd) => void;
  let giveUp: (error: Error) => void;
  const ended = new Promise<ShellEnd>((resolve, reject) => {
    [finish, giveUp] = [resolve, reject];
  });

  function over(settle: () => void): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(ackTimer);
    clearTimeout(retryTimer);
    current?.close();
    current = open = undefined;
    settle();
  }

  async function attempt(): Promise<void> {
    if (lostMs !== undefined) settings.onWaiting(0);
    let socket: WebSocket | StreamEnd;
    try {
      socket = await connect();
    } catch (error) {
      return over(() => giveUp(error as Error));
    }
    if ('isFinal' in socket) return lost(socket);
    if (isOver) return socket.terminate();
    const connection = shellConnection({
      socket,
      onFrame: (frame) => take(connection, frame),
      onBytes: output,
      onEnd(end) {
        if (current === connection) lost(end);
      },
    });
    current = connection;
    isPaused = false;
    // Whether there is a terminal is said again: the service may record this connection, and keeps nothing of the one before.
    const wanted = shell ? { tty: start.tty, resume: { token: shell.token, received } } : start;
    connection.send({ type: 'start', ...size(), ...wanted });
  }

  function lost(end: StreamEnd): void {
    if (isOver) return;
    current = open = undefined;
    clearTimeout(ackTimer);
    ackTimer = undefined;
    if (!shell) return over(() => giveUp(end.isBroken ? unreachable(end.error) : end.error));
    if (end.isFinal) return over(() => giveUp(cutOff(end.error.message, end.error)));
    lostMs ??= performance.now();
    const leftMs = lostMs + shell.graceMs - performance.now();
    if (leftMs <= 0) {
      const seconds = Math.round(shell.graceMs / 1000);
      const message = `the connection was lost, and not back within ${seconds} s: ${end.error.message}`;
      return over(() => giveUp(cutOff(message, end.error)));
    }
    const waitMs = Math.min(waits.next().value, leftMs);
    retryTimer = setTimeout(() => void attempt(), waitMs);
    settings.onWaiting(waitMs);
  }

  function take(connection: ShellConnection, frame: ShellAgentFrame): void {
    if (frame.type === 'ack') took(frame.bytes);
    else if (frame.type === 'ready') ready(connection, frame);
    else if (frame.type === 'exit') over(() => finish(frame));
    else {
      const error = new CliError(frame.message ?? `the robot gives no shell: ${frame.reason}`);
      over(() => giveUp(shell ? cutOff(error.message, error) : error));
    }
  }

  function ready(connection: ShellConnection, frame: Ready): void {
    const isFirst = !shell;
    shell = { token: frame.resume_token, graceMs: frame.grace_seconds * 1000 };
    lostMs = undefined;
    waits = pauses();
    open = connection;
    if (!arrived(frame.received)) return;
    for (const { bytes } of input.from(frame.received)) connection.sendBytes(bytes);
    if (isEof) connection.send({ type: 'eof' });
    acked = received;
    if (isFirst) settings.onReady(frame);
    else settings.onResumed(frame);
  }

  /** The robot has the input up to there. False where it cannot be so. */
  function arrived(offset: number): boolean {
    // What it had once it cannot have lost.
    if (offset >= input.acked && input.ackTo(offset)) return true;
    const error = new CliError('the robot’s agent acknowledges what was never sent');
    over(() => giveUp(cutOff(error.message, error)));
    return false;
  }

  const mustWait = () => input.isFull || input.sent - taken > ringBytes - maxChunkBytes;

  /** Its program has it too. */
  function took(offset: number): void {
    if (!arrived(Math.max(offset, input.acked))) return;
    taken = Math.max(taken, offset);
    if (!isFull || mustWait()) return;
    isFull = false;
    settings.onRoom();
  }

  function output(frame: Buffer): void {
    const [to, bytes]: [number | undefined, Buffer] = start.tty ? [1, frame] : [frame[0], frame.subarray(1)];
    if (to !== 1 && to !== 2) {
      const error = new CliError('the robot’s agent sent output of another kind');
      return over(() => giveUp(cutOff(error.message, error)));
    }
    received += bytes.length;
    if (!isPaused && received - written > maxWaitingBytes) {
      isPaused = true;
      current?.pause();
    }
    settings.onOutput(to, bytes);
  }

  function ack(): void {
    clearTimeout(ackTimer);
    ackTimer = undefined;
    if (!open || written <= acked) return;
    acked = written;
    open.send({ type: 'ack', bytes: acked });
  }

  void attempt();
  return {
    /** Rejects with CliError where it did not begin, or where its end is not known. */
    ended,
    /** False if no more is to come before `onRoom`; these bytes are taken in any case. */
    write(bytes: Buffer): boolean {
      input.push(bytes);
      open?.sendBytes(bytes);
      isFull = mustWait();
      return !isFull;
    },
    /** No more input comes. */
    eof(): void {
      isEof = true;
      open?.send({ type: 'eof' });
    },
    /** So many bytes of the output are out. */
    written(bytes: number): void {
      if (isOver) return;
      written += bytes;
      if (isPaused && received - written <= ringBytes) {
        isPaused = false;
        current?.resume();
      }
      if (written - acked >= ackBytes) ack();
      else if (written > acked) ackTimer ??= setTimeout(ack, ackWithinMs);
    },
    resize(to: Size): void {
      open?.send({ type: 'resize', ...to });
    },
    /** False if there is no connection now. */
    signal(name: Signal['name']): boolean {
      open?.send({ type: 'signal', name });
      return open !== undefined;
    },
    /** Ends the shell from this side, as if it had ended with this code. False if it is over already. */
    leave(code: number): boolean {
      const wasOver = isOver;
      over(() => finish({ code, isLeft: true }));
      return !wasOver;
    },
    /** The same, for a reason that is to be told. */
    fail(message: string, cause: Error): void {
      over(() => giveUp(cutOff(message, cause)));
    },
  };
}
