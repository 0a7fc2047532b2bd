import { setMaxListeners } from 'node:events';
import { clientOf, inOrg, signedIn, type Api, type Whoami } from '../api.ts';
import { checkedToken, type Connection } from '../connection.ts';
import { CliError } from '../errors.ts';
import { readCredentials, writeCredentials } from '../files/credentials.ts';
import { setAside, TomlFileError } from '../files/toml-file.ts';
import { openViewer, type StreamEnd, type ViewerSocket } from '../live/viewer-socket.ts';
import type { Invocation } from '../spec.ts';

/** Who is signed in, for all calls and streams: that may change while the interface is open. */
export interface Session {
  connection: Connection;
  /** Rejects with CliError where nobody is signed in, or the org of `--org` cannot be found. */
  api(): Promise<Api>;
  view(path: string): Promise<ViewerSocket | StreamEnd>;
  /** Takes the token for all calls from now on. Rejects with CliError, and changes nothing, if the service does not take it. */
  signIn(token: string): Promise<Whoami>;
  /** Keeps the token where `cli login` does. Rejects with CliError. */
  keep(): Promise<void>;
  /** Gives up what is on its way. */
  end(): void;
}

/** Calls nothing yet: the interface opens without the service too. */
export function openSession(call: Invocation, connection: Connection): Session {
  const over = new AbortController();
  setMaxListeners(0, over.signal); // one for each call on its way
  let current = connection;
  let opened: Promise<Api> | undefined;

  const api = () => (opened ??= open().catch(forgotten));

  async function open(): Promise<Api> {
    return clientOf(call, await inOrg(call, signedIn(current)), over.signal);
  }

  /** The next call tries again. */
  function forgotten(error: unknown): never {
    opened = undefined;
    throw error;
  }

  return {
    connection,
    api,
    view: async (path) => openViewer(call, await api(), path),
    async signIn(text) {
      const token = checkedToken(text, 'the sign-in');
      const next: Connection = { ...current, token, tokenFrom: current.profile.file };
      const client = clientOf(call, await inOrg(call, next), over.signal);
      const { data } = (await client.get('/api/whoami', {})).body;
      [current, opened] = [next, Promise.resolve(client)];
      return data;
    },
    async keep() {
      const { token, baseUrl, profile } = current;
      if (token === undefined) return;
      try {
        // A file that cannot be used is kept under another name, as by `cli login`.
        await readCredentials(profile.path).catch(async (error: unknown) => {
          if (!(error instanceof TomlFileError)) throw error;
          await setAside(profile.path);
        });
        await writeCredentials(profile.path, token, baseUrl);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new CliError(`signed in until you leave, but the token could not be saved: ${why}`, {
          code: 'bad_request',
          hint: error instanceof TomlFileError ? error.hint : undefined,
          cause: error,
        });
      }
    },
    end: () => over.abort(),
  };
}
