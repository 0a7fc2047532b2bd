import { closeSync, openSync } from 'node:fs';

type Place = number | 'pipe' | 'ignore';

/**
 * The masters of terminals that are open, which a process has once, no matter which part opened them. The native part leaves them open to every program
 * that is started meanwhile: a shell could read another one, and a terminal would outlive its shell.
 */
const masters = new Set<number>();
/** What stands in their places; there while one of them is. */
let nothing: number | undefined;

export function holdMaster(descriptor: number): void {
  nothing ??= openSync('/dev/null', 'r+');
  masters.add(descriptor);
}

export function releaseMaster(descriptor: number): void {
  masters.delete(descriptor);
  if (masters.size > 0 || nothing === undefined) return;
  closeSync(nothing);
  nothing = undefined;
}

/** The `stdio` of a program of the agent: its three places, and no terminal that is another's. */
export function shielded<In extends Place, Out extends Place, Err extends Place>(
  stdin: In,
  stdout: Out,
  stderr: Err,
): [In, Out, Err] {
  const places: [In, Out, Err] = [stdin, stdout, stderr];
  const substitute = nothing;
  if (substitute === undefined) return places;
  const all: Place[] = places;
  for (let place = places.length; place <= Math.max(...masters); place += 1)
    all.push(masters.has(place) ? substitute : 'ignore');
  return places;
}
