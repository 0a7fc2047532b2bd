import type { Program, ProgramListener } from './program.ts';

/** A program with an idle timeout and limited resizes. */
interface Shell extends Omit<Program, 'resize'> {
  /** Applies at most one size in 50 ms, and always the last one. */
  resize(columns: number, rows: number): void;
}

export interface ShellSettings {
  start: (on: ProgramListener) => Program;
  /** The program is ended after this long without input and output. */
  idleMs: number;
}

interface ShellListener extends ProgramListener {
  /** There was no input and no output for `idleMs`; the program is being ended. */
  idle(): void;
}

const resizeEveryMs = 50;

/** @throws when the program cannot be started */
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
  // After the start: a program that cannot be started has no idle timeout.
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
