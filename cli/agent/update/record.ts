import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, makeOwnFolder, writeDurably } from '../orders/durable.ts';

/** An agent delivered as a release. */
export interface Program {
  /** SHA-256 of its file, in hex. */
  digest: string;
  version: string;
}

/**
 * Which agent is in effect: `update.json` in the folder of the kind. One file, so that each change is atomic: the agent
 * in effect and its probation always match. Agents of all versions read it, and keep members that they do not know.
 *
 * States: {} (the installed agent) → on probation (`current` and `probation`) → in effect (`current`), or rolled back
 * (`current` is the former `previous`, and `taken_back` says why) → on probation …
 */
export interface UpdateRecord {
  /** Absent: the installed agent. */
  current?: Program | undefined;
  /** The agent in effect before. Absent: the installed agent. */
  previous?: Program | undefined;
  probation?: Probation | undefined;
  /** The last agent that was rolled back, until the next one is activated. */
  taken_back?: { digest: string; why: string; tail: string[] } | undefined;
  /** Version of the installed agent when `current` took effect. Another version installed by hand takes precedence. */
  installed?: string | undefined;
}

export interface Probation {
  /** How often it was started. */
  starts: number;
  /** How long one start may stay on probation. An agent that takes longer counts as hung. */
  limit_seconds: number;
  /** How the agent last ended, and the last lines that it wrote. */
  ended?: { how: string; tail: string[] } | undefined;
}

/** Folder of the agents delivered as releases: `<folder of releases>/agent`. */
export const homeOf = (releases: string) => join(releases, 'agent');

const recordFile = 'update.json';
export const fileOf = (home: string, digest: string) => join(home, digest, 'agent.mjs');

/** Empty if the file is missing or invalid: the installed agent always works. Rejects on a disk error. */
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

/** On disk once this resolves. Rejects on a disk error. */
export async function writeRecord(home: string, record: UpdateRecord): Promise<void> {
  await makeOwnFolder(home);
  await writeDurably(join(home, recordFile), `${JSON.stringify(record, undefined, 2)}\n`);
}

/** Puts the previous agent into effect again. */
export const rolledBack = (record: UpdateRecord, why: string, tail: string[] = []): UpdateRecord => ({
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
