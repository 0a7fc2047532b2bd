import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { bundledPackages, licenseTexts, loadedPackages, readJson, root } from '../bundled-packages.ts';
import { makeReadable } from '../modes.ts';

interface Manifest extends Record<string, unknown> {
  bin: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

/** Of package.json: what who installs the package needs. */
const kept = ['name', 'version', 'description', 'license', 'type', 'engines', 'bin', 'exports', 'sideEffects'];

type Dependencies = Pick<Manifest, 'dependencies' | 'optionalDependencies'>;

/** Packages of the product's own that the types of `/client` name. */
const ofTypes = ['openapi-fetch'];

/**
 * Writes the released package into a new folder: what is built, with no package but those that cannot be bundled, since
 * they are native, or large and rarely loaded.
 */
export async function stagePackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = await readJson<Manifest>('package.json');
  const released = {
    ...Object.fromEntries(kept.map((key) => [key, manifest[key]])),
    ...(await releasedDependencies()),
  };
  await Promise.all([
    cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: isReleased }),
    cp(join(root, 'docs'), join(folder, 'docs'), { recursive: true, filter: (path) => !path.endsWith('__pycache__') }),
    copyGenerated(join(folder, 'generated')),
    ...['README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'].map((name) => cp(join(root, name), join(folder, name))),
    writeFile(join(folder, 'package.json'), `${JSON.stringify(released, null, 2)}\n`),
    writeFile(join(folder, 'THIRD-PARTY-LICENSES'), await licenseTexts(await bundledPackages())),
  ]);
  await makeReadable(folder);
}

/** What npm installs beside the released package, with the versions or ranges of package.json. */
export async function releasedDependencies(): Promise<Dependencies> {
  const { dependencies, optionalDependencies } = await readJson<Manifest>('package.json');
  const loaded = await loadedPackages();
  const beside = Object.entries(dependencies).filter(([name]) => loaded.has(name) || ofTypes.includes(name));
  return { dependencies: Object.fromEntries(beside), optionalDependencies };
}

/** What V8 made is of one version of Node, and the maps double the size. */
const isReleased = (path: string): boolean =>
  !/\.(map|cache)$/.test(path) && !['packages.json', 'bench'].includes(basename(path));

/** The contract, and the types of the client. */
async function copyGenerated(folder: string): Promise<void> {
  const from = join(root, 'generated');
  await cp(join(from, 'client'), join(folder, 'client'), { recursive: true });
  for (const name of await readdir(from))
    if (/\.d\.ts$|^(openapi|openapi-3\.0|asyncapi)\.json$/.test(name)) await cp(join(from, name), join(folder, name));
}

/** Writes the package as npm takes it, and returns its path. */
export async function packPackage(folder: string): Promise<string> {
  const staged = await mkdtemp(join(tmpdir(), 'package-'));
  try {
    await stagePackage(staged);
    const line = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const { stdout } = await promisify(execFile)('npm', line, { cwd: staged });
    return join(folder, stdout.trim());
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}
