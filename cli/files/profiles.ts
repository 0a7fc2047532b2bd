import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readToml, removeFile, TomlFileError, writeToml } from './toml-file.ts';

/**
 * A profile is a token with its address. The default one is credentials.toml; every other is a file of its own in `profiles/`, with the
 * same keys. context.toml holds which one is used when neither the command line nor the environment says.
 */
export const defaultProfile = 'default';

/** A name is part of a file name: it starts with a letter or digit and leads nowhere else. */
export const isProfileName = (name: string) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name);

export const profilesDirectory = (configDirectory: string) => join(configDirectory, 'profiles');
const contextPath = (configDirectory: string) => join(configDirectory, 'context.toml');

/** Relative to the configuration directory, as messages name it. */
export const profileFile = (name: string) => (name === defaultProfile ? 'credentials.toml' : `profiles/${name}.toml`);

/** Names of the profiles that are there, in order; the default one is not among them. */
export async function profileNames(configDirectory: string): Promise<string[]> {
  const files = await readdir(profilesDirectory(configDirectory)).catch(() => []);
  const names = files.flatMap((file) => (file.endsWith('.toml') ? [file.slice(0, -'.toml'.length)] : []));
  return names.filter((name) => isProfileName(name) && name !== defaultProfile).sort();
}

/** The choice of `cli context use`; undefined if none was made. Throws TomlFileError if the file cannot be used or holds no name. */
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

/** The default profile needs no file to be remembered. */
export async function writeContext(configDirectory: string, name: string): Promise<void> {
  if (name === defaultProfile) await removeFile(contextPath(configDirectory));
  else await writeToml(contextPath(configDirectory), { profile: name }, { replacesDamaged: true });
}
