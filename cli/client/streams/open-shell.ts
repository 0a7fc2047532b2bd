import { closeCodes } from '../../../generated/protocol.js';
import type { Ready } from '../../../generated/shell.js';
import { resumableSession, type ShellTrouble } from '../../transport/shell/resumable-session.ts';
import { StreamError } from '../errors.ts';
import { reasonOf } from '../pause.ts';
import type { StreamConnector } from './stream-connector.ts';
import { asError, isRetryable } from './follow.ts';
import { queueOf } from './queue.ts';
import { agentBroke, connectionEnd, shellConnection, shellProtocol, type ConnectionEnd } from './shell-connection.ts';
import { orderedInput } from './ordered-input.ts';

export interface OpenShellOptions {
  /** A program and its arguments, passed unchanged: no shell parses them. Default: the login shell. */
  command?: string[];
  /**
   * Whether the robot allocates a terminal, which merges both outputs. Default: yes for a login shell, no for a
   * command.
   */
  tty?: boolean;
  /** Size of the terminal; default 80 × 24. */
  cols?: number;
  rows?: number;
  /** `TERM` on the robot; default `xterm-256color`. */
  term?: string;
  /** The connection is lost and is retried after this time. Default: nothing is reported. */
  onLost?: (waitMs: number) => void;
  /** The connection is restored, and nothing was lost. */
  onResumed?: () => void;
  /** Ends the shell, like `close`. */
  signal?: AbortSignal;
}

export type ShellSignal = 'INT' | 'TERM' | 'HUP' | 'QUIT' | 'KILL';

/** How the shell ended: has `code` or `signal`, unless this side ended it. */
export interface ShellExit {
  code?: number;
  /** Such as `SIGKILL`. */
  signal?: string;
  /** True after `close` or an abort of the `signal` option. Default: false. */
  isLeft?: boolean;
}

export interface ShellOutput {
  /** A terminal has only `stdout`. */
  from: 'stdout' | 'stderr';
  bytes: Uint8Array;
}

/**
 * The output can be read once: by `outputs`, by `text`, or as the bytes of both. Without a reader, a program with more
 * than 1 MiB of output waits.
 */
export interface Shell extends AsyncIterable<Uint8Array> {
  /** The account on the robot; undefined if the agent does not report it. */
  readonly user: string | undefined;
  /** Whether the service records the output of the current connection. */
  readonly isRecorded: boolean;
  outputs(): AsyncGenerator<ShellOutput, void>;
  /** Decoded UTF-8; no character is split. A truncated character at the end becomes U+FFFD. */
  text(): AsyncGenerator<string, void>;
  /**
   * Resolves when more may be written: up to 1 MiB that the program has not read is buffered. Rejects once the shell
   * has ended.
   */
  write(input: string | Uint8Array): Promise<void>;
  /** Ends the input; in a terminal this types ^D. */
  eof(): void;
  resize(size: { cols: number; rows: number }): void;
  /** False without a connection. */
  signal(name: ShellSignal): boolean;
  /**
   * Resolves once the program has ended and all its output has arrived. Rejects with StreamError if its end is unknown.
   */
  ended: Promise<ShellExit>;
  /** Ends the shell. */
  close(): void;
}

/**
 * Resolves when the shell runs. Rejects with StreamError or ApiError if it cannot start, or with the signal's reason if
 * it aborts first.
 */
export async function openShell(
  connector: StreamConnector,
  robotId: string,
  options: OpenShellOptions = {},
): Promise<Shell> {
  const { command, term, tty = command === undefined, onLost, onResumed, signal } = options;
  if (signal?.aborted) throw reasonOf(signal);
  let size = { cols: options.cols ?? 80, rows: options.rows ?? 24 };
  let facts: Ready | undefined; // of the current or last connection
  const queue = queueOf<ShellOutput>();
  const turns = orderedInput();
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
  // The reader of the output gets this error.
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
      // Each output has its own decoder: a partial character may wait while the other output continues.
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
      // Copied: the caller may change the bytes, which are kept until the robot has them.
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
      const message = `the connection was lost and did not return within ${graceSeconds} s: ${end.error.message}`;
      return new StreamError(message, end.error.code, 'lost', { cause: end.error });
    }
    case 'failed': {
      const { reason, message } = trouble.frame;
      return new StreamError(message ?? `the robot refused the shell: ${reason}`, closeCodes.ended, reason);
    }
    case 'broken':
      return agentBroke(trouble.what);
  }
}
