import type { Candidate } from './position.ts';

/** A line as a shell passes it, and how that shell reads the response. */
interface AskedLine {
  /** Words before the one at the cursor, without the program. */
  complete: readonly string[];
  current: string;
  write(candidates: readonly Candidate[]): string;
  /** The response that makes the shell complete names of files. */
  files: string;
}

/** How a shell asks `cli __complete <shell>`. */
export interface Shell {
  /** Printed by `cli completion`; it has no words of the client, so it fits later versions too. */
  script: string;
  /** `args`: those after the name of the shell. */
  read(args: readonly string[]): AskedLine;
}
