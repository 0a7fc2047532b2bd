/**
 * The gate of `npm run check` for the contract: compares generated/openapi.json with the contract of the last release, which is kept in
 * spec/released/<version>/. "### Breaking" of "Unreleased" in CHANGELOG.md has to name every change that can break a client, by operationId
 * or schema. The rules are in breaking/.
 */
import { compareWithRelease, exitWith, isAnnounced } from './breaking/comparison.ts';

const section = 'Unreleased';

await exitWith(async () => {
  const comparison = await compareWithRelease(new URL('..', import.meta.url), section);
  if (!isAnnounced(comparison, section)) return false;
  const { since, changes } = comparison;
  console.log(`breaking changes since ${since}: ${changes.length === 0 ? 'none' : `${changes.length}, all announced`}`);
  return true;
});
