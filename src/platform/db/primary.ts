import { Socket } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import pg from 'pg';
import type { Host } from './hosts.ts';

/** Timeout for the state of a server, in ms. A frozen one does not delay the others. */
const probeMs = 1_000;
/** How long the others are awaited after the first primary, in ms: after a failover there may be two. */
const graceMs = 200;

/** The WAL of a promoted standby is on a newer timeline than that of the primary before. */
const probeSql = `select case when not pg_is_in_recovery()
  then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`;

interface Primary extends Host {
  timeline: number;
}

/** What pg passes to the function that makes its socket, and reads again afterwards. */
interface StreamSettings {
  ssl?: boolean | ConnectionOptions;
}

/**
 * Finds the primary among the servers of an address, which pg 8 cannot. Its sockets connect to the primary. When another
 * server becomes the primary, the sockets of the previous one are closed: it may be frozen, and would keep the callers
 * until their timeout. A server on an older timeline is not accepted again: it returned after a failover.
 */
export class PrimaryFinder {
  private readonly hosts: readonly Host[];
  private readonly sockets = new Set<PrimarySocket>();
  private newest = 0; // timeline
  private finding: Promise<Primary> | undefined;

  constructor(hosts: readonly Host[]) {
    this.hosts = hosts;
  }

  /**
   * Concurrent calls share one search.
   * @throws an error with the state of each server
   */
  find(): Promise<Primary> {
    return (this.finding ??= this.search().finally(() => (this.finding = undefined)));
  }

  readonly recheck = (): void => {
    this.find().catch(() => undefined); // the next call repeats it
  };

  /** The `stream` of pg's settings: a socket for one connection. */
  readonly stream = (settings: StreamSettings = {}): PrimarySocket => {
    const socket = new PrimarySocket(this);
    // pg knows only the first server, but the certificate has the name of the primary.
    if (settings.ssl)
      settings.ssl = {
        ...(settings.ssl === true ? {} : settings.ssl),
        checkServerIdentity: (_first, certificate) => checkServerIdentity(socket.primary?.host ?? '', certificate),
      };
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  };

  private async search(): Promise<Primary> {
    const found: Primary[] = [];
    const states = new Map<Host, string>();
    let failure: unknown;
    await new Promise<void>((resolve) => {
      const probe = async (host: Host) => {
        const timeline = await timelineOf(host);
        if (timeline === undefined || timeline < this.newest)
          return states.set(host, timeline === undefined ? 'a standby' : 'a primary from before the failover');
        found.push({ ...host, timeline });
        return setTimeout(resolve, graceMs);
      };
      const fail = (host: Host, error: unknown) => {
        failure ??= error;
        states.set(host, (error as Error).message || String((error as NodeJS.ErrnoException).code));
      };
      const probes = this.hosts.map((host) => probe(host).catch((error: unknown) => fail(host, error)));
      void Promise.all(probes).then(() => resolve());
    });
    const [primary] = found.toSorted((one, other) => other.timeline - one.timeline);
    if (!primary) throw noPrimary(this.hosts, states, failure);
    this.newest = primary.timeline;
    for (const socket of this.sockets) socket.leave(primary);
    return primary;
  }
}

/** With the code of the first server that failed, such as that of a wrong password. */
function noPrimary(hosts: readonly Host[], states: Map<Host, string>, failure: unknown): Error {
  const each = hosts.map((one) => `${one.host}:${one.port} (${states.get(one)})`);
  const { code } = (failure ?? {}) as NodeJS.ErrnoException;
  return Object.assign(new Error(`no server of ${each.join(', ')} is the primary`), { code: code ?? '25006' });
}

/** Undefined for a standby. */
async function timelineOf({ url }: Host): Promise<number | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'fleet-control-service probe',
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  });
  client.on('error', () => undefined); // the statement has it too
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: number | null }>(probeSql);
    return rows[0]?.timeline ?? undefined;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** A socket that connects to the primary, whatever address pg gives it. */
class PrimarySocket extends Socket {
  primary: Primary | undefined;
  private readonly finder: PrimaryFinder;

  constructor(finder: PrimaryFinder) {
    super();
    this.finder = finder;
  }

  override connect(): this {
    this.finder.find().then(
      (primary) => {
        if (this.destroyed) return;
        this.primary = primary;
        super.connect(primary.port, primary.host);
      },
      (error: unknown) => this.destroy(error as Error),
    );
    return this;
  }

  /** Closes the connection if it is to another server than this primary. */
  leave(primary: Primary): void {
    if (this.primary === undefined || this.primary.url === primary.url) return;
    const { host, port } = this.primary;
    this.destroy(Object.assign(new Error(`${host}:${port} is no longer the primary`), { code: '25006' }));
  }
}
