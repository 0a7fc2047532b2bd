import { closeSync, openSync } from 'node:fs';

type Place = number | 'pipe' | 'ignore';

/**
 * The terminal masters that are open in this process, whichever part opened them. The native part lets every program
 * started meanwhile inherit them. A shell could then read another shell's terminal, and a terminal would outlive its
 * shell.
 */
const masters = new Set<number>();
/** `/dev/null`, which replaces them; open while there is a master. */
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

/** The `stdio` of a program of the agent: its three descriptors, and no terminal of another program. */
export function isolatedStdio<In extends Place, Out extends Place, Err extends Place>(
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
