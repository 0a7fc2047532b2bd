import { spawn, type IPty } from '@lydell/node-pty';
import { patienceMs, within } from './until.ts';

/** What a line printed on the terminal, as its reader sees it in the end, and its exit code. */
export interface Typed {
  printed: string;
  code: number;
}

/** Who follows a document on a machine: a real bash on a real terminal for each line that does not give it back. */
export interface Reader extends AsyncDisposable {
  /** Types it in the first terminal, and resolves when the prompt is back. */
  type(line: string): Promise<Typed>;
  /** Types it in a terminal of its own, where it goes on; resolves when that is seen there. `end` is typed when it shall end. */
  begin(line: string, seen: string | RegExp, end?: string): Promise<Started>;
}

export interface Started {
  printed(): string;
  /** Resolves with all that it printed when the prompt is back. */
  end(): Promise<Typed>;
}

interface ReaderSettings {
  cwd: string;
  env: Record<string, string>;
  /** What is typed in each terminal before anything else. */
  setUp: readonly string[];
}

/** How long a line may say nothing that was waited for, on a machine where all tests run at once. */
/** Stands around the exit code that bash prints with each prompt. */
const mark = '\u001e';

export async function startReader({ cwd, env, setUp }: ReaderSettings): Promise<Reader> {
  const terminals: ReturnType<typeof openTerminal>[] = [];
  const started: Started[] = [];
  async function open() {
    const terminal = openTerminal(cwd, env);
    terminals.push(terminal);
    // What is typed is in the document already.
    for (const line of ['stty -echo', ...setUp]) await terminal.type(line);
    return terminal;
  }
  const first = await open();
  return {
    type: first.type,
    async begin(line, seen, end = '\u0003') {
      const terminal = await open();
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
          return ended;
        },
      };
      started.push(own);
      return own;
    },
    async [Symbol.asyncDispose]() {
      // The last first: what others need was begun before them.
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
      PROMPT_COMMAND: `printf '${mark}%d${mark}' "$?"`,
      ...env,
    },
  });
  let written = '';
  /** Where the output of the present line begins. */
  let from = 0;
  const watchers = new Set<() => void>();
  pty.onData((text) => {
    written += text;
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
      pty.kill('SIGKILL');
      await closed;
    },
  };
}

/** Without what drives the terminal; of a line that was written over, what stands there in the end. */
function asSeen(written: string): string {
  const plain = written.replaceAll(/\u001b(?:\[[\d;?]*[a-zA-Z]|\].*?\u0007|[=>])/g, '');
  return plain
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}
