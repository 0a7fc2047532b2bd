import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import type { LinkWatch } from './link-watch.ts';

/** What this agent knows of itself, and may do with itself. */
export interface RunningAgent {
  /** SHA-256 of the file that this process runs, in hex; undefined where it cannot be read. */
  digest: string | undefined;
  /** It did not come as a release. */
  isInstalled: boolean;
  link: LinkWatch;
  /** Ends this process so that what is in effect is started. */
  restart(): void;
}

/** Reads the file that runs: `program` is its path. Of the folder `home` only the name is looked at, as its disk may not answer. */
export async function readRunningAgent(
  home: string,
  program: string,
  others: Pick<RunningAgent, 'link' | 'restart'>,
): Promise<RunningAgent> {
  const content = await readFile(program).catch(() => undefined);
  return {
    digest: content && createHash('sha256').update(content).digest('hex'),
    isInstalled: !program.startsWith(`${home}${sep}`),
    ...others,
  };
}
