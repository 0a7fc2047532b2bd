/**
 * `npm run release [-- --snapshot] [folder]`: builds all that is published, into release/ or the folder. The same commit gives the
 * same bytes. Signs it by the key of RELEASE_KEY_FILE. `--snapshot`: also what is not committed, or not released yet.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readJson, root } from './bundled-packages.ts';
import { signChecksums, writeChecksums } from './checksums.ts';
import { buildDebianPackages } from './debian/packages.ts';
import { buildExecutables } from './executables/build.ts';
import { executableLicenses } from './executables/licenses.ts';
import { packPackage } from './npm/stage.ts';
import { releaseEpoch } from './release-date.ts';
import { softwareBill } from './sbom.ts';
import { hasUnreleased, lastVersion } from './version.ts';

const { values, positionals } = parseArgs({
  ...{ allowPositionals: true, options: { snapshot: { type: 'boolean', default: false } } },
});
const folder = resolve(positionals[0] ?? join(root, 'release'));
const { RELEASE_KEY_FILE: keyFile } = process.env;

const git = (...line: string[]) => execFileSync('git', line, { cwd: root, encoding: 'utf8' }).trim();

/** @throws if what is built would not be the release that the CHANGELOG names */
async function checkTree(): Promise<void> {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const { version } = await readJson<{ version: string }>('package.json');
  if (hasUnreleased(changelog) || lastVersion(changelog) !== version)
    throw new Error('CHANGELOG.md has changes that are not released: run npm run release:prepare, or use --snapshot');
  if (git('status', '--porcelain') !== '')
    throw new Error('files are changed and not committed: commit them, or use --snapshot');
}

/** @throws if the folder has files that are not those of a release */
async function emptyFolder(): Promise<void> {
  const inside: string[] = await readdir(folder).catch(() => []);
  if (inside.length > 0 && !inside.includes('SHA256SUMS'))
    throw new Error(`${folder} has files that are not of a release: name a new folder`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}

async function build(): Promise<void> {
  if (!values.snapshot) await checkTree();
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  await emptyFolder();
  const inFolder = (name: string) => join(folder, name);
  await writeFile(inFolder('sbom.cdx.json'), await softwareBill(new Date(Number(releaseEpoch()) * 1_000)));
  await writeFile(inFolder('executables-licenses.txt'), await executableLicenses());
  await copyFile(join(root, 'packaging/install-agent.sh'), inFolder('install-agent.sh'));
  const files = [
    ...['sbom.cdx.json', 'executables-licenses.txt', 'install-agent.sh'].map(inFolder),
    await packPackage(folder),
    ...(await buildExecutables(folder)),
    ...(await buildDebianPackages(folder)),
  ];
  await writeChecksums(folder, files);
  if (keyFile === undefined) console.error('SHA256SUMS is not signed: set RELEASE_KEY_FILE to an ed25519 key');
  else await signChecksums(folder, keyFile);
  for (const file of files) console.log(`${((await stat(file)).size / 1e6).toFixed(1)} MB  ${basename(file)}`);
}

try {
  await build();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
