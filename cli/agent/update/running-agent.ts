import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import type { LinkWatch } from './link-watch.ts';

/** What this agent knows about itself, and can do with itself. */
export interface RunningAgent {
  /** SHA-256 of the file that this process runs, in hex; undefined if it cannot be read. */
  digest: string | undefined;
  /** Whether the agent was not delivered as a release. */
  isInstalled: boolean;
  link: LinkWatch;
  /** Ends this process, so that the agent in effect is started. */
  restart(): void;
}

/**
 * Reads the running file at the path `program`. Uses only the path of the folder `home`, as its disk may not respond.
 */
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
