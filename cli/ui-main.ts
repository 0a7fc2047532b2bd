import { createElement } from 'react';
import { connectionOf } from './connection.ts';
import { readUiFile, type UiFile } from './files/ui-settings.ts';
import { createData } from './stores/create-data.ts';
import { createDeeds } from './stores/create-deeds.ts';
import { openSession } from './stores/session.ts';
import type { Invocation } from './spec.ts';
import { App } from './ui/App.tsx';
import { createUi } from './ui/create-ui.ts';
import { beginDoing } from './ui/doing/begin.ts';
import { mount } from './ui/mount.tsx';
import type { Settings } from './ui/settings.ts';

/** What asks the service still when the interface has been left keeps nobody waiting longer. */
const lastCallsMs = 100;

/** Runs the terminal interface until it is left. */
export async function runUi(call: Invocation): Promise<number> {
  const { environment } = call;
  const session = openSession(call, await connectionOf(call));
  const data = createData({ session });
  const { file, problems } = await readUiFile(environment.configDirectory);
  const settings: Settings = {
    keys: file.keys,
    isAscii: file.ascii ?? !environment.isUtf8,
    hasColours: hasColours(call, file),
    readOnlyProfiles: file.readOnlyProfiles,
  };
  const { isAscii } = settings;
  const colours = !settings.hasColours ? 'none' : environment.hasManyColours ? 'many' : 'few';
  let endDoing: () => void = () => undefined;
  try {
    return await mount({ isAscii, passedOn: passedOn(call) }, (terminal) => {
      const deeds = createDeeds({ session, data });
      const ui = createUi({ data, deeds, settings, terminal, colours, place: { screen: 'overview' } });
      endDoing = beginDoing(ui, problems);
      return createElement(App, { ui });
    });
  } finally {
    endDoing();
    data.end();
    setTimeout(() => process.exit(), lastCallsMs).unref();
  }
}

const hasColours = ({ flags, environment }: Invocation, { colours }: UiFile) =>
  flags.on('color') && environment.colour !== false && colours !== false;

/** The flags of this line that say which service it is about, and how it is drawn, for the lines that it runs. */
function passedOn({ flags }: Invocation): string[] {
  const named = ['base-url', 'profile', 'org', 'ca-file'].flatMap((name) => {
    const value = flags.text(name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  return [...named, ...(flags.on('color') ? [] : ['--no-color'])];
}
