import { CliError } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { readCredentials } from '../files/credentials.ts';
import { defaultProfile, isProfileName, profileFile, profileNames, writeContext } from '../files/profiles.ts';
import { TomlFileError } from '../files/toml-file.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import { missingProfile, profileOf } from '../api/profile.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { join } from 'node:path';
import { printLocalList } from './lists.ts';

interface Context {
  name: string;
  /** True for the profile that commands use now. */
  current: boolean;
  signed_in: boolean;
  base_url: string | undefined;
}

const view: View<Context> = {
  columns: [
    { field: 'name', shown: 'table' },
    { field: 'current', shown: 'table', text: ({ current }) => (current ? '*' : ''), tone: () => 'good' },
    { field: 'signed_in', shown: 'table', text: (context) => (context.signed_in ? 'yes' : 'no') },
    { field: 'base_url', header: 'ADDRESS', shown: 'table', whole: true },
  ],
  name: (context) => context.name,
};

export async function listContexts(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const { configDirectory } = call.environment;
  const current = await profileOf(call);
  const names = [defaultProfile, ...(await profileNames(configDirectory))];
  const items = await Promise.all(
    names.map(async (name): Promise<Context> => {
      // A damaged file must not hide the others.
      const saved = await readCredentials(join(configDirectory, profileFile(name))).catch((error: unknown) => {
        if (!(error instanceof TomlFileError)) throw error;
        call.io.note(`Warning: ${error.message}`);
        return undefined;
      });
      return {
        name,
        current: name === current.name,
        signed_in: saved?.token !== undefined,
        base_url: saved?.baseUrl,
      };
    }),
  );
  await printLocalList(call, items, view);
  if (!names.includes(current.name)) call.io.note(`${(await missingProfile(call, current)).message}.`);
}

/** Saves the profile for later commands, in every shell. */
export async function useContext({ args, environment, flags, io }: Invocation): Promise<void> {
  const [name = ''] = args;
  const { configDirectory } = environment;
  const names = [defaultProfile, ...(await profileNames(configDirectory))];
  if (!isProfileName(name) || !names.includes(name)) {
    throw new CliError(`profile "${name}" not found`, {
      code: 'not_found',
      exit: exitCode.notFound,
      hint: `Profiles: ${names.join(', ')}. Create one with: cli login --profile <name>`,
    });
  }
  await writeContext(configDirectory, name);
  if (flags.on('json')) io.out.write(`${JSON.stringify({ data: { profile: name } })}\n`);
  io.note(`Commands use the profile ${name} from now on.`);
  if (environment.profile !== undefined) io.note('SERVICE_PROFILE is set and takes precedence until you unset it.');
}
