import { join } from 'node:path';
import { baseUrlOf, type ApiAccess } from '../../api/connection.ts';
import { loginLine, type Profile } from '../../api/profile.ts';
import { usage } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { readCredentials } from '../../files/credentials.ts';
import { defaultProfile, profileFile, profileNames } from '../../files/profiles.ts';

type Address = Pick<ApiAccess, 'baseUrl' | 'baseUrlFrom'>;

/**
 * The address to sign in at: `--base-url`, else the saved one of the profile, else the default, which is reported.
 * Refuses the default for a new profile while another profile is elsewhere: the user has more than one service, and the
 * token of one would be sent to another.
 */
export async function addressOf(call: Invocation, profile: Profile, saved: string | undefined): Promise<Address> {
  const { flags, environment, io } = call;
  const address = baseUrlOf(flags.text('base-url'), saved, profile.file);
  if (flags.isGiven('base-url') || saved !== undefined) return address;
  const others = await savedElsewhere(environment.configDirectory, profile.name, address.baseUrl);
  if (profile.name === defaultProfile && others.length === 0) return address;
  if (profile.name !== defaultProfile && others.length > 0) {
    const known = others.map(({ name, baseUrl }) => `${baseUrl} (${name})`).join(', ');
    throw usage(
      `the profile "${profile.name}" has no address yet`,
      `Give its address: ${lineFor(profile)} --base-url <url>   Saved addresses: ${known}. The default is ${address.baseUrl}`,
    );
  }
  io.note(`Using ${address.baseUrl}, the default address. For another one, add --base-url <url>.`);
  return address;
}

const lineFor = (profile: Profile) => loginLine({ ...profile, from: '--profile' });

/** The other profiles that have another address. An unreadable one has none. */
async function savedElsewhere(directory: string, profile: string, baseUrl: string) {
  const names = [defaultProfile, ...(await profileNames(directory))].filter((name) => name !== profile);
  const saved = await Promise.all(
    names.map(async (name) => ({
      name,
      baseUrl: (await readCredentials(join(directory, profileFile(name))).catch(() => undefined))?.baseUrl,
    })),
  );
  return saved.filter((each) => each.baseUrl !== undefined && each.baseUrl !== baseUrl);
}
