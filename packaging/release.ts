/**
 * `npm run release [-- --snapshot] [folder]`: builds all that is published, into release/ or the folder. The same commit gives the
 * same bytes. Signs it by the key of RELEASE_KEY_FILE. `--snapshot`: also what is not committed, or not released yet.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readJson, root } from './bundled-packages.ts';
import { signChecksums, writeChecksums } from './checksums.ts';
import { packPackage } from './npm/stage.ts';
import { softwareBill } from './sbom.ts';
import { hasUnreleased, lastVersion } from './version.ts';

const { values, positionals } = parseArgs({
  ...{ allowPositionals: true, options: { snapshot: { type: 'boolean', default: false } } },
});
const folder = resolve(positionals[0] ?? join(root, 'release'));
const { RELEASE_KEY_FILE: keyFile, SOURCE_DATE_EPOCH: epoch } = process.env;

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

async function build(): Promise<void> {
  if (!values.snapshot) await checkTree();
  const date = new Date(Number(epoch ?? git('log', '-1', '--format=%ct')) * 1_000);
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const bill = join(folder, 'sbom.cdx.json');
  await writeFile(bill, await softwareBill(date));
  const files = [bill, await packPackage(folder)];
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
