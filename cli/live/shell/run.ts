import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCode } from '../../command-line/exit-codes.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { cutOff } from './ends.ts';
import { escapes } from './escapes.ts';
import type { ShellEnd } from '../../transport/shell/resumable-session.ts';
import { noticesOf, type Notices } from './notices.ts';
import { outlet } from './outlet.ts';
import type { StreamConnector } from '../../client/streams/stream-connector.ts';
import { shellSession, type ShellSession } from './session.ts';
import { typesOnTerminal, type Terminal } from './terminal.ts';

interface ShellRun {
  call: Invocation;
  terminal: Terminal;
  /** Display name. */
  robot: string;
  connector: StreamConnector;
  robotId: string;
  start: Parameters<typeof shellSession>[0]['start'];
  /** The shell runs: from now on Ctrl-C goes to the robot. */
  onBegin(): void;
}

const leaving = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** Two Ctrl-C within this time, without a terminal on the robot, end the command. */
const impatientMs = 1_000;
/** How long a full-screen program gets another size, to make it redraw. The agent accepts a new size every 50 ms. */
const redrawMs = 120;
/** On leaving, the maximum wait for earlier output: a stalled terminal must not block it. */
const lastOutputMs = 1_000;

const unwritten = (error: Error) => `the output cannot be written: ${error.message}`;

/**
 * Connects the shell with stdin, stdout, stderr and the signals of this process; returns its end. Rejects with
 * CliError.
 */
export async function runShell({
  call,
  terminal,
  robot,
  connector,
  robotId,
  start,
  onBegin,
}: ShellRun): Promise<ShellEnd> {
  const { io } = call;
  const isRaw = start.tty && typesOnTerminal();
  let notices: Notices | undefined;
  let isRecorded = false;
  let stopReading = () => {};

  const out = outlet({
    onWritten: (bytes) => session.written(bytes),
    onFailed: (error) =>
      error.code === 'EPIPE' ? leave(128 + constants.signals.SIGPIPE) : session.fail(unwritten(error), error),
  });
  const session: ShellSession = shellSession({
    connector,
    robotId,
    start,
    size: terminal.size,
    onReady({ recorded = false }) {
      onBegin();
      if (isRaw) terminal.enter();
      notices = noticesOf(call, terminal, robot);
      isRecorded = recorded;
      notices.connected(recorded);
      listen();
    },
    onOutput(to, bytes) {
      if (isRaw) terminal.modes.follow(bytes);
      out.write(to, bytes);
    },
    onWaiting(waitMs) {
      keys.beginLine();
      notices?.waiting(waitMs === 0 ? undefined : performance.now() + waitMs);
    },
    onResumed({ recorded = false }) {
      notices?.resumed(recorded && !isRecorded);
      isRecorded = recorded;
      redraw();
    },
    onRoom: () => void io.input.resume(),
  });

  const keys = escapes();
  const type = (bytes: Buffer) => {
    if (!session.write(bytes)) io.input.pause();
  };
  function press(bytes: Buffer): void {
    for (const typed of keys.feed(bytes))
      switch (typed.kind) {
        case 'bytes':
          type(typed.bytes);
          break;
        case 'end':
          leave(exitCode.linkLost);
          break;
        case 'help':
          notices?.help();
          break;
        case 'suspend':
          terminal.suspend();
          redraw();
      }
  }

  /** Restores what this side overwrote. Line-based programs have nothing to redraw. */
  function redraw(): void {
    const { cols, rows } = terminal.size();
    if (!terminal.modes.isAlternate || rows < 2) return session.resize({ cols, rows });
    session.resize({ cols, rows: rows - 1 });
    setTimeout(() => session.resize(terminal.size()), redrawMs).unref();
  }

  let interruptedMs = -Infinity;
  function interrupt(): void {
    const before = interruptedMs;
    interruptedMs = performance.now();
    if (interruptedMs - before < impatientMs || !session.signal('INT')) leave(exitCode.interrupted);
  }
  const leaveBy = (name: NodeJS.Signals) => leave(128 + constants.signals[name]);

  /** If the shell has already ended, its remaining output could wait for a reader for ever. */
  function leave(code: number): void {
    if (!session.leave(code)) process.exit(code);
  }

  const isWritten = () => {
    const drained = out.drained().catch(() => undefined);
    return Promise.race([drained.then(() => true), sleep(lastOutputMs, false, { ref: false })]);
  };

  function listen(): void {
    stopReading = () => void io.input.destroy();
    io.input
      .on('data', isRaw ? press : type)
      .on('end', () => session.eof())
      .on('error', (error) => session.fail(`the input cannot be read: ${error.message}`, error));
    process.on('SIGINT', interrupt);
    for (const name of leaving) process.on(name, leaveBy);
    if (start.tty) terminal.onResize(() => session.resize(terminal.size()));
  }

  let isCut = true;
  try {
    const end = await session.ended;
    isCut = end.isLeft === true;
    if (!isCut)
      await out.drained().catch((error: unknown) => {
        const why = error as NodeJS.ErrnoException; // it rejects with nothing else
        throw cutOff(unwritten(why), why);
      });
    else if (!(await isWritten())) process.exit(end.code);
    return end;
  } finally {
    notices?.over(isCut);
    terminal.leave();
    stopReading();
    process.off('SIGINT', interrupt);
    for (const name of leaving) process.off(name, leaveBy);
  }
}
