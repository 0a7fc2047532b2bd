import type { Program, ProgramListener } from './program.ts';

/** A program that somebody uses, with the times that it may take. */
interface Shell extends Omit<Program, 'resize'> {
  /** At most one in 50 ms takes effect, and the last one always. */
  resize(columns: number, rows: number): void;
}

export interface ShellSettings {
  start: (on: ProgramListener) => Program;
  /** Without input and output for so long it has been forgotten. */
  idleMs: number;
}

interface ShellListener extends ProgramListener {
  /** Nothing was typed and nothing shown for the longest time that may be; it is being ended. */
  idle(): void;
}

const resizeEveryMs = 50;

/** Starts it. @throws when the program cannot be started */
export function beginShell({ start, idleMs }: ShellSettings, on: ShellListener): Shell {
  let resizing: NodeJS.Timeout | undefined;
  let size: [columns: number, rows: number] | undefined;
  const program = start({
    output(bytes, output) {
      forgotten.refresh();
      on.output(bytes, output);
    },
    drained: () => on.drained(),
    ended(end) {
      clearTimeout(forgotten);
      clearTimeout(resizing);
      on.ended(end);
    },
  });
  // Not before it is there: one that cannot be started is not forgotten either.
  const forgotten = setTimeout(() => {
    on.idle();
    program.end();
  }, idleMs);

  function applySize(): void {
    resizing = undefined;
    if (!size) return;
    program.resize(...size);
    size = undefined;
    resizing = setTimeout(applySize, resizeEveryMs);
  }

  return {
    ...program,
    write(bytes) {
      forgotten.refresh();
      return program.write(bytes);
    },
    resize(columns, rows) {
      size = [columns, rows];
      if (!resizing) applySize();
    },
  };
}
