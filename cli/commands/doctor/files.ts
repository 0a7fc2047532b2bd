import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readCredentials } from '../../files/credentials.ts';
import { identityPath, readIdentity } from '../../files/identity.ts';
import { defaultProfile, profileFile, profileNames, profilesDirectory, readContext } from '../../files/profiles.ts';
import { isForeign, looseMode, TomlFileError } from '../../files/toml-file.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { fail, ok, warn, type Check } from './check.ts';

/** Checks that the files are usable, and that secrets and their directories are private to their owner. */
export async function checkFiles({ environment: { configDirectory } }: Invocation): Promise<Check> {
  const directories = [configDirectory, profilesDirectory(configDirectory)];
  for (const directory of directories) {
    const fault = await unusableDirectory(directory);
    if (fault !== undefined) return fail('files', fault);
  }
  if (!(await isThere(configDirectory)))
    return ok('files', `${configDirectory} does not exist yet; cli login creates it`);
  const credentials = [defaultProfile, ...(await profileNames(configDirectory))].map((name) =>
    join(configDirectory, profileFile(name)),
  );
  const unusable = await findings(
    [
      ...credentials.map((path) => () => readCredentials(path)),
      () => readIdentity(configDirectory, 'cli agent'),
      () => readContext(configDirectory),
    ],
    unusableFile,
  );
  if (unusable.length > 0) return fail('files', unusable.join('; '));
  const paths = [...directories, ...credentials, identityPath(configDirectory)];
  const doubts = [
    ...(await findings(paths, (path) => openness(path, directories.includes(path) ? '700' : '600'))),
    ...(await findings(directories, unwritable)),
  ];
  return doubts.length > 0
    ? warn('files', doubts.join('; '))
    : ok('files', `${configDirectory} is accessible to you only`);
}

/** One sentence per problem; nothing for a valid or missing file. */
async function findings<T>(things: readonly T[], look: (thing: T) => Promise<string | undefined>): Promise<string[]> {
  return (await Promise.all(things.map(look))).filter((finding) => finding !== undefined);
}

async function unusableDirectory(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return `${path} is not a folder. Move it elsewhere`;
    await access(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : `${message}. Make the folder readable for you`;
  }
}

async function unusableFile(read: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlFileError)) throw error;
    return `${error.message}. ${error.hint ?? ''}`.trimEnd();
  }
}

async function openness(path: string, mode: string): Promise<string | undefined> {
  if (await isForeign(path)) return `${path} belongs to another user, who can read and change it`;
  const loose = await looseMode(path);
  return loose && `${path} is open to other users (${loose}). Run: chmod ${mode} ${path}`;
}

/** A read-only folder is enough for all commands except the few that save something. */
const unwritable = (path: string) =>
  access(path, constants.W_OK).then(
    () => undefined,
    (error: unknown) =>
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? undefined
        : `${path} is not writable, but cli login and cli agent run write to it`,
  );

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
