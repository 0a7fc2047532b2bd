import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { codeForm, type Attempt } from './attempt.ts';
import { outcomeOf, type Outcome } from './outcome.ts';

/**
 * What a line says that somebody pasted: the code alone, or the whole address that the browser was sent to and could not open, since it
 * runs on another machine. Undefined for anything else. A code of another sign-in is found out by its verifier.
 */
export function pastedOutcome(attempt: Pick<Attempt, 'state'>, redirectUri: string, line: string): Outcome | undefined {
  const text = line.trim();
  if (codeForm.test(text)) return { code: text };
  const [address, query, ...more] = text.split('#', 1)[0]?.split('?') ?? [];
  if (address !== redirectUri || query === undefined || more.length > 0) return undefined;
  return outcomeOf(attempt, new URLSearchParams(query));
}

interface Pasted {
  /** Resolves once, with the first line that is an answer; never where none comes. */
  outcome: Promise<Outcome>;
  /** Lets go of the input: the process may end with it still open. */
  close(): void;
}

/** `onStrange` is called for each line that is no answer. */
export function readPasted(
  input: Readable,
  attempt: Pick<Attempt, 'state'>,
  redirectUri: string,
  onStrange: () => void,
): Pasted {
  const lines = createInterface({ input });
  const outcome = new Promise<Outcome>((resolve) => {
    lines.on('line', (line) => {
      if (line.trim() === '') return;
      const found = pastedOutcome(attempt, redirectUri, line);
      if (found === undefined) onStrange();
      else resolve(found);
    });
  });
  return {
    outcome,
    close() {
      lines.close();
      input.destroy();
    },
  };
}
