import { startOnPipes } from './pipes.ts';
import type { Starter } from './program.ts';
import { hasScript, startInScript } from './script-terminal.ts';
import { loadNativePty, startInTerminal } from './terminal.ts';

/** Starts the programs of shells on this machine. */
export interface Starters {
  terminal: Starter;
  pipes: Starter;
}

/** Undefined when nothing on this machine can allocate a terminal. */
export async function availableStarters(): Promise<Starters | undefined> {
  const native = await loadNativePty();
  if (native) return { terminal: (start, on) => startInTerminal(native, start, on), pipes: startOnPipes };
  return (await hasScript()) ? { terminal: startInScript, pipes: startOnPipes } : undefined;
}
