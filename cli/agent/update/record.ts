import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, makeOwnFolder, writeDurably } from '../orders/durable.ts';

/** An agent that came as a release. */
export interface Program {
  /** SHA-256 of its file, in hex. */
  digest: string;
  version: string;
}

/**
 * Which agent is in effect: `update.json` in the folder of the kind. One file, so that each change of it is one step: there is no moment at
 * which the link says one thing and the probation another. Agents of all versions read it; what one does not know it keeps.
 *
 * States: {} (the installed agent) → on probation (`current` and `probation`) → in effect (`current`), or taken back (`current` is what
 * `previous` was, and `taken_back` says why) → on probation …
 */
export interface UpdateRecord {
  /** Absent: the installed one. */
  current?: Program | undefined;
  /** What was in effect before; absent: the installed one. */
  previous?: Program | undefined;
  probation?: Probation | undefined;
  /** The last one that was, until the next one comes. */
  taken_back?: { digest: string; why: string; tail: string[] } | undefined;
  /** Version of the installed agent when `current` took effect: another version that is installed by hand takes precedence. */
  installed?: string | undefined;
}

export interface Probation {
  /** How often it was started. */
  starts: number;
  /** How long one start of it may stay on probation; what takes longer hangs. */
  limit_seconds: number;
  /** How it ended the last time, and the last lines that it wrote. */
  ended?: { how: string; tail: string[] } | undefined;
}

/** Where agents that came as releases are: `<folder of releases>/agent`. */
export const homeOf = (releases: string) => join(releases, 'agent');

const recordFile = 'update.json';
export const fileOf = (home: string, digest: string) => join(home, digest, 'agent.mjs');

/** Empty where there is none, and where nobody can make sense of it: the installed agent always runs. Rejects where the disk does. */
export async function readRecord(home: string): Promise<UpdateRecord> {
  const text = await readFile(join(home, recordFile), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '{}';
    throw error;
  });
  try {
    return checked(JSON.parse(text) as UpdateRecord | null);
  } catch {
    return {};
  }
}

/** On disk once it resolves. Rejects where the disk does. */
export async function writeRecord(home: string, record: UpdateRecord): Promise<void> {
  await makeOwnFolder(home);
  await writeDurably(join(home, recordFile), `${JSON.stringify(record, undefined, 2)}\n`);
}

/** The one before is in effect again. */
export const takenBack = (record: UpdateRecord, why: string, tail: string[] = []): UpdateRecord => ({
  ...record,
  current: record.previous,
  previous: undefined,
  probation: undefined,
  taken_back: { digest: record.current?.digest ?? '', why, tail },
});

function checked(record: UpdateRecord | null): UpdateRecord {
  if (typeof record !== 'object' || record === null) return {};
  for (const program of [record.current, record.previous])
    if (program !== undefined && !/^[0-9a-f]{64}$/.test(program.digest)) return {};
  const { probation } = record;
  if (probation && !(Number.isFinite(probation.starts) && probation.limit_seconds > 0)) return {};
  return record;
}
