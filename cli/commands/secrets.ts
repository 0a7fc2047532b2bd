import type { Reply } from '../api/api.ts';
import { isForPeople, isPlain, type View } from '../output/view.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { printObject } from './shared.ts';

/**
 * Prints an object whose secret value the service shows only once. By default stdout gets only that value, so that
 * `$(…)` and a pipe get nothing else. People see the rest on stderr.
 */
export async function printSecret<T extends object>(
  call: Invocation,
  reply: Reply<{ data: T }>,
  view: View<T>,
  value: string,
  next: string,
): Promise<void> {
  if (!isPlain(call)) {
    await printObject(call, reply, view);
    if (isForPeople(call)) call.io.aside(call.io.err.paint('This value is shown only once.', 'warn'));
    return;
  }
  call.io.out.write(`${value}\n`);
  call.io.aside(`${call.io.err.paint('This value is shown only once. Keep it now.', 'warn')}\n${next}`);
}
