import { closeCodes } from '../../../generated/protocol.js';
import type { Start, ViewerFrame } from '../../../generated/shell.js';
import { sendRing } from '../../transport/shell/ring.ts';
import type { StreamSocket } from '../streams/socket.ts';
import { textOf } from './frames.ts';
import type { ProgramEnd } from './program.ts';
import { beginShell, type ShellSettings } from './shell.ts';

/** One connection of a shell that may have several, one after the other. */
export interface ShellConnection {
  readonly socket: StreamSocket;
}

interface ResumableSettings extends ShellSettings {
  /** What goes on with it. */
  token: string;
  /** As whom it runs. */
  user: string;
  /** How long it waits for a connection. */
  graceMs: number;
}

/**
 * A shell of `fleet.shell.v1`. States: attached (to one line) ⇄ detached (the line was lost: `graceMs`) → over; ended by itself it waits for the rest to be
 * taken, in both of them.
 */
export interface ResumableShell {
  /** The program runs; one that ended waits only for its rest to be taken. */
  readonly isLiving: boolean;
  /** Takes this line in place of the one before, whose session the service records or not. False where what shall follow `resume.received` is not kept: nothing changes then. */
  attach(line: ShellConnection, start: Start, isRecorded: boolean | undefined): boolean;
  bytes(line: ShellConnection, data: Buffer): void;
  frame(line: ShellConnection, frame: ViewerFrame): void;
  eased(line: ShellConnection): void;
  closed(line: ShellConnection, code: number): void;
  /** The agent ends. */
  stop(): void;
  kill(): void;
}

/** The service takes 256 KiB of an agent; what is to come between, as an acknowledgement, does not wait for so many. */
const maxFrameBytes = 32 * 1024;
/** A viewer keeps 1 MiB that was not acknowledged, and sends no more until it was. */
const maxInputBytes = 1024 * 1024 + 256 * 1024;
/** Output of so many bytes waits so long for more, unless none was sent for as long. */
const gatherMs = 1;
const bulkBytes = 1024;
const ackEvery = { bytes: 64 * 1024, ms: 100 };
/** After them nobody comes back. */
const finalCodes: readonly number[] = [closeCodes.ended, closeCodes.forbidden, closeCodes.gone];

