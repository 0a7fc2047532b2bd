import type { Reply } from '../api/api.ts';
import { renderObject } from '../output/render.ts';
import { isForPeople, type View } from '../output/view.ts';
import type { Invocation } from '../command-line/command-spec.ts';

/** Prints an object. People get `done` on stderr. */
export async function printObject<T extends object>(
  call: Invocation,
  reply: Reply<{ data: T }>,
  view: View<T>,
  done?: string,
): Promise<void> {
  await renderObject(call, reply, reply.body.data, view);
  if (done !== undefined && isForPeople(call)) call.io.aside(done);
}
