import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Candidate } from '../../command-line/completion/position.ts';
import { makeFolder } from '../../files/folder.ts';

/** Candidates of one kind, as they were read. */
export interface Kept {
  atMs: number;
  /** They are those that contain this text; empty for all. */
  asked: string;
  /** False if the service has more. */
  isComplete: boolean;
  candidates: readonly Candidate[];
}

/** Responses kept per kind: one for each text that was asked for. */
const maxKept = 8;
/** Files of another profile, or of a token that was replaced, are deleted after this time. */
const maxAgeMs = 24 * 60 * 60_000;

/** The candidates of one kind for one profile and org, in a file for this user only. It holds names and no token. */
export interface CandidateCache {
  /** The newest response that answers for this text; undefined if there is none. */
  find(typed: string): Promise<Kept | undefined>;
  keep(response: Kept): Promise<void>;
  /** True for one caller within `ms`: for the work of a process in the background, where each key may ask. */
  claim(ms: number): Promise<boolean>;
}

/** `scope`: what the response depends on, such as address, token, org and kind; only its hash is written. */
export function candidateCache(cacheDirectory: string, scope: readonly string[]): CandidateCache {
  const folder = join(cacheDirectory, 'completion');
  const path = join(folder, `${createHash('sha256').update(scope.join('\0')).digest('hex').slice(0, 32)}.json`);
  return {
    find: async (typed) => (await readKept(path)).find((kept) => answers(kept, typed)),
    async keep(response) {
      const others = (await readKept(path)).filter(({ asked }) => asked !== response.asked);
      const written = `${path}.${randomUUID()}`;
      await makeFolder(folder, 0o700);
      try {
        // Two shells may complete at once: each writes a file of its own, and the last one stays.
        await writeFile(written, JSON.stringify([response, ...others].slice(0, maxKept)), { mode: 0o600 });
        await rename(written, path);
      } finally {
        await rm(written, { force: true });
      }
      await removeOld(folder);
    },
    async claim(ms) {
      const marker = `${path}.claim`;
      const { mtimeMs } = await stat(marker).catch(() => ({ mtimeMs: 0 }));
      if (Date.now() - mtimeMs < ms) return false;
      await makeFolder(folder, 0o700);
      await writeFile(marker, '', { mode: 0o600 });
      return true;
    },
  };
}

/** A part of the names does for a longer text only if it was complete. */
const answers = ({ asked, isComplete }: Kept, typed: string) =>
  asked === typed || (isComplete && typed.toLowerCase().includes(asked.toLowerCase()));

/** An unusable file counts as missing: another version of the client may have written it. */
async function readKept(path: string): Promise<Kept[]> {
  try {
    const kept: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(kept) ? kept.filter(isKept) : [];
  } catch {
    return [];
  }
}

function isKept(value: unknown): value is Kept {
  const { atMs, asked, isComplete, candidates } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>;
  return (
    typeof atMs === 'number' &&
    typeof asked === 'string' &&
    typeof isComplete === 'boolean' &&
    Array.isArray(candidates) &&
    candidates.every(
      (each: Partial<Candidate> | null) => typeof each?.word === 'string' && typeof each.about === 'string',
    )
  );
}

async function removeOld(folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    const path = join(folder, file);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > maxAgeMs) await rm(path, { force: true });
  }
}
