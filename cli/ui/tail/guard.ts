import { createContext, Script } from 'node:vm';

/** Longer than any expression that people mean takes for all lines of a tail. */
const mostMs = 100;

let call: (() => void) | undefined;
const script = new Script('call()');
const context = createContext({ call: () => call?.() });

/**
 * Runs the function, for at most 100 ms. Regular expressions can take time exponential in the length of a text, and
 * nothing else in JavaScript ends one. Undefined: it was ended.
 */
export function withinTime<T>(run: () => T): { value: T } | undefined {
  let done: { value: T } | undefined;
  call = () => (done = { value: run() });
  try {
    script.runInContext(context, { timeout: mostMs });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    return undefined;
  } finally {
    call = undefined;
  }
  return done;
}
