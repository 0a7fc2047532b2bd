import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Caller } from '../kernel/caller.ts';
import { tokenStore } from './store.ts';

/** How long uses are gathered; what was not written yet is lost with the process. */
const usualEveryMs = 30_000;
/** Tokens of one statement. */
const maxWritten = 2_000;

interface TokenUseSettings {
  db: Knex;
  log: Logger;
  everyMs?: number; // default 30 s; shorter for tests
}

/** Keeps when tokens were last used, to the minute: however often one is used, it costs one row a minute and replica at most. */
export function createTokenUse({ db, log, everyMs = usualEveryMs }: TokenUseSettings) {
  // By org and token: one token may be good in several orgs, and is used in one at a time.
  let used = new Map<string, { orgId: string; tokenId: string }>();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    const all = [...used.values()];
    used = new Map();
    for (let first = 0; first < all.length; first += maxWritten)
      await tokenStore(db).markUsed(all.slice(first, first + maxWritten));
  }

  const writeAll = () =>
    (writing ??= write()
      .catch((error: unknown) => log.warn({ err: error }, 'when tokens were last used could not be written'))
      .finally(() => (writing = undefined)));

  const timer = setInterval(() => {
    if (used.size > 0) void writeAll();
  }, everyMs);
  timer.unref();

  return {
    /** A call or a socket began with this token. Callers without one are not noted. */
    note(caller: Caller): void {
      if (!('tokenId' in caller)) return;
      const { orgId, tokenId } = caller;
      const key = orgId + tokenId;
      if (!used.has(key)) used.set(key, { orgId, tokenId });
    },

    /** Writes what is left. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await writing;
      await writeAll();
    },
  };
}
