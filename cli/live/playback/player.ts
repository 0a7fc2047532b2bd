import { setTimeout as sleep } from 'node:timers/promises';
import { ReadStream } from 'node:tty';
import type { Io } from '../../command-line/io.ts';
import type { Cast } from './asciicast.ts';
import { terminalSanitizer } from './terminal-sanitizer.ts';

interface Pace {
  /** 2 is twice the original speed. */
  speed: number;
  /** The longest wait, in seconds, before the speed-up. */
  idleLimitSeconds: number;
}

const enter = '\u001b[?1049h\u001b[H\u001b[2J';
/**
 * Resets everything that programs may have left on: scrolling, origin, cursor and keys (a soft reset), the mouse,
 * bracketed paste, colours; then the previous screen.
 */
const leave = '\u001b[!p\u001b[?1000;1002;1003;1004;1006;2004l\u001b[?7h\u001b[?25h\u001b[0m\u001b[?1049l';
/** Keys are read at least this often, even without waits. */
const hearEveryMs = 50;
const ctrlC = '\u0003';

/**
 * Plays a recording at its own pace on the alternate screen, until q, Ctrl-C, or a key after its end. The terminal is
 * restored in any case.
 */
export async function play(io: Io, cast: Cast, { speed, idleLimitSeconds }: Pace, isRaw: boolean): Promise<void> {
  const left = new AbortController();
  let isDone = false;
  const onKey = (key: Buffer) => {
    if (isDone || key.includes('q') || key.includes(ctrlC)) left.abort();
  };
  const restore = takeTerminal(io, onKey);
  const told = isRaw ? (text: string) => text : terminalSanitizer();
  try {
    const beganMs = performance.now();
    let [shownUntil, dueMs, heardMs] = [0, 0, 0];
    for (const { seconds, code, text } of cast.events) {
      dueMs += (Math.min(Math.max(0, seconds - shownUntil), idleLimitSeconds) * 1_000) / speed;
      shownUntil = seconds;
      const nowMs = performance.now() - beganMs;
      if (dueMs > nowMs || nowMs > heardMs + hearEveryMs) {
        await sleep(Math.max(0, dueMs - nowMs), undefined, { signal: left.signal });
        heardMs = performance.now() - beganMs;
      }
      if (code === 'o') io.out.write(told(text));
    }
    isDone = true;
    if (!(io.input instanceof ReadStream)) return; // no keyboard
    io.out.write(`\u001b[r\u001b[${io.out.rows};1H\u001b[0;7m End of the recording. Press any key to quit. \u001b[0m`);
    await new Promise((resolve) => left.signal.addEventListener('abort', resolve));
  } catch (error) {
    if (!left.signal.aborted) throw error;
  } finally {
    restore();
  }
}

function takeTerminal({ input, out }: Io, onKey: (key: Buffer) => void): () => void {
  const keys = input instanceof ReadStream ? input : undefined;
  const restore = () => {
    process.off('exit', restore);
    out.write(leave);
    keys?.setRawMode(false).off('data', onKey).pause();
  };
  process.on('exit', restore);
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
  keys?.setRawMode(true).on('data', onKey);
  out.write(enter);
  return restore;
}
