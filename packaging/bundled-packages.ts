import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The repository. Every file of the packaging names its inputs from here. */
export const root = join(import.meta.dirname, '..');

/** A package of others of which the built files contain something. */
export interface BundledPackage {
  name: string;
  version: string;
  license: string; // SPDX
  folder: string;
}

interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
}

export async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(join(root, path), 'utf8')) as T;
}

/** Of package.json. */
export const productVersion = async (): Promise<string> =>
  (await readJson<{ version: string }>('package.json')).version;

/** Sorted by name and version. A package that is installed twice in one version is there once. */
export async function bundledPackages(): Promise<BundledPackage[]> {
  const { bundled } = await readJson<{ bundled: string[] }>('dist/packages.json');
  const found = new Map<string, BundledPackage>();
  for (const path of bundled) {
    const { name, version, license = '' } = await readJson<Manifest>(`${path}/package.json`);
    found.set(`${name}@${version}`, {
      name,
      version,
      folder: join(root, path),
      license: typeof license === 'string' ? license : license.type,
    });
  }
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? []);
}

/** The names of what the built files load from beside them. Some of it is never there, as the drivers of other databases. */
export async function loadedPackages(): Promise<Set<string>> {
  const { loaded } = await readJson<{ loaded: string[] }>('dist/packages.json');
  return new Set(loaded.map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')));
}

const licenseFile = /^(licen[cs]e|copying|notice)/i;

/** The texts of `THIRD-PARTY-LICENSES`: who bundles a package has to pass on its license. */
export async function licenseTexts(packages: readonly BundledPackage[]): Promise<string> {
  const parts: string[] = [];
  for (const { name, version, license, folder } of packages) {
    const names = (await readdir(folder)).filter((each) => licenseFile.test(each)).sort();
    const texts = await Promise.all(names.map((each) => readFile(join(folder, each), 'utf8')));
    // The reference of the contract contains packages of its own.
    if (name === 'redoc') texts.push(await readFile(join(folder, 'bundles/redoc.standalone.js.LICENSE.txt'), 'utf8'));
    parts.push([`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n'));
  }
  return `${parts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`;
}
