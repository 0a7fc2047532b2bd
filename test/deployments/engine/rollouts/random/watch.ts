import { setTimeout as sleep } from 'node:timers/promises';
import type { DeploymentWorld } from '../../support.ts';
import type { Case, Invariant } from './case.ts';
import { heldUpByOffline, readHistory, type Happening } from './history.ts';
import { invariants, type InvariantName } from './invariants.ts';

/** The engine looks every second, and 5 s after an admission; a busy machine takes longer. */
const settleMs = 30_000;

interface Row {
  id: string;
  status: string;
  rollout: Case['rollout'] | null;
  is_urgent: boolean;
  plan_id: string | null;
  cause_id: string | null;
}

/** What was broken, with what was done before. */
class Broken extends Error {
  readonly invariant: InvariantName;
  constructor(invariant: InvariantName, sentence: string, story: readonly string[]) {
    super(`${invariant}: ${sentence}\n${story.join('\n')}`);
    this.invariant = invariant;
  }
}

/** Looks at a walk from outside: at what was committed, and what the API says. `story`: what was done until now. */
export function watchWalk(it: DeploymentWorld, story: readonly string[]) {
  const { db, world } = it;
  const startedMs = Date.now();
  const broken = (invariant: InvariantName, sentence: string) => new Broken(invariant, sentence, story);

  const rows = async (): Promise<Row[]> =>
    db('deployments').select('id', 'status', 'rollout', 'is_urgent', 'plan_id', 'cause_id').orderBy('id');
  const open = async () =>
    (await rows()).filter(({ status }) => !['applied', 'failed', 'rolled_back', 'cancelled'].includes(status));

  async function readPlan(id: string): Promise<Case['planned']> {
    const robots = await db('plan_robots').where({ plan_id: id });
    return new Map<string, number>(robots.map((each) => [each.robot_id, each.wave]));
  }

  async function readCases(): Promise<Case[]> {
    const history = new Map<string, Happening[]>();
    for (const each of await readHistory(db))
      history.set(each.deployment, [...(history.get(each.deployment) ?? []), each]);
    return Promise.all(
      (await rows()).map(async ({ id, rollout, is_urgent: isUrgent, plan_id: planId }) => ({
        id,
        rollout: rollout ?? undefined,
        isUrgent,
        happenings: history.get(id) ?? [],
        planned: planId === null ? undefined : await readPlan(planId),
      })),
    );
  }

  /** What robots of the deployment wait for; each that has not ended says it. */
  async function readCodes(id: string): Promise<Set<string>> {
    const { items } = (await world.call('GET', `/api/deployments/${id}/targets`)).body;
    const codes = new Set<string>();
    for (const { robot_id: robot, status, waiting_on: on } of items as {
      robot_id: string;
      status: string;
      waiting_on?: { code: string };
    }[]) {
      if (['applied', 'failed', 'rolled_back', 'cancelled'].includes(status)) continue;
      if (!on)
        throw broken('everyTargetEndsOrWaits', `deployment ${id}: robot ${robot} is ${status} and waits for nothing`);
      codes.add(on.code);
    }
    return codes;
  }

  return {
    /** Deployments that have not ended. */
    open,

    /** Waits until the engine has done what is due. */
    async settle(): Promise<void> {
      const due = `select count(*)::int as due from deployments d
        where d.decide_at <= clock_timestamp() or d.is_superseding
           or d.approval_wave is not null and d.status = 'paused' and d.approval_expires_at <= clock_timestamp()
           or d.status = 'scheduled' and d.due_at <= clock_timestamp() and not exists (select from deployment_freezes f where f.thawed_at is null)
           or d.cancelled_at is not null and d.ended_at is null and exists (select from targets t where t.deployment_id = d.id and t.status = 'waiting')`;
      const untilMs = performance.now() + settleMs;
      for (let left = 1; left > 0; await sleep(10)) {
        left = (await db.raw<{ rows: [{ due: number }] }>(due)).rows[0].due;
        if (performance.now() > untilMs) throw broken('whatIsDueIsDone', `${left} deployments wait for the engine`);
      }
    },

    /** Looks at the history of each deployment. @throws Broken */
    async check(): Promise<Case[]> {
      const cases = await readCases();
      for (const each of cases)
        for (const [name, invariant] of Object.entries(invariants(startedMs)) as [InvariantName, Invariant][]) {
          const sentence = invariant(each);
          if (sentence !== undefined)
            throw broken(name, `deployment ${each.id}: ${sentence}\n${JSON.stringify(each.rollout)}`);
        }
      return cases;
    },

    /** Some time passed and nothing else happened. @throws Broken */
    async checkOffline(): Promise<void> {
      for (const id of await heldUpByOffline(db))
        throw broken('offlineHoldsUpNothing', `the next wave of deployment ${id} waits for offline robots`);
    },

    /** At the end. `stuck`: what `stuck` gave last. @throws Broken */
    async checkEnd(stuck: readonly string[]): Promise<void> {
      if (stuck.length > 0) throw broken('everyTargetEndsOrWaits', stuck.join('; '));
      await it.check().catch((error: unknown) => {
        throw broken('countsAreRight', String(error));
      });
    },

    /**
     * Deployments that should go on, with what their robots wait for: others wait for a window or a newer agent, for a wave
     * that waits for such robots, or for the deployment that caused them. @throws Broken if a robot waits for nothing
     */
    async stuck(): Promise<string[]> {
      const all = await open();
      const ids = new Set(all.map(({ id }) => id));
      const found: string[] = [];
      for (const { id, cause_id: causeId } of all) {
        const codes = [...(await readCodes(id))];
        const isHeld = codes.some((code) => code !== 'wave') || (causeId !== null && ids.has(causeId));
        if (codes.length > 0 && (!isHeld || codes.some((code) => !['window', 'agent_too_old', 'wave'].includes(code))))
          found.push(`robots of deployment ${id} wait for: ${codes.join(', ')}`);
      }
      return found;
    },
  };
}