/** @throws when the program cannot be started. `ended` is called when the program is gone, `over` when nothing of it can be resumed. */
export function resumableShell(settings: ResumableSettings, on: { ended(): void; over(): void }): ResumableShell {
  const ring = sendRing();
  let line: ShellConnection | undefined;
  /**
   * Input: all that has come, without what the program took; only that is acknowledged. The line is read on meanwhile: what it acknowledges lies behind the
   * input, and a program may take none until its output is read.
   */
  const input = sendRing();
  let takesInput = true;
  /** Where the line has got to in what is sent. */
  let cursor = 0;
  let acked = 0;
  let acking: NodeJS.Timeout | undefined;
  let pouring: NodeJS.Timeout | undefined;
  let pouredAt = 0;
  let end: ProgramEnd | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let isOver = false;
  let isInputOver = false;
  let isInputEnded = false;

  const shell = beginShell(settings, {
    output(bytes, output) {
      if (isOver) return;
      ring.push(bytes, output);
      // A terminal that is written much to gives 4 KiB at a time: what follows closely goes out as one frame. An echo never waits.
      const isBulk = bytes.length >= bulkBytes && performance.now() - pouredAt <= gatherMs;
      if (!isBulk || ring.isFull || ring.sent - cursor >= maxFrameBytes) pour();
      else pouring ??= setTimeout(pour, gatherMs);
    },
    drained() {
      takesInput = true;
      feed();
    },
    idle: () =>
      fail('idle', `nothing was typed or shown for ${Math.round(settings.idleMs / 60_000)} min`, closeCodes.ended),
    ended(how) {
      end = how;
      on.ended();
      // The shell that nobody is attached to waits as long as it would have lived.
      if (!isOver) pour();
    },
  });

  /** Sends what the line takes, and lets the program write as much as is kept. */
  function pour(): void {
    clearTimeout(pouring);
    pouring = undefined;
    pouredAt = performance.now();
    while (line && !line.socket.isCongested) {
      const piece = ring.next(cursor, maxFrameBytes);
      if (!piece) break;
      cursor += piece.bytes.length;
      line.socket.send(piece.tag === undefined ? piece.bytes : Buffer.concat([Buffer.from([piece.tag]), piece.bytes]));
    }
    if (!isOver && (ring.isFull || line?.socket.isCongested)) shell.pause();
    else shell.resume();
    if (end && line && cursor === ring.sent) sayEnd(line, end);
  }

  /** Gives the program as much input as it takes. */
  function feed(): void {
    while (takesInput) {
      const piece = input.next(input.acked, maxFrameBytes);
      if (!piece) break;
      takesInput = shell.write(Buffer.from(piece.bytes.buffer, piece.bytes.byteOffset, piece.bytes.length));
      input.ackTo(input.acked + piece.bytes.length);
    }
    if (isInputOver && !isInputEnded && input.acked === input.sent) {
      isInputEnded = true;
      shell.eof();
    }
    if (input.acked - acked >= ackEvery.bytes) acknowledge();
    else if (input.acked > acked) acking ??= setTimeout(acknowledge, ackEvery.ms);
  }

  /** It is kept for the grace: that the line took it does not say that it arrived. */
  function sayEnd(last: ShellConnection, { code, signal }: ProgramEnd): void {
    acknowledge();
    last.socket.send(textOf({ type: 'exit', ...(signal === undefined ? { code: code ?? 0 } : { signal }) }));
    last.socket.close(closeCodes.ended, '');
    detach();
  }

  function detach(): void {
    line = undefined;
    clearTimeout(acking);
    acking = undefined;
    clearTimeout(waiting);
    if (isOver) return;
    waiting = setTimeout(finish, settings.graceMs);
    pour();
  }

  /** The viewer breaks the contract. */
  function breakOff(from: ShellConnection, why: string): void {
    from.socket.close(closeCodes.policy, why);
    detach();
  }

  function finish(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(waiting);
    clearTimeout(acking);
    line = undefined;
    // It cannot end while its output waits.
    shell.resume();
    shell.end();
    on.over();
  }

  function fail(reason: string, message: string, code: number): void {
    line?.socket.send(textOf({ type: 'failed', reason, message }));
    line?.socket.close(code, message);
    finish();
  }

  function acknowledge(): void {
    clearTimeout(acking);
    acking = undefined;
    if (acked === input.acked) return;
    acked = input.acked;
    line?.socket.send(textOf({ type: 'ack', bytes: acked }));
  }

  return {
    get isLiving() {
      return end === undefined;
    },
    attach(next, { cols, rows, resume }, isRecorded) {
      const from = resume?.received ?? 0;
      if (from < ring.acked || from > ring.sent) return false;
      const before = line;
      line = next;
      before?.socket.close(closeCodes.replaced, 'resumed by another connection');
      clearTimeout(waiting);
      ring.ackTo(from);
      cursor = from;
      const received = input.sent;
      const { token, user, graceMs } = settings;
      const ready = { resume_token: token, received, grace_seconds: Math.round(graceMs / 1000), user };
      next.socket.send(textOf({ type: 'ready', ...ready, ...(isRecorded !== undefined && { recorded: isRecorded }) }));
      // What was acknowledged last may not have arrived, and who waits for it sends nothing that would be.
      acked = 0;
      acknowledge();
      if (resume && cols !== undefined && rows !== undefined) shell.resize(cols, rows);
      pour();
      return true;
    },
    bytes(from, data) {
      if (from !== line) return;
      input.push(data);
      if (input.sent - input.acked <= maxInputBytes) return feed();
      breakOff(from, 'more input than may wait');
    },
    frame(from, frame) {
      if (from !== line) return;
      if (frame.type === 'ack' && frame.bytes > cursor) return breakOff(from, 'what was not sent is acknowledged');
      if (frame.type === 'ack' && ring.ackTo(frame.bytes)) pour();
      if (frame.type === 'resize') shell.resize(frame.cols, frame.rows);
      if (frame.type === 'signal') shell.signal(frame.name);
      if (frame.type !== 'eof' || isInputOver) return;
      // Said again after a resume, as nobody knows whether it came.
      isInputOver = true;
      feed();
    },
    eased(from) {
      if (from === line) pour();
    },
    closed(from, code) {
      if (from !== line) return;
      if (finalCodes.includes(code)) finish();
      else detach();
    },
    stop: () => fail('gone', 'the agent was stopped', closeCodes.gone),
    kill: () => shell.kill(),
  };
}
