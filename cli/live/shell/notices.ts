import { safeCell } from '../../output/safe.ts';
import { statusLine } from '../../output/status-line.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { escapeHelp } from './escapes.ts';
import type { Terminal } from './terminal.ts';

/**
 * Messages on stderr while a shell runs, for people only: if stderr is no terminal, it carries the robot's output
 * alone.
 */
export interface Notices {
  connected(isRecorded: boolean): void;
  /** The connection is lost and is retried at that time of `performance.now()`; undefined during the attempt. */
  waiting(atMs: number | undefined): void;
  /** The connection is restored; `isNowRecorded`: recording of the output starts here. */
  resumed(isNowRecorded: boolean): void;
  help(): void;
  /** The shell has ended; `isCut`: not by itself. */
  over(isCut: boolean): void;
}

export function noticesOf(call: Pick<Invocation, 'io' | 'environment'>, terminal: Terminal, robot: string): Notices {
  const { err } = call.io;
  const line = terminal.isRaw ? lineBelow(err) : statusLine(call);
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const wayOut = () => (terminal.isRaw ? '~. to give up' : 'Ctrl-C to give up');
  const show = (when: string) => line.show(err.paint(`connection lost, reconnecting${when}… (${wayOut()})`, 'warn'));
  const write = (lines: readonly string[]) => {
    if (err.tty) err.write(lines.map((each) => `${each}\r\n`).join(''));
  };
  return {
    connected(isRecorded) {
      if (terminal.isRaw)
        write([
          [`Connected to ${safeCell(robot)}`, ...(isRecorded ? ['recorded'] : []), '~. to disconnect'].join(' · '),
        ]);
    },
    waiting(atMs) {
      stop();
      if (atMs === undefined) return show('');
      const tell = () => show(` in ${Math.max(1, Math.ceil((atMs - performance.now()) / 1000))} s`);
      tell();
      timer = setInterval(tell, 1000);
    },
    resumed(isNowRecorded) {
      stop();
      line.clear();
      if (isNowRecorded && terminal.isRaw) write(['', 'recorded from here on']);
    },
    help: () => write(['~?', ...escapeHelp]),
    over(isCut) {
      stop();
      line.clear();
      // The prompt is in the middle of its line.
      if (terminal.isRaw) write([...(isCut ? [''] : []), `Connection to ${safeCell(robot)} closed.`]);
    },
  };
}

/**
 * One line below the cursor's. The cursor stays where the robot's programs expect it, and their output is intact once
 * the line is cleared. With the cursor in the last line, the screen scrolls up by one.
 */
function lineBelow(err: Invocation['io']['err']) {
  let isShown = false;
  const put = (text: string) => err.write(`\u001b7\r\n${text}\u001b[K\u001b8`);
  return {
    show(text: string): void {
      if (!err.tty) return;
      if (!isShown) err.write('\n\u001b[A');
      isShown = true;
      put(text);
    },
    clear(): void {
      if (isShown) put('');
      isShown = false;
    },
  };
}
