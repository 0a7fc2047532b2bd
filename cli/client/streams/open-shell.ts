import { closeCodes } from '../../../generated/protocol.js';
import type { Ready } from '../../../generated/shell.js';
import { resumableSession, type ShellTrouble } from '../../transport/shell/resumable-session.ts';
import { StreamError } from '../errors.ts';
import { reasonOf } from '../pause.ts';
import type { StreamConnector } from './stream-connector.ts';
import { asError, isRetryable } from './follow.ts';
import { queueOf } from './queue.ts';
import { agentBroke, connectionEnd, shellConnection, shellProtocol, type ConnectionEnd } from './shell-connection.ts';
import { turnsOf } from './turns.ts';

export interface OpenShellOptions {
  /** A program and its arguments, as they are: no shell takes them apart. Default: the login shell. */
  command?: string[];
  /** Whether it has a terminal there, in which both outputs are one. Default: a login shell has, a command has not. */
  tty?: boolean;
  /** Of the terminal; default 80 and 24. */
  cols?: number;
  rows?: number;
  /** What `TERM` is there; default `xterm-256color`. */
  term?: string;
  /** The connection is lost, and is tried again after so long. Default: nothing is told. */
  onLost?: (waitMs: number) => void;
  /** It is there again, and nothing was lost. */
  onResumed?: () => void;
  /** Ends the shell, as `close` does. */
  signal?: AbortSignal;
}

export type ShellSignal = 'INT' | 'TERM' | 'HUP' | 'QUIT' | 'KILL';

/** How it ended: one of the first two is there, unless this side left it. */
export interface ShellExit {
  code?: number;
  /** Such as `SIGKILL`. */
  signal?: string;
  /** By `close` or the signal of the options. Default: false. */
  isLeft?: boolean;
}

export interface ShellOutput {
  /** All of a terminal is `stdout`. */
  from: 'stdout' | 'stderr';
  bytes: Uint8Array;
}

/** What is shown is read once: by `outputs`, by `text`, or as the bytes of both outputs. Where nobody reads, a program that shows more than 1 MiB waits. */
export interface Shell extends AsyncIterable<Uint8Array> {
  /** As whom it runs there; undefined where the agent does not say. */
  readonly user: string | undefined;
  /** Whether the service keeps what is shown; of the connection there is now. */
  readonly isRecorded: boolean;
  outputs(): AsyncGenerator<ShellOutput, void>;
  /** Of UTF-8; no character is cut in two. What ends in the middle of one ends with U+FFFD. */
  text(): AsyncGenerator<string, void>;
  /** Resolves when more may be written: what the program does not take is kept up to 1 MiB. Rejects once the shell is over. */
  write(input: string | Uint8Array): Promise<void>;
  /** No more input comes; in a terminal that types ^D. */
  eof(): void;
  resize(size: { cols: number; rows: number }): void;
  /** False if there is no connection now. */
  signal(name: ShellSignal): boolean;
  /** Once the program has ended and all that it showed has come. Rejects with StreamError where its end is not known. */
  ended: Promise<ShellExit>;
  /** Ends it. */
  close(): void;
}

/** Resolves when it runs. Rejects with StreamError or ApiError where there is none to be had, with the reason of the signal where that came first. */
export async function openShell(
  connector: StreamConnector,
  robotId: string,
  options: OpenShellOptions = {},
): Promise<Shell> {
  const { command, term, tty = command === undefined, onLost, onResumed, signal } = options;
  if (signal?.aborted) throw reasonOf(signal);
  let size = { cols: options.cols ?? 80, rows: options.rows ?? 24 };
  let facts: Ready | undefined; // of the connection there is now, or was
  const queue = queueOf<ShellOutput>();
  const turns = turnsOf();
  let isReady: () => void = () => undefined;
  const ready = new Promise<undefined>((resolve) => (isReady = () => resolve(undefined)));

  const session = resumableSession<ConnectionEnd>({
    async connect(told) {
      try {
        const { socket } = await connector.open(robotId, 'shell', size, shellProtocol);
        return await shellConnection(socket, connector.silentSeconds, told);
      } catch (cause) {
        if (!facts || !(cause instanceof Error) || !isRetryable(cause)) throw cause;
        return connectionEnd(new StreamError(cause.message, 1006, 'unopened', { cause }));
      }
    },
    start: { tty, ...(command && { command }), ...(tty && term !== undefined && { term }) },
    size: () => size,
    onReady(first) {
      facts = first;
      isReady();
    },
    onOutput: (to, bytes) => queue.put({ from: to === 1 ? 'stdout' : 'stderr', bytes }),
    onWaiting(waitMs) {
      if (waitMs > 0) onLost?.(waitMs);
    },
    onResumed(next) {
      facts = next;
      onResumed?.();
    },
    onRoom: () => turns.go(),
    errorOf,
  });

  const close = () => void session.leave(0);
  signal?.addEventListener('abort', close, { once: true });
  const ended = session.ended
    .then(exitOf)
    .finally(() => {
      signal?.removeEventListener('abort', close);
      turns.end();
    })
    .then(
      (exit) => {
        queue.end();
        return exit;
      },
      (error: unknown) => {
        queue.end(asError(error));
        throw error;
      },
    );
  // Who reads what is shown is told by that.
  ended.catch(() => undefined);
  if (await Promise.race([ready, ended])) throw reasonOf(signal);

  async function* outputs(): AsyncGenerator<ShellOutput, void> {
    for (let output = await queue.next(); output; output = await queue.next()) {
      session.written(output.bytes.length);
      yield output;
    }
  }
  return {
    get user() {
      return facts?.user;
    },
    get isRecorded() {
      return facts?.recorded ?? false;
    },
    outputs,
    async *text() {
      // Each output has its own characters: a half of one may wait while the other output speaks.
      const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
      for await (const { from, bytes } of outputs()) {
        const text = decoders[from].decode(bytes, { stream: true });
        if (text !== '') yield text;
      }
      for (const decoder of Object.values(decoders)) {
        const rest = decoder.decode();
        if (rest !== '') yield rest;
      }
    },
    async *[Symbol.asyncIterator]() {
      for await (const { bytes } of outputs()) yield bytes;
    },
    write(input) {
      // What is given may be changed by its owner afterwards, and is kept until the robot has it.
      const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input.slice();
      return turns.take(bytes, (piece) => session.write(piece));
    },
    eof: () => void turns.last(() => session.eof()),
    resize(to) {
      size = to;
      session.resize(to);
    },
    signal: (name) => session.signal(name),
    ended,
    close,
  };
}

function exitOf({ code, signal, isLeft }: Awaited<ReturnType<typeof resumableSession>['ended']>): ShellExit {
  if (isLeft) return { isLeft };
  return { ...(code !== undefined && { code }), ...(signal !== undefined && { signal }) };
}

function errorOf(trouble: ShellTrouble<ConnectionEnd>): StreamError {
  switch (trouble.kind) {
    case 'unopened':
    case 'ended':
      return trouble.end.error;
    case 'late': {
      const { end, graceSeconds } = trouble;
      const message = `the connection was lost, and not back within ${graceSeconds} s: ${end.error.message}`;
      return new StreamError(message, end.error.code, 'lost', { cause: end.error });
    }
    case 'failed': {
      const { reason, message } = trouble.frame;
      return new StreamError(message ?? `the robot gives no shell: ${reason}`, closeCodes.ended, reason);
    }
    case 'broken':
      return agentBroke(trouble.what);
  }
}
