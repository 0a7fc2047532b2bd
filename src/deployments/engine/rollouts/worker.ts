import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Bus, Hint } from '../../../platform/bus/bus.ts';
import type { Tracing } from '../../../platform/tracing.ts';
import { admit } from '../admission/admit.ts';
import { isAnyToMakeGradual, makeGradual } from '../admission/gradual.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { requestCancel } from '../controls/cancel.ts';
import { freeCaused, hintsOf } from '../controls/caused.ts';
import { requestPause } from '../controls/pause.ts';
import { requestRollback } from '../controls/rollback.ts';
import { hasEnded } from '../model.ts';
import { rollBack } from '../rollbacks/roll-back.ts';
import { longestPauseMs, runPeriodically } from '../run-periodically.ts';
import { recordWork } from '../spans.ts';
import { workOnOne } from '../work-on-one.ts';
import { decideRollout, type Decision, type RolloutFacts } from './decide.ts';
import {
  awaitsDecision,
  claimDecision,
  readFacts,
  type DecisionKind,
  type DueRollback,
  type DueRollout,
} from './facts.ts';
import { againSeconds, startWave } from './start-wave.ts';
import { repairWaves } from './wave-counts.ts';

/**
 * Longest pause between two checks for due rollouts while one is in progress. Reports to this replica by which robots of a
 * rollout end wake it.
 */
const busyMs = 250;
const retryMs = 1_000;
/** Pause while another transaction holds the rollout that is due, as that of a batch of reports. */
const lockedMs = 50;
/** Pause before a rollout whose decision failed is decided on again. */
const failedMs = 10_000;

interface WorkerSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  tracing?: Tracing | undefined;
}

/** Decides what follows in rollouts, and returns the robots of deployments that are rolled back. Every replica runs one. */
export function createRolloutWorker({ db, bus, log, tracing }: WorkerSettings) {
  async function decideNext(kind: DecisionKind): Promise<boolean> {
    const startedAt = new Date();
    const begun: { due: DueRollout; wave: number }[] = []; // one at most
    const wasDue = await workOnOne<DueRollback | DueRollout>({
      db,
      bus,
      claim: (trx) => claimDecision(trx, kind),
      async act(trx, due) {
        begun.length = 0; // of an attempt that met a conflict
        if (due.rollout) await repairWaves(trx, { orgId: due.orgId, deploymentId: due.deploymentId });
        return due.isRolledBack ? rollBack(trx, due) : follow(trx, due, (wave) => begun.push({ due, wave }));
      },
      postpone({ orgId, deploymentId }, error) {
        begun.length = 0; // it was rolled back
        log.error({ err: error, deployment: deploymentId }, 'a rollout could not be decided on; retrying');
        return db.raw(
          `update deployments set decide_at = now() + make_interval(secs => :seconds)
            where org_id = :orgId and id = :deploymentId and decide_at is not null`,
          { orgId, deploymentId, seconds: failedMs / 1_000 },
        );
      },
    });
    if (tracing)
      for (const { due, wave } of begun) recordWork(tracing, 'start wave', due, startedAt, { 'fleet.wave': wave });
    return wasDue;
  }

  async function follow(trx: Knex, due: DueRollout, onWave: (wave: number) => void): Promise<Hint[]> {
    if (!isInProgress(due) && due.status !== 'paused') return leaveAlone(trx, due);
    const facts = await readFacts(trx, due);
    const decision = decideRollout(due.rollout, facts);
    if ((due.status === 'paused' || due.isFrozen) && decision.kind !== 'cancel' && decision.kind !== 'rollback')
      return due.status === 'paused' ? leaveAlone(trx, due) : apply(trx, due, { kind: 'wait' }, facts);
    if (decision.kind !== 'wait')
      log.info({ deployment: due.deploymentId, wave: due.openWave, ...decision }, 'decided on a rollout');
    if (decision.kind === 'advance') onWave(facts.nextWave);
    return apply(trx, due, decision, facts);
  }

  /** Time until the next such decision is due, at most the longest pause. */
  async function untilNextMs(kind: DecisionKind): Promise<number> {
    const { rows } = await db.raw<{ rows: [{ ms: number | null }] }>(
      `select ceil(extract(epoch from min(decide_at) - clock_timestamp()) * 1000)::float8 as ms from deployments where ${awaitsDecision(kind)}`,
    );
    const { ms } = rows[0];
    return ms === null ? longestPauseMs() : Math.min(busyMs, ms);
  }

  /**
   * A resume by a replica of the previous release leaves a rollout without a time for its decision. If the clock of the
   * database was ahead, such a time is far ahead: each pause is a minute at most.
   */
  async function lookForLeft(): Promise<number> {
    await db.raw(
      `update deployments set decide_at = now()
        where rank is not null and ended_at is null and rollout is not null and status in ('pending', 'in_progress') and decide_at is null
          and (open_wave < last_wave or is_gradual or jsonb_array_length(rollout -> 'abort') > 0)`,
    );
    await db.raw(`update deployments set decide_at = now() where decide_at > now() + interval '10 minutes'`);
    await db.raw(
      `update deployments set due_at = now()
        where status = 'scheduled' and blocked_by is not null and due_at > now() + interval '10 minutes'`,
    );
    return longestPauseMs();
  }

  const decideAll = (kind: DecisionKind) => {
    const work = runPeriodically({
      async run() {
        if (kind === 'rollout') await makeGradual(db);
        for (let ms = await untilNextMs(kind); ; ms = await untilNextMs(kind)) {
          if (ms > 0 || work.stopping) return Math.max(ms, 1);
          if (!(await decideNext(kind))) return lockedMs;
        }
      },
      retryMs,
      onError: (error) => log.warn({ err: error }, `due ${kind}s could not be read; retrying`),
    });
    const awaits = `(select decide_at from deployments where ${awaitsDecision(kind)} order by decide_at limit 1) is not null`;
    return Object.assign(work, { isDue: kind === 'rollout' ? `${awaits} or ${isAnyToMakeGradual}` : awaits });
  };
  // Neither waits for the other: rollouts are due every few seconds, and a large rollback takes longer.
  const works = [decideAll('rollout'), decideAll('rollback')];
  const leftovers = runPeriodically({
    run: lookForLeft,
    retryMs,
    onError: (error) => log.warn({ err: error }, 'rollouts without a next decision could not be read; retrying'),
  });
  const all = [...works, leftovers];
  return {
    works,
    start: () => all.forEach((each) => each.start()),
    wake: () => works.forEach((each) => each.wake()),
    async stop(): Promise<void> {
      await Promise.all(all.map((each) => each.stop()));
    },
  };
}

