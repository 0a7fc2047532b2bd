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
  /** Resumes this shell. */
  token: string;
  /** The user it runs as. */
  user: string;
  /** How long a detached shell waits for a connection. */
  graceMs: number;
}

/**
 * A shell of `fleet.shell.v1`. States: attached (to one connection) ⇄ detached (the connection was lost: `graceMs`) →
 * over. In both of the first two, a shell whose program ended waits until the remaining output is taken.
 */
export interface ResumableShell {
  /** The program runs. An ended shell only waits until its remaining output is taken. */
  readonly isLiving: boolean;
  /**
   * Attaches this connection in place of the previous one. `isRecorded`: whether the service records its session.
   * Returns false and changes nothing when the output after `resume.received` is no longer kept.
   */
  attach(line: ShellConnection, start: Start, isRecorded: boolean | undefined): boolean;
  bytes(line: ShellConnection, data: Buffer): void;
  frame(line: ShellConnection, frame: ViewerFrame): void;
  eased(line: ShellConnection): void;
  closed(line: ShellConnection, code: number): void;
  /** The agent stops. */
  stop(): void;
  kill(): void;
}

/**
 * The service accepts frames of 256 KiB from an agent. Smaller frames keep others, such as acknowledgements, from
 * waiting.
 */
const maxFrameBytes = 32 * 1024;
/** A viewer keeps 1 MiB of unacknowledged input, and sends no more until it is acknowledged. */
const maxInputBytes = 1024 * 1024 + 256 * 1024;
/** Output of `bulkBytes` or more waits `gatherMs` for more, unless nothing was sent for that long. */
const gatherMs = 1;
const bulkBytes = 1024;
const ackEvery = { bytes: 64 * 1024, ms: 100 };
/** After these close codes, the viewer does not reconnect. */
const finalCodes: readonly number[] = [closeCodes.ended, closeCodes.forbidden, closeCodes.gone];

/**
 * `ended` is called when the program has ended, `over` when nothing can be resumed. @throws when the program cannot be
 * started
 */
export function resumableShell(settings: ResumableSettings, on: { ended(): void; over(): void }): ResumableShell {
  const ring = sendRing();
  let line: ShellConnection | undefined;
  /**
   * Received input that the program has not taken; only taken input is acknowledged. The connection is read meanwhile:
   * its acknowledgements come behind the input, and a program may take no input until its output is read.
   */
  const input = sendRing();
  let takesInput = true;
  /** The offset up to which the output was sent on this connection. */
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
      // A busy terminal gives 4 KiB at a time: output in quick succession is sent as one frame. An echo never waits.
      const isBulk = bytes.length >= bulkBytes && performance.now() - pouredAt <= gatherMs;
      if (!isBulk || ring.isFull || ring.sent - cursor >= maxFrameBytes) pour();
      else pouring ??= setTimeout(pour, gatherMs);
    },
    drained() {
      takesInput = true;
      feed();
    },
    idle: () => fail('idle', `no input or output for ${Math.round(settings.idleMs / 60_000)} min`, closeCodes.ended),
    ended(how) {
      end = how;
      on.ended();
      // A detached shell waits as long as with a running program.
      if (!isOver) pour();
    },
  });

  /** Sends as much as the connection takes. The program may write as much as can be kept. */
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

  /** Gives the program as much input as it accepts. */
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

  /** The shell is kept for the grace period: that the connection took the end does not mean that it arrived. */
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

  /** The viewer broke the contract. */
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
    // The program cannot end while its output waits.
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
      // The last acknowledgement may be lost. A viewer that waits for it sends no input, so none would follow.
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
      breakOff(from, 'too much unread input');
    },
    frame(from, frame) {
      if (from !== line) return;
      if (frame.type === 'ack' && frame.bytes > cursor)
        return breakOff(from, 'an acknowledgement for bytes that were not sent');
      if (frame.type === 'ack' && ring.ackTo(frame.bytes)) pour();
      if (frame.type === 'resize') shell.resize(frame.cols, frame.rows);
      if (frame.type === 'signal') shell.signal(frame.name);
      if (frame.type !== 'eof' || isInputOver) return;
      // The viewer repeats it after a resume, since the first one may be lost.
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
