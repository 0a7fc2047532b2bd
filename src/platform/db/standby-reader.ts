import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { FastPathClient } from './client.ts';
import { isDatabaseAway } from './faults.ts';

interface Sources {
  primary: Knex;
  standby: Knex;
  /** Whether the standby can still be used. */
  mayRead(): boolean;
  /** The standby does not respond. */
  onFault(error: unknown): void;
}

/**
 * Whether a read may succeed on the primary: the standby is away, it cancelled the statement to replay a change (40001,
 * 40P01), or it has not replayed a migration (42P01, 42703).
 */
export const isStandbyFault = (error: unknown): boolean =>
  isDatabaseAway(error) || /^(40001|40P01|42P01|42703)$/.test(String((error as { code?: unknown } | null)?.code));

/**
 * The database of one request that may be stale. It begins on the standby. After a fault, or when the standby is too far
 * behind, it goes to the primary and stays there: a list of several pages never goes back in time.
 */
class StandbyReader extends FastPathClient {
  sources: Sources | undefined;
  private hasLeft = false;
  private readonly owners = new WeakMap<pg.Client, FastPathClient>();

  override runner(builder: Parameters<FastPathClient['runner']>[0]): { run(): Promise<unknown> } {
    const run = () => super.runner(builder).run();
    return this.transacting === true ? { run } : { run: () => this.onEither(run) };
  }

  override arrays<Value>(statement: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<Value[]>> {
    return this.onEither(() => super.arrays<Value>(statement));
  }

  override async acquireConnection(): Promise<pg.Client> {
    const { primary, standby, mayRead } = this.sources as Sources;
    this.hasLeft ||= !mayRead();
    const owner = (this.hasLeft ? primary : standby).client as FastPathClient;
    const connection = (await owner.acquireConnection()) as pg.Client;
    this.owners.set(connection, owner);
    return connection;
  }

  override async releaseConnection(connection: pg.Client): Promise<void> {
    await this.owners.get(connection)?.releaseConnection(connection);
  }

  private async onEither<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (this.hasLeft || !isStandbyFault(error)) throw error;
      this.hasLeft = true;
      if (isDatabaseAway(error)) this.sources?.onFault(error);
      return await work();
    }
  }
}

export function readerOf(sources: Sources): Knex {
  const db = knex({ client: StandbyReader });
  (db.client as StandbyReader).sources = sources;
  return db;
}
