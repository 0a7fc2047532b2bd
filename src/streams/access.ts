import type { Logger } from 'pino';
import type { Bus } from '../platform/bus/bus.ts';
import type { Link } from './link.ts';

/** Tokens that are asked for in one statement. */
const maxAsked = 2_000;
/** Hints of one org that come together are one question. */
const debounceMs = 200;
/** A belt beside the hints, and what notices a token that expires. */
const recheckEveryMs = 60_000;

interface AccessSettings {
  bus: Bus;
  log: Logger;
  pollMs: number; // while the bus is down
  links(): Iterable<Link>;
  findBad(asked: { orgId: string; tokenId: string }[]): Promise<Set<string>>;
  /** The token of this link is no longer good. */
  onRevoked(link: Link): void;
}

/** Notices that the token of an open link was revoked, its robot deleted or its org suspended. A database that is away changes nothing. */
export function accessWatch({ bus, log, pollMs, links, findBad, onRevoked }: AccessSettings) {
  let orgs: Set<string> | 'all' = new Set();
  let timer: NodeJS.Timeout | undefined;
  let running = false;

  async function check(): Promise<void> {
    const asked = orgs;
    orgs = new Set();
    let batch: Link[] = [];
    const ask = async () => {
      const bad = await findBad(batch);
      for (const link of batch) if (bad.has(link.tokenId)) onRevoked(link);
      batch = [];
    };
    for (const link of [...links()]) {
      if (link.state === 'over' || !(asked === 'all' || asked.has(link.orgId))) continue;
      batch.push(link);
      if (batch.length === maxAsked) await ask();
    }
    if (batch.length > 0) await ask();
  }

  /** An org, or all of them. */
  function soon(orgId?: string): void {
    if (orgId === undefined) orgs = 'all';
    else if (orgs !== 'all') orgs.add(orgId);
    if (running || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = true;
      check()
        .catch((error: unknown) => {
          log.warn({ err: error }, 'the tokens of open links could not be checked; it is tried again');
          orgs = 'all';
        })
        .finally(() => {
          running = false;
          if (orgs === 'all' || orgs.size > 0) retry();
        });
    }, debounceMs);
    timer.unref();
  }

  /** What came in during a check; a failed one waits a while. */
  const retry = () => {
    if (orgs !== 'all') for (const orgId of orgs) soon(orgId);
  };

  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'access_changed') soon(hint.orgId);
    },
    reset: () => soon(),
  });
  let quietMs = 0;
  const poll = setInterval(() => {
    quietMs += pollMs;
    if (bus.up && orgs !== 'all' && quietMs < recheckEveryMs) return;
    quietMs = 0;
    soon();
  }, pollMs);
  poll.unref();

  return {
    stop(): void {
      clearTimeout(timer);
      clearInterval(poll);
    },
  };
}
