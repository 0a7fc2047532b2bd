import { createElement } from 'react';
import { signedInEnvironment } from '../command-line/config.ts';
import { connectionOf, type ApiAccess } from '../api/connection.ts';
import { readUiFile, type UiFile } from '../files/ui-settings.ts';
import { savePreferences } from '../files/ui-preferences.ts';
import { createData } from './data/create-data.ts';
import { createMutations } from './data/create-mutations.ts';
import { openSession } from './data/session.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { App } from './App.tsx';
import { createUi } from './create-ui.ts';
import { startChangeFlows } from './change-flows/start.ts';
import { mount } from './mount.tsx';
import { savePreferencesOf } from './saving/preferences.ts';
import type { Settings } from './settings.ts';

/** Requests still in flight at the end delay the exit by at most this. */
const lastCallsMs = 100;

/** Runs the terminal interface until it quits. */
export async function runUi(call: Invocation): Promise<number> {
  const { environment } = call;
  const connection = await connectionOf(call);
  const session = openSession(call, connection);
  const signedIn = () => signedInEnvironment({ token: session.current().token, profile: connection.profile.name });
  const data = createData({ session });
  const { file, problems } = await readUiFile(environment.configDirectory);
  const settings: Settings = {
    keys: file.keys,
    isAscii: file.ascii ?? !environment.isUtf8,
    hasColours: hasColours(call, file),
    readOnlyProfiles: file.readOnlyProfiles,
    preferences: file.preferences,
  };
  const { isAscii } = settings;
  const colours = !settings.hasColours ? 'none' : environment.hasManyColours ? 'many' : 'few';
  let endChangeFlows: () => void = () => undefined;
  let endSaving: () => Promise<void> = async () => undefined;
  try {
    return await mount(
      {
        isAscii,
        passedOn: passedOn(call, connection),
        environment: signedIn,
        hasMouse: file.preferences.mouse ?? true,
      },
      (terminal) => {
        const mutations = createMutations({ session, data });
        const ui = createUi({ data, mutations, settings, terminal, colours, place: { screen: 'overview' } });
        endChangeFlows = startChangeFlows(ui, problems);
        endSaving = savePreferencesOf(ui, (before, after) =>
          savePreferences(environment.configDirectory, before, after),
        );
        return createElement(App, { ui });
      },
    );
  } finally {
    endChangeFlows();
    await endSaving();
    data.end();
    setTimeout(() => process.exit(), lastCallsMs).unref();
  }
}

const hasColours = ({ flags, environment }: Invocation, { colours }: UiFile) =>
  flags.on('color') && environment.colour !== false && colours !== false;

/**
 * Flags for the commands that the interface runs: those that select the service and the colours. The profile is left
 * out: the file of a profile named by a flag would take precedence over the signed-in user's token.
 */
function passedOn({ flags }: Invocation, { baseUrl }: ApiAccess): string[] {
  const named = ['org', 'ca-file'].flatMap((name) => {
    const value = flags.text(name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  return ['--base-url', baseUrl, ...named, ...(flags.on('color') ? [] : ['--no-color'])];
}
