import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { repeat } from '../../kernel/repeat.ts';
import { isStandbyFault, readerOf } from './standby-reader.ts';

/** The bound on staleness that the contract states, in ms. */
const maxStaleMs = 5_000;
const checkEveryMs = 1_000;
/** Time for a change to reach the standby before it is asked, so that one check is usually enough. */
const replayMs = 50;
/** Positions of the primary that the standby has not reached; of more, the oldest are dropped. */
const maxPositions = 300;
/** Changes that concern any org. */
const anyOrg = '';

/** Of a cluster, where its WAL is. Positions are bytes. */
interface Place {
  cluster: string;
  position: number;
  inRecovery: boolean;
}

const placeSql = `select (select system_identifier::text from pg_control_system()) as cluster,
  pg_is_in_recovery() as "inRecovery",
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::bigint as position`;

const placeOf = async (db: Knex): Promise<Place> => (await db.raw<{ rows: [Place] }>(placeSql)).rows[0];

export type Standby = ReturnType<typeof createStandby>;

interface StandbySettings {
  db: Knex;
  standby: Knex;
  log: Logger;
}

/**
 * Reads that may be stale, from a standby (decision 120). Every second the position of the primary is kept with its time.
 * What was committed before the newest position that the standby has replayed is visible there. States: ok ⇄ why it is
 * not used. Only `ok` gives a reader.
 */
export function createStandby({ db, standby, log }: StandbySettings) {
  const positions: { atMs: number; position: number }[] = []; // that the standby has not reached, oldest first
  const changes = new Map<string, number>(); // of orgs, in ms: not certain to be on the standby
  let coveredMs = -Infinity; // everything before is visible on the standby
  let fault: string | undefined = 'not checked yet';
  let logged: string | undefined;
  let startMs = 0;
  let stop = (): Promise<void> => Promise.resolve();

  const state = (): string => fault ?? (performance.now() - coveredMs > maxStaleMs ? 'behind' : 'ok');

  async function check(): Promise<void> {
    const atMs = performance.now();
    const primary = await placeOf(db);
    // After a failover that lost changes, positions begin again further back.
    if (primary.position < (positions.at(-1)?.position ?? 0)) positions.length = 0;
    positions.push({ atMs, position: primary.position });
    if (positions.length > maxPositions) positions.shift();
    await sleep(replayMs);
    try {
      note(primary, await placeOf(standby));
    } catch (error) {
      leave(error);
    }
    tell();
  }

  function note(primary: Place, { cluster, position, inRecovery }: Place): void {
    fault = cluster !== primary.cluster ? 'of another database' : inRecovery ? undefined : 'promoted';
    while (positions[0] && positions[0].position <= position) coveredMs = positions.shift()?.atMs ?? coveredMs;
    for (const [org, changedMs] of changes) if (changedMs < coveredMs) changes.delete(org);
  }

  /** A check finds out when it can be used again. */
  function leave(error: unknown): void {
    log.debug({ err: error }, 'the standby failed');
    fault = 'away';
  }

  function tell(): void {
    const now = state();
    const isStarting = now === 'behind' && performance.now() - startMs < maxStaleMs; // the first position is on its way
    if (now === logged || isStarting) return;
    logged = now;
    if (now === 'ok') log.info('lists are read from the standby');
    else log.warn({ state: now }, 'lists are read from the primary: the standby cannot be used');
  }

  const mayRead = (org: string): boolean =>
    state() === 'ok' && Math.max(changes.get(org) ?? -Infinity, changes.get(anyOrg) ?? -Infinity) < coveredMs;

  return {
    /** For `/readyz`: `ok`, `away`, `behind`, `promoted`, or another reason. */
    state,

    /** Age of the newest state of the primary that is known to be visible on the standby. */
    lagSeconds: (): number => (performance.now() - coveredMs) / 1_000,

    /** After a change through this replica. Undefined: it may concern any org. */
    noteChange: (orgId: string | undefined): void => void changes.set(orgId ?? anyOrg, performance.now()),

    /** For the reads of one request; undefined if they must use the primary. */
    reader: (orgId: string): Knex | undefined =>
      mayRead(orgId) ? readerOf({ primary: db, standby, mayRead: () => state() === 'ok', onFault: leave }) : undefined,

    isFault: isStandbyFault,

    start(): void {
      startMs = performance.now();
      stop = repeat(check, checkEveryMs, (error) => log.debug({ err: error }, 'the primary could not be asked'));
    },

    stop: (): void => void stop(),
  };
}
