import { once } from 'node:events';
import { createServer } from 'node:net';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.ts';
import { startServer } from '../../test/support/server-process.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const client = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const ownHome = fileURLToPath(new URL('../../test/support/own-home.cjs', import.meta.url));

interface TerminalSize {
  columns: number;
  rows: number;
}

/** A service of its own with an empty database, and a person who is signed in to it. */
export interface Stage extends AsyncDisposable {
  url: string;
  orgToken: string;
  /** A terminal in which `cli` is the built client. */
  terminal(size: TerminalSize, onChange?: (terminal: Terminal) => void): Promise<Terminal>;
  /** Runs lines that no picture shows, and returns what they printed. */
  run(...lines: string[]): Promise<string>;
  /** Runs a line that stays, in a terminal of its own, until the stage ends. */
  keep(line: string, seen: string): Promise<void>;
  call(method: string, path: string, body?: unknown): Promise<{ data: { id: string } }>;
}

/** Pictures show the default port, unless something else listens there. */
async function shownPort(): Promise<number> {
  const server = createServer().listen(8080, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  server.close();
  await once(server, 'close');
  return 8080;
}

export async function setStage(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const opened: AsyncDisposable[] = [];
  const folder = await tempDir();
  const home = join(folder.path, 'home');
  await mkdir(join(home, 'work'), { recursive: true });
  const server = await startServer({
    PORT: String(await shownPort()),
    HOME: home,
    SERVICE_DATA_DIR: join(folder.path, 'data'),
    ...env,
  });
  const orgToken = /--token (svc_org_\w+)/.exec(server.stderr())?.[1] ?? '';

  async function terminal(size: TerminalSize, onChange?: (terminal: Terminal) => void) {
    const terminal = await openTerminal({
      ...size,
      cwd: join(home, 'work'),
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        NODE_OPTIONS: `--require ${ownHome}`,
        PS1: '\\[\\e[1;32m\\]$\\[\\e[0m\\] ',
      },
      ...(onChange && { onChange }),
    });
    opened.push(terminal);
    terminal.press(`cli() { '${process.execPath}' '${client}' "$@"; }; clear\r`);
    await terminal.sees(/^\$ \s*$/);
    return terminal;
  }
  const stage: Stage = {
    url: server.url,
    orgToken,
    terminal,
    async run(...lines) {
      const { press, sees, text } = await terminal({ columns: 200, rows: 60 });
      for (const line of lines) press(`${line} && echo all-do''ne || echo not-do''ne\r`);
      await sees(new RegExp(`(?:all-done[^]*){${lines.length}}|not-done`));
      if (text().includes('not-done')) throw new Error(text());
      return text();
    },
    async keep(line, seen) {
      const { press, sees } = await terminal({ columns: 200, rows: 60 });
      press(`${line}\r`);
      await sees(seen);
    },
    async call(method, path, body) {
      const response = await fetch(server.url + path, {
        method,
        headers: { Authorization: `Bearer ${orgToken}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { data: { id: string } };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((each) => each[Symbol.asyncDispose]()));
      await server.end('SIGTERM'); // also ends the database
      await folder[Symbol.asyncDispose]();
    },
  };
  await stage.run(`cli login --base-url ${server.url} --token - <<< ${orgToken}`);
  return stage;
}