const isInProgress = ({ status }: DueRollout): boolean => status === 'pending' || status === 'in_progress';

/** It has ended, is being cancelled or is paused: nothing is left to decide. Once it has ended, it holds nobody. */
async function leaveAlone(trx: Knex, { orgId, deploymentId, status }: DueRollout): Promise<Hint[]> {
  await trx.raw('update deployments set decide_at = null where org_id = ? and id = ?', [orgId, deploymentId]);
  return hasEnded(status) ? hintsOf(orgId, deploymentId, await freeCaused(trx, { orgId, deploymentId })) : [];
}

/** Writes a decision, in the transaction that made it. Returns the hints to announce. */
async function apply(trx: Knex, due: DueRollout, decision: Decision, { nextWave }: RolloutFacts): Promise<Hint[]> {
  const key = { orgId: due.orgId, deploymentId: due.deploymentId };
  switch (decision.kind) {
    case 'wait': {
      const admission = due.isGradual ? await admit(trx, due) : { announce: [], againMs: undefined };
      await decideAgain(trx, due, decision, admission.againMs);
      return admission.announce;
    }
    case 'advance': {
      await endWave(trx, due);
      return startWave(trx, { ...due, wave: nextWave });
    }
    case 'pause': {
      if (decision.endsWave) await endWave(trx, due);
      if (decision.code === 'approval') {
        await requestApproval(trx, { ...key, rollout: due.rollout, wave: nextWave, reason: decision.message });
        return [];
      }
      const outcome = await requestPause(trx, { ...key, reason: decision.message }, decision.code);
      return outcome?.kind === 'changed' ? outcome.announce : [];
    }
    case 'cancel': {
      const cause = { reason: 'aborted', message: decision.message };
      const outcome = await requestCancel(trx, due.orgId, due.deploymentId, cause);
      return outcome?.kind === 'changed' ? outcome.announce : [];
    }
    case 'rollback': {
      const outcome = await requestRollback(trx, { ...key, reason: decision.message }, 'aborted');
      return outcome?.kind === 'changed' ? outcome.announce : [];
    }
  }
}

async function decideAgain(
  trx: Knex,
  { orgId, deploymentId, openWave, lastWave, rollout, now }: DueRollout,
  { soakStartedAtMs, untilMs, isDisturbed = false }: Extract<Decision, { kind: 'wait' }>,
  admitAgainMs: number | undefined,
): Promise<void> {
  // Robots of the last wave matter only to abort rules, and while they are admitted.
  const isOver = openWave >= lastWave && rollout.abort.length === 0 && admitAgainMs === undefined;
  const againMs = Math.min(againSeconds * 1_000, admitAgainMs ?? Infinity);
  const againAt = Math.min(now.getTime() + againMs, untilMs ?? Infinity);
  await Promise.all([
    trx.raw('update deployments set decide_at = :at where org_id = :orgId and id = :deploymentId', {
      orgId,
      deploymentId,
      at: isOver ? null : new Date(againAt),
    }),
    trx.raw(
      `update waves set soak_started_at = :soak::timestamptz, disturbed_since = case when :isDisturbed then coalesce(disturbed_since, now()) end
        where org_id = :orgId and deployment_id = :deploymentId and wave = :openWave
          and (soak_started_at is distinct from :soak::timestamptz or (disturbed_since is not null) <> :isDisturbed)`,
      {
        orgId,
        deploymentId,
        openWave,
        isDisturbed,
        soak: soakStartedAtMs === undefined ? null : new Date(soakStartedAtMs),
      },
    ),
  ]);
}

const endWave = (trx: Knex, { orgId, deploymentId, openWave }: DueRollout) =>
  trx.raw(
    `update waves set ended_at = coalesce(ended_at, clock_timestamp())
      where org_id = :orgId and deployment_id = :deploymentId and wave = :openWave`,
    { orgId, deploymentId, openWave },
  );
