/** How a program ended: by itself, or by a signal. */
export interface ProgramEnd {
  code?: number | undefined;
  /** Such as `SIGKILL`. */
  signal?: string | undefined;
}

/** A program of a shell while it runs, in a terminal or on pipes. */
export interface Program {
  /** Takes input. False when it has enough for now: nothing more is given to it until `drained`. */
  write(bytes: Buffer): boolean;
  /** No more input comes. */
  eof(): void;
  /** Its output is not read any more, so that it waits when it has written some more. */
  pause(): void;
  resume(): void;
  /** Nothing where there is no terminal. */
  resize(columns: number, rows: number): void;
  /** For what runs in the foreground. */
  signal(name: 'INT' | 'TERM' | 'HUP' | 'QUIT' | 'KILL'): void;
  /** Ends it and what belongs to it: SIGHUP, and SIGKILL for what is left 2 s later. */
  end(): void;
  /** SIGKILL at once, for when there is no time. */
  kill(): void;
}

export interface ProgramListener {
  /** `output` is 1 or 2 where it has two of them. */
  output(bytes: Buffer, output: 1 | 2 | undefined): void;
  /** Takes input again. */
  drained(): void;
  /** Once, after all of its output. */
  ended(end: ProgramEnd): void;
}

/** What to start. */
export interface ProgramStart {
  file: string;
  args: readonly string[];
  cwd: string;
  /** All of its environment. */
  environment: Readonly<Record<string, string>>;
  columns: number;
  rows: number;
  /** Whose the terminal is; default: the agent's. */
  owner?: { uid: number; gid: number } | undefined;
  /** Whatever its session holds is ended with it, background jobs too. */
  killsAll: boolean;
}

/** Its listener hears nothing before the program is given. @throws when it cannot be started */
export type Starter = (start: ProgramStart, on: ProgramListener) => Program;

/** How long a program has after SIGHUP. */
export const killAfterMs = 2_000;
