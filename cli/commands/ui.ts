import { isatty } from 'node:tty';
import { usage } from '../command-line/errors.ts';
import type { Invocation } from '../command-line/command-spec.ts';

/** The full-screen interface. */
export async function ui(call: Invocation): Promise<number> {
  if (!call.io.out.tty || !isatty(0) || call.environment.dumb)
    throw usage('the interface requires a terminal', 'Without one, use: cli robots list --watch');
  const { runUi } = await import('../ui/main.ts');
  return runUi(call);
}
