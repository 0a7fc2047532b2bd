/**
 * The gate of `npm run check` for the contract: compares generated/openapi.json with that of the last tag. Changes that can break a client
 * have to be named, by operationId or schema, in a "### Breaking" section of the CHANGELOG. The rules are in breaking/.
 */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { announced, unannounced } from './breaking/changelog.ts';
import type { Document } from './breaking/document.ts';
import { breakingChanges } from './breaking/operations.ts';

const contract = 'generated/openapi.json';
const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');

/** The output of git; undefined where it refuses. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: new URL('..', import.meta.url),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch {
    return undefined;
  }
}

const tag = git('describe', '--tags', '--abbrev=0')?.trim();
const released = tag && git('show', `${tag}:${contract}`);

// Green, but never to be taken for a comparison that was made: a clone without tags looks just like a project without versions.
const nothingCompared = (why: string) =>
  console.log(`NOT COMPARED  breaking changes: ${why}; the contract was compared with nothing`);

if (!tag) nothingCompared('no tag is in this clone (git fetch --tags brings those there are)');
else if (!released) nothingCompared(`${tag} has no ${contract}`);
else {
  const versions = { before: JSON.parse(released) as Document, after: JSON.parse(await read(contract)) as Document };
  const changes = breakingChanges(versions);
  const silent = unannounced(changes, announced(await read('CHANGELOG.md'), tag));
  for (const { subject, what } of silent) console.error(`breaking since ${tag}: ${subject}: ${what}`);
  if (silent.length > 0) {
    console.error(
      'Take the change back, or name each of these under "### Breaking" of "Unreleased" in CHANGELOG.md, with what clients have to do.',
    );
    process.exitCode = 1;
  } else console.log(`breaking changes: ${changes.length} since ${tag}, each named in the CHANGELOG`);
}
