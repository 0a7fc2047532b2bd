import { readdir, readFile } from 'node:fs/promises';
import { announced, unannounced } from './changelog.ts';
import { operationsOf } from './document.ts';
import type { Breaking, Document } from './document.ts';
import { breakingChanges } from './operations.ts';

export const contract = 'generated/openapi.json';
export const releasedContract = (version: string) => `spec/released/${version}/openapi.json`;

/** The current contract beside the one of the last release. */
interface Comparison {
  since: string;
  changes: Breaking[];
  /** The changes that the CHANGELOG does not name. */
  silent: Breaking[];
}

/** Something that the reader can correct. It is printed without a stack. */
export class GateError extends Error {
  override readonly name = 'GateError';
}

/** A JSON file of the repository. @throws GateError where it is missing or invalid */
export async function readJson(root: URL, name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(new URL(name, root), 'utf8'));
  } catch (error) {
    throw new GateError(`cannot read ${name}: ${(error as Error).message}`, { cause: error });
  }
}

/** `version` of package.json. */
export const packageVersion = async (root: URL): Promise<string> =>
  ((await readJson(root, 'package.json')) as { version: string }).version;

/** The parts of a version, most significant first. @throws GateError where it has another form than those of releases */
function partsOf(version: string): number[] {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new GateError(`"${version}" is not a version of the form 1.2.3`);
  return version.split('.').map(Number);
}

function compareVersions(one: string, other: string): number {
  const others = partsOf(other);
  const differences = partsOf(one).map((part, index) => part - (others[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** The versions whose contract is in spec/released/, oldest first. */
export async function releasedVersions(root: URL): Promise<string[]> {
  const entries = await readdir(new URL('spec/released/', root), { withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of folders) partsOf(name);
  return folders.sort(compareVersions);
}

/** The contract of the highest release up to `version`, so that a patch of an older release is compared with its own line. */
async function lastRelease(root: URL, version: string): Promise<{ version: string; document: Document }> {
  const since = (await releasedVersions(root)).filter((other) => compareVersions(other, version) <= 0).at(-1);
  if (since === undefined)
    throw new GateError(
      `spec/released/ has no contract up to version ${version}. Restore the folder from the repository.`,
    );
  const name = releasedContract(since);
  const document = (await readJson(root, name)) as Document;
  const found = String(document.info?.version);
  if (found !== since) throw new GateError(`${name} is not the contract of ${since}: its info.version is ${found}`);
  // Without operations nothing can break, and each later change would pass.
  if (operationsOf(document).size === 0) throw new GateError(`${name} has no operations`);
  return { version: since, document };
}

/**
 * Compares generated/openapi.json with the contract of the last release. `section` is the version of the CHANGELOG whose "### Breaking" has
 * to name the changes. @throws GateError where a file is missing or invalid: without a comparison the gate does not pass
 */
export async function compareWithRelease(root: URL, section: string): Promise<Comparison> {
  const { version: since, document: before } = await lastRelease(root, await packageVersion(root));
  const changes = breakingChanges({ before, after: (await readJson(root, contract)) as Document });
  const changelog = await readFile(new URL('CHANGELOG.md', root), 'utf8');
  return { since, changes, silent: unannounced(changes, announced(changelog, section)) };
}

/** Prints the changes that the CHANGELOG does not name. Returns false if there are any. */
export function isAnnounced({ since, silent }: Comparison, section: string): boolean {
  for (const { subject, what } of silent) console.error(`breaking since ${since}: ${subject}: ${what}`);
  if (silent.length === 0) return true;
  console.error(
    `Revert each of these changes, or name its operation or schema under "### Breaking" of "${section}" in CHANGELOG.md, with what clients must do.`,
  );
  return false;
}

/** Runs a script of the gate. Exit code 0 for true; 1 for false and for a GateError. */
export async function exitWith(script: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await script()) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
