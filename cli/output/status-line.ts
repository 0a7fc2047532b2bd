import type { Invocation } from '../command-line/command-spec.ts';

/** A line on stderr that is rewritten in place; written only on a terminal that supports it. */
interface StatusLine {
  /** Shows sanitised text; a narrower terminal cuts it. */
  show(text: string): void;
  /** Removes the line, for other output; the next `show` restores it. */
  clear(): void;
}

/** Wrapping is off during the write: a line that wraps could not be rewritten. */
const rewrite = (text: string) => `\r\u001b[?7l${text}\u001b[K\u001b[?7h`;

export function statusLine({ io, environment }: Pick<Invocation, 'io' | 'environment'>): StatusLine {
  if (!io.err.tty || environment.dumb) return { show: () => undefined, clear: () => undefined };
  let [isShown, isWatched] = [false, false];
  const clear = () => {
    if (isShown) io.err.write('\r\u001b[K');
    isShown = false;
  };
  return {
    show(text) {
      // However the process ends, the prompt starts on its own line.
      if (!isWatched) process.on('exit', clear);
      isWatched = true;
      io.err.write(rewrite(text));
      isShown = true;
    },
    clear,
  };
}
