import type { Knex } from 'knex';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import { until } from '../support/until.ts';
import type { LogSender } from './log-sender.ts';
import type { LogProcess, LogService } from './log-service.ts';

export interface LogScene {
  service: LogService;
  senders: readonly LogSender[];
  random: Random;
}

/** A process that waits within a step. */
interface Held {
  process: LogProcess;
  /** The step goes on, unless Postgres has ended it. */
  release(): Promise<void>;
}

export interface LogMoment {
  name: string;
  comes(scene: LogScene): Promise<Held>;
}

/** Statements of storing and merging that can be held, by what they write. */
const steps = {
  take: 'after insert on log_orgs',
  segment: 'after insert on log_segments',
  storedSegment: 'after insert on log_segments, at the commit',
  chunks: 'after insert on log_chunks',
  counters: 'after insert or update on log_counters',
  heads: 'after insert or update on log_heads',
  stats: 'after insert on log_stats_pending',
  rolledUp: 'after insert or update on log_stats_by_fleet',
  merged: 'after update of merged_id on log_orgs',
  mergedWindow: 'after update of merged_id on log_orgs, at the commit',
};
type Step = keyof typeof steps;
const numberOf = (step: Step) => Object.keys(steps).indexOf(step);
/** Any constant, as the class of the advisory locks of steps. */
const stepLocks = 25;

/** Adds triggers to the database, in which a step waits while a test holds its lock. */
export async function makeLogSteps(db: Knex): Promise<void> {
  await db.raw(`create function wait_at_step() returns trigger language plpgsql set lock_timeout = 0 as $$
    begin
      perform pg_advisory_xact_lock_shared(${stepLocks}, tg_argv[0]::integer);
      return null;
    end $$`);
  for (const [step, text] of Object.entries(steps)) {
    const [when, atCommit] = text.split(', ');
    const execute = `execute function wait_at_step(${numberOf(step as Step)})`;
    const kind = atCommit === undefined ? 'trigger' : 'constraint trigger';
    const timing = atCommit === undefined ? 'for each statement' : 'deferrable initially deferred for each row';
    await db.raw(`create ${kind} step_${step.toLowerCase()} ${when} ${timing} ${execute}`);
  }
}

export const moments: LogMoment[] = [
  { name: 'while it notes that a robot is read', comes: (scene) => heldAt(scene, 'take', relink) },
  { name: 'when that is committed, before it knows', comes: (scene) => heldAfterCommit(scene, 'take', relink) },
  { name: 'while it stores a segment', comes: (scene) => heldAt(scene, 'segment') },
  { name: 'while it commits a segment', comes: (scene) => heldAt(scene, 'storedSegment') },
  { name: 'when a segment is committed, before it knows', comes: (scene) => heldAfterCommit(scene, 'storedSegment') },
  {
    name: 'while it waits for a segment, before it merges',
    async comes(scene) {
      const { merger, postgres } = scene.service;
      await segmentsAreLeft(scene);
      const { release } = await heldAt(scene, 'storedSegment');
      await merge(scene);
      await waiterIn(postgres.db, `wait_event = 'advisory' and application_name like ?`, ['% merger']);
      return { process: merger, release };
    },
  },
  { name: 'while it writes merged chunks', comes: (scene) => heldAt(scene, 'chunks', merge) },
  { name: 'while it writes numbers of robots', comes: (scene) => heldAt(scene, 'counters', merge) },
  { name: 'while it writes how far spools are merged', comes: (scene) => heldAt(scene, 'heads', merge) },
  { name: 'while it counts merged records', comes: (scene) => heldAt(scene, 'stats', merge) },
  { name: 'while it adds counts to their hours and days', comes: (scene) => heldAt(scene, 'rolledUp', merge) },
  { name: 'while it writes how far it merged', comes: (scene) => heldAt(scene, 'merged', merge) },
  { name: 'while it commits what it merged', comes: (scene) => heldAt(scene, 'mergedWindow', merge) },
  {
    name: 'when merged records are committed, before it knows',
    comes: (scene) => heldAfterCommit(scene, 'mergedWindow', merge),
  },
  {
    name: 'at any moment',
    async comes(scene) {
      const { service, random } = scene;
      await merge(scene);
      await sleep(random.below(500));
      return { process: random.pick([...service.replicas, service.merger]), release: () => Promise.resolve() };
    },
  },
];

const segmentsAreLeft = ({ service: { postgres } }: LogScene) =>
  until(async () => {
    const { rows } = await postgres.db.raw<{ rows: [{ left: boolean }] }>('select log_segments_are_left() as left');
    return rows[0].left;
  });

/** Begins to merge, once there is something to merge. */
async function merge(scene: LogScene): Promise<void> {
  await segmentsAreLeft(scene);
  void scene.service.merger.merge();
}

async function relink({ senders }: LogScene): Promise<void> {
  await Promise.all(senders.map((sender) => sender.relink()));
}

/** Holds what reaches this step. */
async function heldAt(
  scene: LogScene,
  step: Step,
  begin?: (scene: LogScene) => Promise<void>,
): Promise<Held & { pid: number }> {
  const { service } = scene;
  const { db } = service.postgres;
  const lock = [stepLocks, numberOf(step)];
  const holder = await db.transaction();
  await holder.raw('set local idle_in_transaction_session_timeout = 0');
  await holder.raw('select pg_advisory_xact_lock(?, ?)', lock);
  await begin?.(scene);
  const { pid, name } = await waiterIn(
    db,
    `pid in (select pid from pg_locks where locktype = 'advisory' and classid = ? and objid = ? and not granted)`,
    lock,
  );
  return {
    pid,
    process: await service.processOf(name),
    async release() {
      await holder.rollback().catch(() => undefined); // Postgres may have been killed
    },
  };
}

/** Holds it after this step, when it is committed: then Postgres waits for a standby that does not exist, and responds to nobody. */
async function heldAfterCommit(scene: LogScene, step: Step, begin?: (scene: LogScene) => Promise<void>): Promise<Held> {
  const { db } = scene.service.postgres;
  const setStandby = async (change: string) => {
    await db.raw(`alter system ${change}`);
    await db.raw('select pg_reload_conf()');
  };
  const before = await heldAt(scene, step, begin);
  await setStandby(`set synchronous_standby_names = 'none_there'`);
  await until(async () => {
    const commit = db.raw(`select pg_logical_emit_message(true, 'commit', '')`).catch(() => undefined);
    await Promise.race([commit, sleep(20)]);
    const { rows } = await db.raw<{ rows: object[] }>(`select from pg_stat_activity where wait_event = 'SyncRep'`);
    return rows.length > 0;
  });
  await before.release();
  await waiterIn(db, `wait_event = 'SyncRep' and pid = ?`, [before.pid]);
  return { process: before.process, release: () => setStandby('reset synchronous_standby_names') };
}

/** A session of a process that waits like this. */
async function waiterIn(
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
