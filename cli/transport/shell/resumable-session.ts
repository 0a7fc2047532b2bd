import type { Failed, Ready, ShellAgentFrame, Signal, Start, ViewerFrame } from '../../../generated/shell.js';
import { backoffMs } from '../backoff.ts';
import { sendRing } from './ring.ts';

export interface Size {
  cols: number;
  rows: number;
}

/** 1 is stdout, 2 is stderr. */
export type Output = 1 | 2;

/** How a shell ended: `code` or `signal` is set. */
export interface ShellEnd {
  code?: number;
  signal?: string;
  /** This side left, with this code. Default: false. */
  isLeft?: boolean;
}

/** One connection of a shell. */
export interface ShellConnection {
  send(frame: ViewerFrame): void;
  /** Sends input. The sender limits itself to its ring, so there is no other limit. */
  sendBytes(bytes: Uint8Array): void;
  /** Stops reading until `resume`. */
  pause(): void;
  resume(): void;
  /** Closes it gracefully, or at once if the other side no longer responds. */
  close(): void;
}

/** Receives the events of a connection. */
export interface ConnectionListener<End> {
  onFrame(frame: ShellAgentFrame): void;
  onBytes(bytes: Uint8Array): void;
  /** Called once; nothing follows it. */
  onEnd(end: End): void;
}

/** Why there is no shell, or why its end is unknown. */
export type ShellTrouble<End> =
  /** The shell had not begun. */
  | { kind: 'unopened'; end: End }
  /** No other connection would succeed. */
  | { kind: 'ended'; end: End }
  /** The grace period of the robot has passed. */
  | { kind: 'late'; end: End; graceSeconds: number }
  | { kind: 'failed'; frame: Failed; hasBegun: boolean }
  | { kind: 'broken'; what: string };

interface SessionSettings<End> {
  /** Opens a connection to the robot, or returns why there is none. A rejection is final. */
  connect(told: ConnectionListener<End>): Promise<ShellConnection | End>;
  errorOf(trouble: ShellTrouble<End>): Error;
  start: Omit<Start, 'type' | 'cols' | 'rows' | 'resume'> & { tty: boolean };
  /** The current size of the window. */
  size(): Size;
  /** The shell runs; called once. */
  onReady(ready: Ready): void;
  /** Output of the robot; the caller calls `written` once it is written. */
  onOutput(to: Output, bytes: Uint8Array): void;
  /** The connection is lost and is retried after this time; 0 during the attempt. */
  onWaiting(waitMs: number): void;
  /** The connection is back, and nothing was lost. */
  onResumed(ready: Ready): void;
  /** Input may continue after `write` returned false. */
  onRoom(): void;
  /** Pauses before each attempt to reconnect, in ms; default: from 1 to 30 s, and random. */
  pauses?: (() => Iterator<number, never>) | undefined;
}

/** Input kept for a resume; beyond this, input waits. The protocol requires this size on both sides. */
const ringBytes = 1024 * 1024;
/** The largest piece that is read from a stream. */
const maxChunkBytes = 64 * 1024;
/** Output is acknowledged after this many bytes, or after this time. */
const ackBytes = 64 * 1024;
const ackWithinMs = 100;
/** An agent sends no more than its ring holds. An agent that does is not read until less output waits here. */
const maxWaitingBytes = 2 * ringBytes;

/**
 * One shell over as many connections as needed, for `cli` and for the programs and pages of others: it uses nothing
 * from Node. States: opening → open (`ready` arrived) → waiting (the connection was lost; retried after a pause) →
 * opening …; over from each of them: the shell ended, nothing is left to resume, or the robot's grace period has
 * passed.
 */
