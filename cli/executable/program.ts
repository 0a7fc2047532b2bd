import { isAbsolute } from 'node:path';

/** What an executable runs, as the arguments of a process of Node: its own program, or another file. */
interface Program {
  /** `process.argv`: the executable, the file that runs, its arguments. */
  argv: string[];
  /** Absent: the program inside the executable. */
  file?: string;
}

/**
 * An executable starts like Node, so that the client and the agent start themselves and other agents without a
 * difference: `<executable> <executable> …` is its own program, and `<executable> /path/agent.mjs …` runs that file.
 * No command begins with a slash. Agents of all versions start the next one this way.
 */
export function programOf([, , ...args]: readonly string[], executable: string): Program {
  const [first = '', ...rest] = args;
  if (first === executable) return { argv: [executable, executable, ...rest] };
  if (isAbsolute(first) && first.endsWith('.mjs')) return { argv: [executable, first, ...rest], file: first };
  return { argv: [executable, executable, ...args] };
}
