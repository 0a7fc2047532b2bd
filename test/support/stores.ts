import { join } from 'node:path';
import { connectionOf } from '../../cli/api/connection.ts';
import { catalogOf } from '../../cli/command-line/catalog.ts';
import { readEnvironment } from '../../cli/command-line/config.ts';
import { Flags, type FlagValue } from '../../cli/command-line/flag-spec.ts';
import { ioOf, processStreams } from '../../cli/command-line/io.ts';
import type { CommandSpec } from '../../cli/command-line/command-spec.ts';
import { createData, type DataSettings, type LiveData } from '../../cli/ui/data/create-data.ts';
import { createMutations } from '../../cli/ui/data/create-mutations.ts';
import type { ConnectionState } from '../../cli/ui/data/data.ts';
import type { Mutations } from '../../cli/ui/data/mutations.ts';
import { openSession } from '../../cli/ui/data/session.ts';
import { globalFlags } from '../../cli/command-line/global-flags.ts';
import { tempDir } from './temp-dir.ts';

interface StoresOptions extends Omit<DataSettings, 'session'> {
  url: string;
  /** Undefined: not signed in. */
  token?: string | undefined;
  flags?: Record<string, FlagValue>;
}

/** The stores of `cli ui`, without the part that draws, in their own home. */
export interface Stores extends AsyncDisposable {
  data: LiveData;
  mutations: Mutations;
  /** The credentials file. */
  file: string;
  /** Each kind of state of the connection so far. */
  kinds: ConnectionState['kind'][];
}

export async function openStores({ url, token, flags = {}, ...settings }: StoresOptions): Promise<Stores> {
  const home = await tempDir();
  const command: CommandSpec = { path: 'ui', summary: '', examples: [], load: async () => async () => undefined };
  const session = openSession(
    ...(await withConnection({
      command,
      args: [],
      afterDashes: [],
      flags: new Flags(globalFlags, new Map<string, FlagValue>(Object.entries({ 'base-url': url, ...flags }))),
      catalog: catalogOf([], {}, { name: 'cli', summary: '', examples: [] }),
      environment: readEnvironment({ HOME: home.path, ...(token !== undefined && { SERVICE_TOKEN: token }) }),
      io: ioOf(processStreams, false),
      version: '0',
    })),
  );
  const data = createData({ session, ...settings });
  const kinds: ConnectionState['kind'][] = [data.connection.get().kind];
  data.connection.subscribe(() => {
    const { kind } = data.connection.get();
    if (kind !== kinds.at(-1)) kinds.push(kind);
  });
  return {
    data,
    mutations: createMutations({ session, data }),
    file: join(home.path, '.config', 'service', 'credentials.toml'),
    kinds,
    async [Symbol.asyncDispose]() {
      data.end();
      await home[Symbol.asyncDispose]();
    },
  };
}

async function withConnection(call: Parameters<typeof openSession>[0]): Promise<Parameters<typeof openSession>> {
  return [call, await connectionOf(call)];
}
