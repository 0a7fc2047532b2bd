import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Versions = Record<string, string>;

interface Package {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  optionalDependencies?: Versions;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const manifest = read('package.json') as {
  version: string;
  dependencies: Versions;
  devDependencies: Versions;
  optionalDependencies: Versions;
  overrides: Record<string, string | Versions>;
  allowScripts: Record<string, boolean>;
};
const lock = read('package-lock.json') as { version: string; packages: Record<string, Package> };
/** A package that would report each install to its makers: a folder of ours stands in its place, and a test of its own holds it. */
const reporter = '@scarf/scarf';
const emptyFolder = '.ci/empty-package';
const beside = ['', emptyFolder, `node_modules/${reporter}`];
/** All packages that are installed from elsewhere, with their names; the first entry of a lockfile is the project. */
const installed = Object.entries(lock.packages)
  .filter(([path]) => !beside.includes(path))
  .map(([path, entry]) => ({
    ...entry,
    path,
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  }));

const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };

test('every dependency is pinned to one version', () => {
  const overrides = Object.entries(manifest.overrides).flatMap(([name, override]) =>
    typeof override === 'string' ? [[name, override] as const] : Object.entries(override),
  );
  const pinned = [...Object.entries(direct), ...overrides].filter(([name]) => name !== reporter);
  expect(pinned.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version))).toEqual([]);
});

test('the lockfile installs the versions that package.json names', () => {
  const differing = Object.entries(direct).filter(
    ([name, version]) => name !== reporter && lock.packages[`node_modules/${name}`]?.version !== version,
  );
  expect(differing).toEqual([]);
  expect(lock.version).toBe(manifest.version);
});

test('the lockfile has the package of every platform that one of its packages may ask for', () => {
  const names = new Set(installed.map(({ name }) => name));
  // `npm ci` refuses a lockfile that lacks one, and `npm install` writes such a lockfile when a release is not whole yet.
  const missing = installed.flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).filter((name) => !names.has(name)),
  );
  expect(missing).toEqual([]);
});

test('the lockfile names no host to download from, and the hash of every package', () => {
  expect(installed.filter(({ resolved }) => resolved !== undefined).map(({ path }) => path)).toEqual([]);
  expect(installed.filter(({ integrity, link }) => integrity === undefined && !link).map(({ path }) => path)).toEqual(
    [],
  );
});

test('every package with an install script is allowed or denied by name', () => {
  const undecided = installed.filter(
    ({ name, hasInstallScript }) => hasInstallScript && !(name in manifest.allowScripts),
  );
  expect(undecided.map(({ name }) => name)).toEqual([]);
});

test('in place of the package that reports installs there is a folder of ours without anything to run', () => {
  // By its own name: an override that names a path is resolved from the folder of the package that asks.
  expect([manifest.overrides[reporter], direct[reporter]]).toEqual([`$${reporter}`, `file:${emptyFolder}`]);
  expect(lock.packages[`node_modules/${reporter}`]).toEqual({ resolved: emptyFolder, link: true });
  expect(installed.filter(({ name }) => name === reporter)).toEqual([]);
  expect(readdirSync(new URL(`../../${emptyFolder}`, import.meta.url))).toEqual(['package.json']);
  const { name, scripts } = read(`${emptyFolder}/package.json`) as { name: string; scripts?: object };
  expect([name, scripts]).toEqual([reporter, undefined]);
});

test('no ws below 8.21 is installed, since older ones can be brought down by one request', () => {
  const old = installed.filter(({ name, version = '' }) => {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return name === 'ws' && (major < 8 || (major === 8 && minor < 21));
  });
  expect(old.map(({ path, version }) => `${path}@${String(version)}`)).toEqual([]);
});
