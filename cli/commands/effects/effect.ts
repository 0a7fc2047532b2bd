import { createInterface } from 'node:readline';
import { CliError } from '../../command-line/errors.ts';
import { isDryRun } from '../../command-line/dry-run.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { Io } from '../../command-line/io.ts';
import { safeCell } from '../../output/safe.ts';

/** What a change does, as people read it before it is sent. */
export interface Effect {
  /** `Deploy nav-1.8.2 to fleet pickers`. */
  title: string;
  /** Label and text; one without text is omitted. */
  facts: readonly (readonly [label: string, text: string | undefined])[];
  /** Whether a person is asked. Default: true. */
  asks?: boolean;
}

/**
 * Shows the effect of a change, before it is sent, and asks for confirmation: in a terminal without `--yes`. With
 * `--dry-run` it is shown only. Elsewhere `read` is not called, and nothing is asked: lines of scripts stay as they are.
 * @throws CliError if the answer is no
 */
export async function confirmEffect(call: Invocation, read: () => Effect | Promise<Effect>): Promise<void> {
  const { io, flags } = call;
  const isTold = isDryRun(call);
  if (!isTold && (flags.on('yes') || !io.canAsk)) return;
  const { title, facts, asks = true } = await read();
  if (!isTold && !asks) return;
  const shown = facts.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }]));
  const width = Math.max(...shown.map(({ label }) => label.length));
  io.note(safeCell(title));
  for (const { label, text } of shown) io.note(`  ${io.err.paint(label.padEnd(width), 'quiet')}  ${safeCell(text)}`);
  if (isTold || (await isConfirmed(io))) return;
  throw new CliError('not confirmed; nothing was sent', {
    code: 'bad_request',
    hint: 'Answer y to continue, or pass --yes to skip the question',
  });
}

/** Only `y` and `yes` mean yes; the end of the input means no. */
async function isConfirmed(io: Io): Promise<boolean> {
  io.err.write('Continue? [y/N] ');
  const lines = createInterface({ input: io.input, terminal: false });
  try {
    for await (const line of lines) return /^\s*y(?:es)?\s*$/i.test(line);
    io.note('');
    return false;
  } finally {
    lines.close();
  }
}
