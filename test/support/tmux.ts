import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { patienceMs, until, within } from './until.ts';

const execute = promisify(execFile);

/** A terminal with a user at it: bash, keys, and the screen. */
export interface Tmux extends AsyncDisposable {
  /** Types this text unchanged; `\r` is Enter, `\u0003` is Ctrl-C. */
  type(keys: string): Promise<void>;
  /** The lines of the screen, without trailing blanks. */
  screen(): Promise<string>;
  /** The direct RGB colours on the screen, each once. */
  colours(): Promise<(readonly [red: number, green: number, blue: number])[]>;
  /** Resolves when it appears on the screen. @throws with the screen, if it does not within 20 s */
  sees(part: string | RegExp): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** The screen's modes that programs changed. */
  screenState(): Promise<{ isAlternate: boolean; hasCursor: boolean; hasMouse: boolean }>;
  /** Sends a signal to the foreground process group. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** The terminal's current `stty -a` output, without the size. */
  modes(): Promise<string>;
}

export async function startTmux(env: Readonly<Record<string, string>>, columns = 80, rows = 24): Promise<Tmux> {
  const socket = `fleet-${randomBytes(6).toString('hex')}`;
  const tmux = async (...args: string[]) =>
    (await execute('tmux', ['-L', socket, '-f', '/dev/null', ...args], { env: { ...env, LC_ALL: 'C.UTF-8' } })).stdout;
  const shell = ['bash', '--noprofile', '--norc'];
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), ...shell);
  const tty = (await tmux('display-message', '-p', '#{pane_tty}')).trim();
  const screen = () => tmux('capture-pane', '-p');
  return {
    screen,
    async colours() {
      const codes = new Set((await tmux('capture-pane', '-p', '-e')).match(/[34]8;2;\d+;\d+;\d+/g));
      return [...codes].map((code) => code.split(';').slice(2).map(Number) as [number, number, number]);
    },
    async type(keys) {
      await tmux('send-keys', '-l', '--', keys);
    },
    async sees(part) {
      const isSeen = async () => {
        const text = await screen();
        return typeof part === 'string' ? text.includes(part) : part.test(text);
      };
      await within(until(isSeen), patienceMs, async () => `${String(part)} is not seen, but\n${await screen()}`);
    },
    async resize(width, height) {
      await tmux('resize-window', '-x', String(width), '-y', String(height));
    },
    async screenState() {
      const flags = await tmux('display-message', '-p', '#{alternate_on}#{cursor_flag}#{mouse_standard_flag}');
      const [isAlternate, hasCursor, hasMouse] = Array.from(flags.trim()).map((flag) => flag === '1');
      return { isAlternate: isAlternate === true, hasCursor: hasCursor === true, hasMouse: hasMouse === true };
    },
    async signal(name) {
      // Field 8 of the shell's stat is the foreground process group of its terminal.
      const pid = (await tmux('display-message', '-p', '#{pane_pid}')).trim();
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      process.kill(-Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[5]), name);
    },
    async modes() {
      const { stdout } = await execute('stty', ['-F', tty, '-a']);
      return stdout.replace(/rows \d+; columns \d+; /, '');
    },
    async [Symbol.asyncDispose]() {
      await tmux('kill-server').catch(() => undefined);
    },
  };
}