export function resumableSession<End extends { isFinal: boolean }>(settings: SessionSettings<End>) {
  const { connect, errorOf, start, size, pauses = backoffMs } = settings;
  const input = sendRing(ringBytes);
  let [isFull, isEof] = [false, false]; // of the input
  let taken = 0; // input that the program has taken; input sent with a resume may still wait on the robot
  let [received, written, acked] = [0, 0, 0];
  let shell: { token: string; graceSeconds: number } | undefined; // set by the first `ready`
  let lostMs: number | undefined; // when the connection was lost; undefined while there is one
  let waits = pauses();
  let open: ShellConnection | undefined; // `ready` arrived on it
  let ackTimer: ReturnType<typeof setTimeout> | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
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
  const fail = (trouble: ShellTrouble<End>) => over(() => giveUp(errorOf(trouble)));

  async function attempt(): Promise<void> {
    if (lostMs !== undefined) settings.onWaiting(0);
    let connection: ShellConnection | undefined;
    let endedBefore: End | undefined;
    const isCurrent = () => connection !== undefined && current === connection;
    const told: ConnectionListener<End> = {
      onFrame(frame) {
        if (connection && isCurrent()) take(connection, frame);
      },
      onBytes(bytes) {
        if (isCurrent()) output(bytes);
      },
      onEnd(end) {
        if (isCurrent()) lost(end);
        else endedBefore = end;
      },
    };
    let opened: ShellConnection | End;
    try {
      opened = await connect(told);
    } catch (error) {
      return over(() => giveUp(error as Error));
    }
    if ('isFinal' in opened) return lost(opened);
    if (isOver) return opened.close();
    current = connection = opened;
    isPaused = false;
    if (endedBefore) return lost(endedBefore);
    // `tty` is sent again: the service may record this connection, and keeps nothing from the previous one.
    const wanted = shell ? { tty: start.tty, resume: { token: shell.token, received } } : start;
    connection.send({ type: 'start', ...size(), ...wanted });
  }

  function lost(end: End): void {
    if (isOver) return;
    current = open = undefined;
    clearTimeout(ackTimer);
    ackTimer = undefined;
    if (!shell) return fail({ kind: 'unopened', end });
    if (end.isFinal) return fail({ kind: 'ended', end });
    const { graceSeconds } = shell;
    lostMs ??= performance.now();
    const leftMs = lostMs + graceSeconds * 1000 - performance.now();
    if (leftMs <= 0) return fail({ kind: 'late', end, graceSeconds });
    const waitMs = Math.min(waits.next().value, leftMs);
    retryTimer = setTimeout(() => void attempt(), waitMs);
    settings.onWaiting(waitMs);
  }

  function take(connection: ShellConnection, frame: ShellAgentFrame): void {
    if (frame.type === 'ack') took(frame.bytes);
    else if (frame.type === 'ready') ready(connection, frame);
    else if (frame.type === 'exit') over(() => finish(frame));
    else fail({ kind: 'failed', frame, hasBegun: shell !== undefined });
  }

  function ready(connection: ShellConnection, frame: Ready): void {
    const isFirst = !shell;
    shell = { token: frame.resume_token, graceSeconds: frame.grace_seconds };
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

  /** The robot has the input up to this offset. Returns false if that is impossible. */
  function arrived(offset: number): boolean {
    // The robot cannot lose input that it once had.
    if (offset >= input.acked && input.ackTo(offset)) return true;
    fail({ kind: 'broken', what: 'acknowledged bytes that were never sent' });
    return false;
  }

  const mustWait = () => input.isFull || input.sent - taken > ringBytes - maxChunkBytes;

  /** The robot's program also has the input up to this offset. */
  function took(offset: number): void {
    if (!arrived(Math.max(offset, input.acked))) return;
    taken = Math.max(taken, offset);
    if (!isFull || mustWait()) return;
    isFull = false;
    settings.onRoom();
  }

  function output(frame: Uint8Array): void {
    const [to, bytes]: [number | undefined, Uint8Array] = start.tty ? [1, frame] : [frame[0], frame.subarray(1)];
    if (to !== 1 && to !== 2) return fail({ kind: 'broken', what: 'sent output of an unexpected kind' });
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
    /** Rejects with the error of `errorOf` if the shell did not begin, or its end is unknown. */
    ended,
    /** Returns false if the caller must wait for `onRoom`; these bytes are accepted in any case. */
    write(bytes: Uint8Array): boolean {
      input.push(bytes);
      open?.sendBytes(bytes);
      isFull = mustWait();
      return !isFull;
    },
    /** No more input follows. */
    eof(): void {
      isEof = true;
      open?.send({ type: 'eof' });
    },
    /** This many bytes of the output were written. */
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
    /** Returns false without a connection. */
    signal(name: Signal['name']): boolean {
      open?.send({ type: 'signal', name });
      return open !== undefined;
    },
    /** Ends the shell from this side, as if it had ended with this code. Returns false if it is over already. */
    leave(code: number): boolean {
      const wasOver = isOver;
      over(() => finish({ code, isLeft: true }));
      return !wasOver;
    },
    /** The same, with an error to report. */
    fail(error: Error): void {
      over(() => giveUp(error));
    },
  };
}
