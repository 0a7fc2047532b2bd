import { setMaxListeners } from 'node:events';
import { clientOf, inOrg, withoutRetries, signedIn, type Api, type Whoami } from '../../api/api.ts';
import { baseUrlOf, checkedToken, type ApiAccess } from '../../api/connection.ts';
import { CliError } from '../../command-line/errors.ts';
import { readCredentials, writeCredentials } from '../../files/credentials.ts';
import { setAside, TomlFileError } from '../../files/toml-file.ts';
import type { StreamConnector } from '../../client/streams/stream-connector.ts';
import { silentSeconds, streamConnector } from '../../live/stream-connector.ts';
import { loginLine, savedIn } from '../../api/profile.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/** The signed-in user, for all calls and streams; it may change while the interface is open. */
export interface Session {
  connection: ApiAccess;
  /** The connection with the current token, which a sign-in changes. */
  current(): ApiAccess;
  /** Rejects with CliError if not signed in, or if the org of `--org` is not found. */
  api(): Promise<Api>;
  /** Opens live streams, each as the user signed in at that time. */
  streams: StreamConnector;
  /** Uses the token for all calls from now on. Rejects with CliError, without a change, if the service rejects it. */
  signIn(token: string): Promise<Whoami>;
  /** The same with the token that `cli login` has saved since, in another terminal. */
  signInAgain(): Promise<Whoami>;
  /**
   * Saves the token where `cli login` does, replacing the one before it. Returns why not, if that file is for another
   * service or sign-in. Rejects with CliError.
   */
  keep(): Promise<string | undefined>;
  /** Aborts requests in flight. */
  end(): void;
}

/** Sends nothing yet: the interface opens without the service too. */
export function openSession(line: Invocation, connection: ApiAccess): Session {
  // No retries: the data polls by itself, and the screen shows what is missing.
  const call = withoutRetries(line);
  const over = new AbortController();
  setMaxListeners(0, over.signal); // one per call in flight
  let current = connection;
  let opened: Promise<Api> | undefined;
  /** Our token in the profile's file; undefined: it has none of ours. */
  let kept = connection.tokenFrom === connection.profile.file ? connection.token : undefined;

  const api = () => (opened ??= open().catch(forgotten));

  async function open(): Promise<Api> {
    return clientOf(call, await inOrg(call, signedIn(current)), over.signal);
  }

  /** The next call retries. */
  function forgotten(error: unknown): never {
    opened = undefined;
    throw error;
  }

  async function take(token: string): Promise<Whoami> {
    const next: ApiAccess = { ...current, token, tokenFrom: current.profile.file };
    const client = clientOf(call, await inOrg(call, next), over.signal);
    const { data } = (await client.get('/api/whoami', {})).body;
    [current, opened] = [next, Promise.resolve(client)];
    return data;
  }

  return {
    connection,
    current: () => current,
    api,
    streams: {
      silentSeconds,
      open: async (...stream) => streamConnector(call, await api()).open(...stream),
    },
    signIn: async (text) => take(checkedToken(text, 'the sign-in')),
    async signInAgain() {
      const { profile, baseUrl } = current;
      const saved = await savedIn(profile);
      if (saved?.token === undefined)
        throw new CliError(`${profile.file} has no sign-in`, {
          code: 'unauthorized',
          hint: `Run in another terminal: ${loginLine(profile)}`,
        });
      const theirs = baseUrlOf(undefined, saved.baseUrl, profile.file).baseUrl;
      if (theirs !== baseUrl)
        throw new CliError(`${profile.file} is now for ${theirs}`, {
          code: 'conflict',
          hint: 'Quit and start the interface again to use it.',
        });
      const who = await take(checkedToken(saved.token, profile.file));
      kept = saved.token;
      return who;
    },
    async keep() {
      const { token, baseUrl, profile } = current;
      if (token === undefined) return undefined;
      try {
        // An invalid file is renamed, as by `cli login`.
        const saved = await readCredentials(profile.path).catch(async (error: unknown) => {
          if (!(error instanceof TomlFileError)) throw error;
          await setAside(profile.path);
          return undefined;
        });
        if (saved) {
          const theirs = baseUrlOf(undefined, saved.baseUrl, profile.file).baseUrl;
          if (theirs !== baseUrl) return `${profile.file} is for ${theirs}, and was not changed`;
          if (saved.token !== undefined && saved.token !== kept)
            return `${profile.file} has another sign-in, and was not changed`;
        }
        await writeCredentials(profile.path, token, baseUrl);
        kept = token;
        return undefined;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new CliError(`signed in until you quit, but the token could not be saved: ${why}`, {
          code: 'bad_request',
          hint: error instanceof TomlFileError ? error.hint : undefined,
          cause: error,
        });
      }
    },
    end: () => over.abort(),
  };
}
