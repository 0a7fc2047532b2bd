import type { Logger } from 'pino';
import type { Role } from '../kernel/caller.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { AccessLoss } from './model.ts';

/** Maximum tokens checked by one statement. */
const maxAsked = 2_000;
/** Hints of one org within this time cause one check. */
const debounceMs = 200;
/** A safety net beside the hints; it also detects expired tokens. */
const recheckEveryMs = 60_000;
/** An upgrade that takes longer is refused, and its token was checked at its beginning. */
const upgradeWithinMs = 10_000;

/** An open socket, and the required rights of its token. */
export interface Watched {
  orgId: string;
  tokenId: string;
  leastRole?: Role; // default: any
}

interface AccessWatchSettings<Socket> {
  bus: Bus;
  log: Logger;
  pollMs: number; // while the bus is down
  sockets(): Iterable<Socket>; // may include ended ones
  /** Tokens that are no longer valid, or whose role is too low, by index. */
  findBad(asked: readonly Watched[]): Promise<Map<number, AccessLoss>>;
  onRevoked(socket: Socket, loss: AccessLoss): void;
}

/**
 * Detects that the token of an open socket was revoked, its robot deleted, its user's role lowered or its org
 * suspended. While the database is unavailable, nothing changes.
 */
export function accessWatch<Socket extends Watched>({
  bus,
  log,
  pollMs,
  sockets,
  findBad,
  onRevoked,
}: AccessWatchSettings<Socket>) {
  let orgs: Set<string> | 'all' = new Set();
  const changedMs = new Map<string, number>(); // by org, the latest last
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let isStopped = false;

  async function check(): Promise<void> {
    const asked = orgs;
    orgs = new Set();
    let batch: Socket[] = [];
    const ask = async () => {
      const bad = await findBad(batch);
      batch.forEach((socket, index) => {
        const loss = bad.get(index);
        if (loss) onRevoked(socket, loss);
      });
      batch = [];
    };
    for (const socket of [...sockets()]) {
      if (!(asked === 'all' || asked.has(socket.orgId))) continue;
      batch.push(socket);
      if (batch.length === maxAsked) await ask();
    }
    if (batch.length > 0) await ask();
  }

  /** Schedules a check of an org; undefined: of all. */
  function soon(orgId?: string): void {
    if (orgId === undefined) orgs = 'all';
    else if (orgs !== 'all') orgs.add(orgId);
    if (running || timer || isStopped) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = true;
      check()
        .catch((error: unknown) => {
          if (!isStopped) log.warn({ err: error }, 'the tokens of open sockets could not be checked; retrying');
          orgs = 'all';
        })
        .finally(() => {
          running = false;
          if (orgs === 'all' || orgs.size > 0) retry();
        });
    }, debounceMs);
    timer.unref();
  }

  /** Orgs added during a check; after a failed check, the next poll retries. */
  const retry = () => {
    if (orgs !== 'all') for (const orgId of orgs) soon(orgId);
  };

  function changed(orgId: string): void {
    changedMs.delete(orgId);
    changedMs.set(orgId, performance.now());
    for (const oldest of changedMs.keys()) {
      if (hasChanged(oldest)) break;
      changedMs.delete(oldest);
    }
    soon(orgId);
  }
  const hasChanged = (orgId: string) => performance.now() - (changedMs.get(orgId) ?? -Infinity) < upgradeWithinMs;

  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'access_changed') changed(hint.orgId);
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
    /** A socket was added: its token may have been revoked, and the others checked, while its upgrade was pending. */
    added({ orgId }: Watched): void {
      if (hasChanged(orgId)) soon(orgId);
    },

    /** Sends no more queries, even if more hints arrive: the database may be closed next. */
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
      clearInterval(poll);
    },
  };
}
