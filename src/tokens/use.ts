import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Caller } from '../kernel/caller.ts';
import { tokenStore } from './store.ts';

/** How long uses are collected; unwritten ones are lost with the process. */
const usualEveryMs = 30_000;
/** Maximum tokens per statement. */
const maxWritten = 2_000;

interface TokenUseSettings {
  db: Knex;
  log: Logger;
  everyMs?: number; // default 30 s; shorter for tests
}

/** Records the last use of tokens, to the minute: at most one row write per token, minute and replica. */
export function createTokenUse({ db, log, everyMs = usualEveryMs }: TokenUseSettings) {
  // By org and token: a token may be valid in several orgs, and each use is in one org.
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
    /** Records a request or socket with this token. Callers without a token are ignored. */
    note(caller: Caller): void {
      if (!('tokenId' in caller)) return;
      const { orgId, tokenId } = caller;
      const key = orgId + tokenId;
      if (!used.has(key)) used.set(key, { orgId, tokenId });
    },

    /** Flushes the rest. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await writing;
      await writeAll();
    },
  };
}
