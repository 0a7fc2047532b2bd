import type { Invocation } from '../command-line/command-spec.ts';

/** One line on stderr that is rewritten in its place; nothing is written unless stderr is a terminal that can. */
interface StatusLine {
  /** Takes text that is sanitised already; a terminal that is narrower cuts it. */
  show(text: string): void;
  /** Takes the line away, so that others can write; the next `show` brings it back. */
  clear(): void;
}

/** Without wrapping while it is written: a line that went on in the next one could not be rewritten. */
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
      // However the process ends, the prompt begins on a line of its own.
      if (!isWatched) process.on('exit', clear);
      isWatched = true;
      io.err.write(rewrite(text));
      isShown = true;
    },
    clear,
  };
}
