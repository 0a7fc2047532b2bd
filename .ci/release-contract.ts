/**
 * `npm run release:contract`: keeps generated/openapi.json as the contract of the version in package.json, for the gate of `npm run check`.
 * The section of that version in CHANGELOG.md has to name every breaking change, so that none comes in with the release itself. A contract
 * that is released is never overwritten.
 */
import { copyFile, constants, mkdir, readFile } from 'node:fs/promises';
import { releasesOf } from './breaking/changelog.ts';
import {
  compareWithRelease,
  contract,
  exitWith,
  GateError,
  isAnnounced,
  packageVersion,
  readJson,
  releasedContract,
  releasedVersions,
} from './breaking/comparison.ts';
import type { Document } from './breaking/document.ts';

const root = new URL('..', import.meta.url);

await exitWith(async () => {
  const version = await packageVersion(root);
  const released = await releasedVersions(root);
  if (released.includes(version))
    throw new GateError(`${version} is already released. Set the next version in package.json first.`);
  const { info } = (await readJson(root, contract)) as Document;
  if (info?.version !== version)
    throw new GateError(
      `${contract} is of ${String(info?.version)}, package.json of ${version}. Run npm run generate.`,
    );
  const sections = releasesOf(await readFile(new URL('CHANGELOG.md', root), 'utf8'));
  if (!sections.some((section) => section.version === version && section.date !== undefined))
    throw new GateError(
      `CHANGELOG.md has no section "## ${version} - <date>". Rename "Unreleased", and add an empty one.`,
    );
  // The first release has nothing before it.
  if (released.length > 0 && !isAnnounced(await compareWithRelease(root, version), version)) return false;

  const place = releasedContract(version);
  await mkdir(new URL('.', new URL(place, root)), { recursive: true });
  await copyFile(new URL(contract, root), new URL(place, root), constants.COPYFILE_EXCL);
  console.log(place);
  return true;
});
