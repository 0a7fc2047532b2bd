/**
 * `npm run release [-- --snapshot --image] [folder]`: builds all that is published, into release/ or the folder. The same commit
 * gives the same bytes. Signs it by the key of RELEASE_KEY_FILE. `--snapshot`: also what is not committed, or not released yet.
 * `--image`: also the container image, with podman; its bytes differ from build to build.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packChart, packCompose } from './archives.ts';
import { root } from './bundled-packages.ts';
import { readSigningKey, signChecksums, writeChecksums } from './checksums.ts';
import { packImage } from './container/image.ts';
import { buildDebianPackages } from './debian/packages.ts';
import { buildExecutables } from './executables/build.ts';
import { executableLicenses } from './executables/licenses.ts';
import { packPackage } from './npm/stage.ts';
import { checkPublicKey, checkTree } from './release-checks.ts';
import { releaseEpoch } from './release-date.ts';
import { softwareBill } from './sbom.ts';

const flag = { type: 'boolean', default: false } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { snapshot: flag, image: flag } });
const folder = resolve(positionals[0] ?? join(root, 'release'));
const { RELEASE_KEY_FILE: keyFile } = process.env;

/** @throws if the folder has files that are not those of a release */
async function emptyFolder(): Promise<void> {
  const inside: string[] = await readdir(folder).catch(() => []);
  if (inside.length > 0 && !inside.includes('SHA256SUMS'))
    throw new Error(`${folder} has files that are not of a release: name a new folder`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}

async function build(): Promise<void> {
  const key = keyFile === undefined ? undefined : await readSigningKey(keyFile);
  if (!values.snapshot) {
    await checkTree();
    if (key) await checkPublicKey(key);
  }
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  await emptyFolder();
  const inFolder = (name: string) => join(folder, name);
  await writeFile(inFolder('sbom.cdx.json'), await softwareBill(new Date(Number(releaseEpoch()) * 1_000)));
  await writeFile(inFolder('executables-licenses.txt'), await executableLicenses());
  await copyFile(join(root, 'packaging/install-agent.sh'), inFolder('install-agent.sh'));
  const files = [
    ...['sbom.cdx.json', 'executables-licenses.txt', 'install-agent.sh'].map(inFolder),
    await packPackage(folder),
    await packChart(folder),
    await packCompose(folder),
    ...(await buildExecutables(folder)),
    ...(await buildDebianPackages(folder)),
    ...(values.image ? [await packImage(folder)] : []),
  ];
  await writeChecksums(folder, files);
  if (key) await signChecksums(folder, key);
  else console.error('SHA256SUMS is not signed: set RELEASE_KEY_FILE to an ed25519 key');
  for (const file of files) console.log(`${((await stat(file)).size / 1e6).toFixed(1)} MB  ${basename(file)}`);
}

try {
  await build();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
