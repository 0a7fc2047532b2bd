import { spawn, type IPty } from '@lydell/node-pty';
import { patienceMs, within } from '../support/until.ts';

/** The final output of a line on the terminal, as its reader sees it, and its exit code. */
export interface Typed {
  printed: string;
  code: number;
}

/** A reader who follows a document on a machine: a real bash on a real terminal. */
export interface Reader extends AsyncDisposable {
  /** Types the line; resolves when the prompt returns. Opens another terminal if a line keeps running in this one. */
  type(line: string): Promise<Typed>;
  /** Types the line, which keeps running; resolves when `seen` appears. `end` is typed to end it. */
  begin(line: string, seen: string | RegExp, end?: string): Promise<Started>;
}

export interface Started {
  printed(): string;
  /** Resolves with all its output when the prompt returns. */
  end(): Promise<Typed>;
}

interface ReaderSettings {
  cwd: string;
  env: Record<string, string>;
  /** Typed first in each terminal. */
  setUp: readonly string[];
}

/** What `cli` asks before it sends some changes. */
const question = 'Continue? [y/N] ';

/** Delimits the exit code that bash prints with each prompt. */
const mark = '\u001e';

export async function startReader({ cwd, env, setUp }: ReaderSettings): Promise<Reader> {
  const terminals: ReturnType<typeof openTerminal>[] = [];
  const started: Started[] = [];
  /** Undefined while a line keeps running in the terminal that the reader used last. */
  let free: ReturnType<typeof openTerminal> | undefined;
  async function open() {
    const terminal = openTerminal(cwd, env);
    terminals.push(terminal);
    // The document already shows what is typed.
    for (const line of ['stty -echo', ...setUp]) await terminal.type(line);
    return terminal;
  }
  free = await open();
  return {
    async type(line) {
      free ??= await open();
      return free.type(line);
    },
    async begin(line, seen, end = '\u0003') {
      const terminal = free ?? (await open());
      free = undefined;
      const ended = terminal.type(line);
      const sees = () => (typeof seen === 'string' ? terminal.printed().includes(seen) : seen.test(terminal.printed()));
      const early = ended.then(({ printed }) => {
        if (!sees()) throw new Error(`${line} ended:\n${printed}`);
      });
      await within(Promise.race([terminal.until(sees), early]), patienceMs, () => `${line}\n${terminal.printed()}`);
      let isTold = false;
      const own: Started = {
        printed: terminal.printed,
        end: async () => {
          if (!isTold) terminal.press(end);
          isTold = true;
          const typed = await ended;
          free ??= terminal;
          return typed;
        },
      };
      started.push(own);
      return own;
    },
    async [Symbol.asyncDispose]() {
      // In reverse order: later ones depend on earlier ones.
      for (const each of started.reverse()) await each.end().catch(() => undefined);
      await Promise.all(terminals.map((terminal) => terminal.close()));
    },
  };
}

function openTerminal(cwd: string, env: Record<string, string>) {
  const pty: IPty = spawn('/bin/bash', ['--noprofile', '--norc', '--noediting'], {
    cols: 120,
    rows: 40,
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      NO_COLOR: '1',
      PS1: '',
      PS2: '',
      PROMPT_COMMAND: `printf '${mark}%d${mark}' "$?"`,
      ...env,
    },
  });
  let written = '';
  /** Start of the current line's output. */
  let from = 0;
  const watchers = new Set<() => void>();
  pty.onData((text) => {
    written += text;
    // The reader has read what a command is about to do, and wants it. The terminal does not echo.
    if (written.endsWith(question)) {
      pty.write('y\n');
      written += 'y\r\n';
    }
    for (const watcher of watchers) watcher();
  });
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const watcher = () => {
        if (!condition()) return;
        watchers.delete(watcher);
        resolve();
      };
      watchers.add(watcher);
      watcher();
    });
  const closed = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  const prompt = () => new RegExp(`${mark}(\\d+)${mark}`).exec(written.slice(from));
  const back = async (line: string): Promise<Typed> => {
    await within(
      until(() => prompt() !== null),
      patienceMs,
      () => `${line}\n${asSeen(written.slice(from))}`,
    );
    const found = prompt();
    const printed = asSeen(written.slice(from, from + (found?.index ?? 0)));
    from += (found?.index ?? 0) + (found?.[0].length ?? 0);
    return { printed, code: Number(found?.[1]) };
  };
  const ready = back('bash');
  return {
    async type(line: string): Promise<Typed> {
      await ready;
      pty.write(`${line}\n`);
      return back(line);
    },
    until,
    press: (keys: string) => pty.write(keys),
    printed: () => asSeen(written.slice(from)),
    async close() {
      // Bash passes it on to what was started with `&`.
      pty.kill('SIGHUP');
      const timer = setTimeout(() => pty.kill('SIGKILL'), 2000);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Without control sequences; of an overwritten line, its final text. */
function asSeen(written: string): string {
  const plain = written.replaceAll(/\u001b(?:\[[\d;?]*[a-zA-Z]|\].*?\u0007|[=>])/g, '');
  return plain
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}
