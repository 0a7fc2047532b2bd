import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { codeForm, type Attempt } from './attempt.ts';
import { outcomeOf, type Outcome } from './outcome.ts';

/**
 * The result in a pasted line: the bare code, or the full redirect URL, which a browser on another machine cannot open.
 * Undefined for anything else. The verifier detects a code of another attempt.
 */
export function pastedOutcome(attempt: Pick<Attempt, 'state'>, redirectUri: string, line: string): Outcome | undefined {
  const text = line.trim();
  if (codeForm.test(text)) return { code: text };
  const [address, query, ...more] = text.split('#', 1)[0]?.split('?') ?? [];
  if (address !== redirectUri || query === undefined || more.length > 0) return undefined;
  return outcomeOf(attempt, new URLSearchParams(query));
}

interface Pasted {
  /** Resolves once, with the first valid line; never if there is none. */
  outcome: Promise<Outcome>;
  /** Releases the input: the process may end while it is still open. */
  close(): void;
}

/** Calls `onStrange` for each invalid line. */
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
