import type { Failed, Ready, ShellAgentFrame, Signal, Start, ViewerFrame } from '../../../generated/shell.js';
import { backoffMs } from '../backoff.ts';
import { sendRing } from './ring.ts';

export interface Size {
  cols: number;
  rows: number;
}

/** 1 is stdout, 2 is stderr. */
export type Output = 1 | 2;

/** How a shell ended: one of the first two is there. */
export interface ShellEnd {
  code?: number;
  signal?: string;
  /** It was this side that left, with this code. Default: false. */
  isLeft?: boolean;
}

/** One connection of a shell. */
export interface ShellConnection {
  send(frame: ViewerFrame): void;
  /** Input; whoever sends keeps to its ring, so that it needs no other limit. */
  sendBytes(bytes: Uint8Array): void;
  /** Reads no more until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends it in order, or at once where the other side does not answer any more. */
  close(): void;
}

/** What is told of a connection. */
export interface ConnectionListener<End> {
  onFrame(frame: ShellAgentFrame): void;
  onBytes(bytes: Uint8Array): void;
  /** Called once; nothing comes after it. */
  onEnd(end: End): void;
}

/** Why there is no shell, or how it ends is not known. */
export type ShellTrouble<End> =
  /** It had not begun. */
  | { kind: 'unopened'; end: End }
  /** No other connection would fare better. */
  | { kind: 'ended'; end: End }
  /** The robot waits no longer. */
  | { kind: 'late'; end: End; graceSeconds: number }
  | { kind: 'failed'; frame: Failed; hasBegun: boolean }
  | { kind: 'broken'; what: string };

interface SessionSettings<End> {
  /** Opens a connection to the robot, or tells why there is none. What it rejects with is final. */
  connect(told: ConnectionListener<End>): Promise<ShellConnection | End>;
  errorOf(trouble: ShellTrouble<End>): Error;
  start: Omit<Start, 'type' | 'cols' | 'rows' | 'resume'> & { tty: boolean };
  /** Of the window now. */
  size(): Size;
  /** The shell runs; called once. */
  onReady(ready: Ready): void;
  /** Bytes of the robot; `written` is to be told when they are out. */
  onOutput(to: Output, bytes: Uint8Array): void;
  /** The connection is away and is tried again after this time; 0 while it is being tried. */
  onWaiting(waitMs: number): void;
  /** It is there again, and nothing was lost. */
  onResumed(ready: Ready): void;
  /** Input goes on after `write` said that it must wait. */
  onRoom(): void;
  /** Pauses before each try to connect again, in ms; default: from 1 to 30 s, and random. */
  pauses?: (() => Iterator<number, never>) | undefined;
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

/**
 * One shell over as many connections as it takes, for `cli` and for programs and pages of others: it knows no Node. States: opening → open (`ready` came) →
 * waiting (the connection was lost, the next is tried after a pause) → opening …; over from each of them: it ended, nothing is left to be resumed, or the
 * grace of the robot has passed.
 */
export function resumableSession<End extends { isFinal: boolean }>(settings: SessionSettings<End>) {
  const { connect, errorOf, start, size, pauses = backoffMs } = settings;
  const input = sendRing(ringBytes);
  let [isFull, isEof] = [false, false]; // of the input
  let taken = 0; // of the input, by the program: what came with a resume may still wait on the robot
  let [received, written, acked] = [0, 0, 0];
  let shell: { token: string; graceSeconds: number } | undefined; // from the first `ready` on
  let lostMs: number | undefined; // when the connection was lost; undefined while there is one
  let waits = pauses();
  let open: ShellConnection | undefined; // `ready` came on it
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
    // Whether there is a terminal is said again: the service may record this connection, and keeps nothing of the one before.
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

  /** The robot has the input up to there. False where it cannot be so. */
  function arrived(offset: number): boolean {
    // What it had once it cannot have lost.
    if (offset >= input.acked && input.ackTo(offset)) return true;
    fail({ kind: 'broken', what: 'acknowledges what was never sent' });
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

  function output(frame: Uint8Array): void {
    const [to, bytes]: [number | undefined, Uint8Array] = start.tty ? [1, frame] : [frame[0], frame.subarray(1)];
    if (to !== 1 && to !== 2) return fail({ kind: 'broken', what: 'sent output of another kind' });
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
    /** Rejects with what `errorOf` gives where it did not begin, or where its end is not known. */
    ended,
    /** False if no more is to come before `onRoom`; these bytes are taken in any case. */
    write(bytes: Uint8Array): boolean {
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
    fail(error: Error): void {
      over(() => giveUp(error));
    },
  };
}
