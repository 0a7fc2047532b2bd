import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { until } from '../support/until.ts';

/** What waits within a step. */
export interface HeldStep {
  pid: number; // of its session in Postgres
  name: string; // of its process, as `application_name`
  /** The step goes on, unless Postgres has ended it. */
  release(): Promise<void>;
}

/** Any constant, as the class of the advisory locks of steps. */
const stepLocks = 25;

/**
 * Statements of the service can be held at steps: a step waits in a trigger while a test holds its lock. Each is the event
 * of a trigger: `after insert on log_orgs`, and then maybe `at the commit`, or `when` and a condition for its row.
 */
export function heldSteps<Step extends string>(db: Knex, steps: Record<Step, string>) {
  const lockOf = (step: Step) => [stepLocks, Object.keys(steps).indexOf(step)];

  async function hold(step: Step, begin: () => Promise<void>): Promise<HeldStep> {
    const holder = await db.transaction();
    await holder.raw('set local idle_in_transaction_session_timeout = 0');
    await holder.raw('select pg_advisory_xact_lock(?, ?)', lockOf(step));
    await begin();
    const waiting = `pid in (select pid from pg_locks where locktype = 'advisory' and classid = ? and objid = ? and not granted)`;
    const { pid, name } = await waiterIn(db, waiting, lockOf(step));
    const release = () => holder.rollback().then(noResult, noResult); // Postgres may have been killed
    return { pid, name, release };
  }

  return {
    /** Adds the triggers to the database. */
    async make(): Promise<void> {
      await db.raw(`create function wait_at_step() returns trigger language plpgsql set lock_timeout = 0 as $$
        begin
          perform pg_advisory_xact_lock_shared(${stepLocks}, tg_argv[0]::integer);
          return null;
        end $$`);
      for (const [step, text] of Object.entries<string>(steps)) {
        const [event, more = ''] = text.split(', ');
        const isAtCommit = more === 'at the commit';
        const kind = isAtCommit ? 'constraint trigger' : 'trigger';
        const rows = isAtCommit ? 'deferrable initially deferred for each row' : more && `for each row ${more}`;
        const [, number] = lockOf(step as Step);
        await db.raw(
          `create ${kind} step_${step.toLowerCase()} ${event} ${rows || 'for each statement'} execute function wait_at_step(${number})`,
        );
      }
    },

    /** Holds what reaches this step, once `begin` has begun it. */
    hold,

    /** Holds it after this step, when it is committed: then Postgres waits for a standby that does not exist, and responds to nobody. */
    async holdAfterCommit(step: Step, begin: () => Promise<void>): Promise<HeldStep> {
      const setStandby = async (change: string) => {
        await db.raw(`alter system ${change}`);
        await db.raw('select pg_reload_conf()');
      };
      const before = await hold(step, begin);
      await setStandby(`set synchronous_standby_names = 'none_there'`);
      await until(async () => {
        const commit = db.raw(`select pg_logical_emit_message(true, 'commit', '')`).catch(() => undefined);
        await Promise.race([commit, sleep(20)]);
        const { rows } = await db.raw<{ rows: object[] }>(`select from pg_stat_activity where wait_event = 'SyncRep'`);
        return rows.length > 0;
      });
      await before.release();
      await waiterIn(db, `wait_event = 'SyncRep' and pid = ?`, [before.pid]);
      return { ...before, release: () => setStandby('reset synchronous_standby_names') };
    },
  };
}

const noResult = () => undefined;

/** A session of a process that waits like this. */
export async function waiterIn(
  db: Knex,
  condition: string,
  bindings: (string | number)[],
): Promise<{ pid: number; name: string }> {
  const sql = `select pid, application_name as name from pg_stat_activity
                where application_name like 'fleet-control-service %' and ${condition}`;
  for (;;) {
    const { rows } = await db.raw<{ rows: { pid: number; name: string }[] }>(sql, bindings);
    if (rows[0]) return rows[0];
    await sleep(2);
  }
}
