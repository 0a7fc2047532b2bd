import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readToml, removeFile, TomlFileError, writeToml } from './toml-file.ts';

/**
 * A profile is a token with its base URL. The default one is credentials.toml; every other is a file of its own in
 * `profiles/`, with the same keys. context.toml holds the profile to use if neither the command line nor the
 * environment names one.
 */
export const defaultProfile = 'default';

/** A name is part of a file name: it starts with a letter or digit and cannot leave the folder. */
export const isProfileName = (name: string) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name);

export const profilesDirectory = (configDirectory: string) => join(configDirectory, 'profiles');
const contextPath = (configDirectory: string) => join(configDirectory, 'context.toml');

/** Relative to the configuration directory, as in messages. */
export const profileFile = (name: string) => (name === defaultProfile ? 'credentials.toml' : `profiles/${name}.toml`);

/** Names of the saved profiles, sorted, without the default one. */
export async function profileNames(configDirectory: string): Promise<string[]> {
  const files = await readdir(profilesDirectory(configDirectory)).catch(() => []);
  const names = files.flatMap((file) => (file.endsWith('.toml') ? [file.slice(0, -'.toml'.length)] : []));
  return names.filter((name) => isProfileName(name) && name !== defaultProfile).sort();
}

/**
 * The choice of `cli context use`; undefined if there is none. Throws TomlFileError if the file is unusable or has no
 * valid name.
 */
export async function readContext(configDirectory: string): Promise<string | undefined> {
  const path = contextPath(configDirectory);
  const hint = `Choose again: cli context use ${defaultProfile}`;
  const table = await readToml(path).catch((error: unknown) => {
    throw error instanceof TomlFileError ? new TomlFileError(error.message, { hint, cause: error }) : error;
  });
  const name = table?.['profile'];
  if (name === undefined) return undefined;
  if (typeof name === 'string' && isProfileName(name)) return name;
  throw new TomlFileError(`${path} names no profile`, { hint });
}

/** The default profile needs no file. */
export async function writeContext(configDirectory: string, name: string): Promise<void> {
  if (name === defaultProfile) await removeFile(contextPath(configDirectory));
  else await writeToml(contextPath(configDirectory), { profile: name }, { replacesDamaged: true });
}
