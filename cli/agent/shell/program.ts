/** How a program ended: by itself, or by a signal. */
export interface ProgramEnd {
  code?: number | undefined;
  /** For example `SIGKILL`. */
  signal?: string | undefined;
}

/** A running program of a shell, in a terminal or on pipes. */
export interface Program {
  /** Takes input. Returns false when it holds enough for now: the caller then waits for `drained`. */
  write(bytes: Buffer): boolean;
  /** No more input follows. */
  eof(): void;
  /** Stops reading its output; the program blocks once it has written some more. */
  pause(): void;
  resume(): void;
  /** Does nothing without a terminal. */
  resize(columns: number, rows: number): void;
  /** Signals the foreground processes. */
  signal(name: 'INT' | 'TERM' | 'HUP' | 'QUIT' | 'KILL'): void;
  /** Ends it and the processes that belong to it: SIGHUP, then SIGKILL 2 s later for those that remain. */
  end(): void;
  /** Sends SIGKILL at once, when no time is left. */
  kill(): void;
}

export interface ProgramListener {
  /** `output` is 1 or 2 when the program has two outputs. */
  output(bytes: Buffer, output: 1 | 2 | undefined): void;
  /** The program accepts input again. */
  drained(): void;
  /** Called once, after all of the output. */
  ended(end: ProgramEnd): void;
}

/** What to start. */
export interface ProgramStart {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The complete environment. */
  environment: Readonly<Record<string, string>>;
  columns: number;
  rows: number;
  /** The owner of the terminal; default: the agent. */
  owner?: { uid: number; gid: number } | undefined;
  /** Ends every process of the session with the program, background jobs included. */
  killsAll: boolean;
}

/** The listener is not called before the program is returned. @throws when the program cannot be started */
export type Starter = (start: ProgramStart, on: ProgramListener) => Program;

/** Time between SIGHUP and SIGKILL. */
export const killAfterMs = 2_000;
