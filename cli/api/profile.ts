import { join } from 'node:path';
import { CliError, usage } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { readCredentials, type Credentials } from '../files/credentials.ts';
import { defaultProfile, isProfileName, profileFile, profileNames, readContext } from '../files/profiles.ts';
import { TomlFileError } from '../files/toml-file.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { nearby } from '../command-line/suggest.ts';
import { either } from './not-found.ts';

/** The profile of one call, with the source of its name. */
export interface Profile {
  name: string;
  from: '--profile' | 'SERVICE_PROFILE' | 'context.toml' | 'the default';
  /** Its file: full path, and name in messages. */
  path: string;
  file: string;
}

/**
 * `--profile`, else SERVICE_PROFILE, else the choice of `cli context use`, else credentials.toml. The file may be
 * missing.
 */
export async function profileOf({ flags, environment }: Pick<Invocation, 'flags' | 'environment'>): Promise<Profile> {
  const flag = flags.text('profile');
  if (flag !== undefined) return named(flag, '--profile');
  if (environment.profile !== undefined) return named(environment.profile, 'SERVICE_PROFILE');
  const context = await readContext(environment.configDirectory);
  return context === undefined ? named(defaultProfile, 'the default') : named(context, 'context.toml');

  function named(name: string, from: Profile['from']): Profile {
    if (!isProfileName(name))
      throw usage(
        `${from}: "${name}" is not a valid profile name`,
        'Use lowercase letters, digits and ._-, 64 at most',
      );
    const file = profileFile(name);
    return { name, from, file, path: join(environment.configDirectory, file) };
  }
}

/** The content of the profile's file; undefined if it is missing. Throws CliError with a hint if it is unusable. */
export async function savedIn(profile: Profile): Promise<Credentials | undefined> {
  try {
    return await readCredentials(profile.path);
  } catch (error) {
    if (!(error instanceof TomlFileError)) throw error;
    throw new CliError(error.message, {
      code: 'bad_request',
      hint: `Correct it, or sign in again, which keeps the file under another name: ${loginLine(profile)} --token <token>`,
      cause: error,
    });
  }
}

/** A requested profile is missing. Continuing without it would call an unintended service. */
export async function missingProfile({ environment }: Invocation, { name, from }: Profile): Promise<CliError> {
  const near = nearby(name, [defaultProfile, ...(await profileNames(environment.configDirectory))]);
  const guess = near.length === 0 ? '' : `Did you mean ${either(near)}? `;
  return new CliError(`profile "${name}" not found (named by ${from})`, {
    code: 'unauthorized',
    exit: exitCode.auth,
    hint: `${guess}List profiles with: cli context list. Create it with: cli login --profile ${name}`,
  });
}

/** The command that signs in to this profile. */
export const loginLine = ({ name, from }: Profile) =>
  from === '--profile' ? `cli login --profile ${name}` : 'cli login';
