import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { parseSelector } from '../../../kernel/label-selector.ts';
import type { Bus, Hint } from '../../../platform/bus/bus.ts';
import { findMissingName } from '../../../robots/service.ts';
import type { Rollout } from '../../../rollout-policies/service.ts';
import { insertDeploymentEvent } from '../events.ts';
import type { DeploymentStatus } from '../model.ts';
import { longestPauseMs, runPeriodically } from '../run-periodically.ts';
import { workOnOne } from '../work-on-one.ts';
import { createCaused } from './create-caused.ts';
import { findNewcomers, maxNewcomers, mustWait, whyOver, type DynamicDeployment } from './newcomers.ts';
import { findReachedLimit } from './reached-limit.ts';

const retryMs = 1_000;
/** Pause between two looks at one deployment. */
const againSeconds = 10;
/** It is so many times as long as the look took: looking takes at most 5 % of the time of a connection. */
const restFactor = 20;

/** A dynamic deployment that is due, locked. */
interface Due extends DynamicDeployment {
  status: DeploymentStatus;
  rollout: Rollout | undefined;
  over: string | undefined; // why no robot receives it any longer
  mustWait: boolean;
}

const mayMatch = 'match_at is not null and started_at is not null';
const isAnyToMatch = `(select match_at from deployments where ${mayMatch} order by match_at limit 1) <= now()`;

/** Sends dynamic deployments to robots that match later. Every replica runs one: the lock of the row lets one of them do it. */
export function createMatcher({ db, bus, log }: { db: Knex; bus: Bus; log: Logger }) {
  const matchNext = () =>
    workOnOne<Due>({
      db,
      bus,
      claim,
      act: look,
      postpone({ orgId, deploymentId }, error) {
        log.error({ err: error, deployment: deploymentId }, 'robots that match later could not be found; retrying');
        return setNextLook(db, { orgId, deploymentId, seconds: againSeconds });
      },
    });

  const work = runPeriodically({
    async run() {
      while (!work.stopping && (await matchNext()));
      return longestPauseMs();
    },
    retryMs,
    onError: (error) => log.warn({ err: error }, 'dynamic deployments could not be read; retrying'),
  });
  return Object.assign(work, { isDue: isAnyToMatch });
}

async function claim(trx: Knex): Promise<Due | undefined> {
  // Two statements: the first one may wait, and would read what the deployment was before.
  const locked = await trx.raw<{ rows: { org_id: string; id: string }[] }>(
    `select org_id, id from deployments where ${mayMatch} and match_at <= statement_timestamp()
      order by match_at limit 1 for no key update skip locked`,
  );
  const [key] = locked.rows;
  if (!key) return undefined;
  const { rows } = await trx.raw<{
    rows: {
      org_id: string;
      id: string;
      status: DeploymentStatus;
      selector: string;
      lane: string;
      payload_key: string;
      rollout: Rollout | null;
      over: string | null;
      must_wait: boolean;
    }[];
  }>(
    `select d.org_id, d.id, d.status, s.text as selector, d.lane, d.payload_key, d.rollout, ${whyOver} as over, coalesce(${mustWait}, false) as must_wait
       from deployments d join selectors s on s.org_id = d.org_id and s.id = d.target_id
      where d.org_id = :org_id and d.id = :id`,
    key,
  );
  const [row] = rows;
  return (
    row && {
      orgId: row.org_id,
      deploymentId: row.id,
      status: row.status,
      selector: row.selector,
      lane: row.lane,
      payloadKey: row.payload_key,
      rollout: row.rollout ?? undefined,
      over: row.over ?? undefined,
      mustWait: row.must_wait,
    }
  );
}

/** Returns the hints to announce. */
async function look(trx: Knex, due: Due): Promise<Hint[]> {
  const { orgId, deploymentId, status } = due;
  const beganMs = performance.now();
  const over = due.over ?? (await whyStopped(trx, due));
  if (over !== undefined) {
    await trx.raw('update deployments set match_at = null where org_id = :orgId and id = :deploymentId', {
      orgId,
      deploymentId,
    });
    await insertDeploymentEvent(trx, { orgId, deploymentId, status, reason: 'dynamic_ended', message: over });
    return [];
  }
  const robotIds = due.mustWait ? [] : await findNewcomers(trx, due);
  const pause = robotIds.length === maxNewcomers ? 0 : againSeconds;
  const seconds = Math.max(pause, (restFactor * (performance.now() - beganMs)) / 1_000);
  await setNextLook(trx, { orgId, deploymentId, seconds });
  if (robotIds.length === 0) return [];
  const id = await createCaused(trx, { orgId, causeId: deploymentId, robotIds });
  const what = `${robotIds.length} ${robotIds.length === 1 ? 'robot matches' : 'robots match'} now: deployment ${id}`;
  await insertDeploymentEvent(trx, { orgId, deploymentId, status, reason: 'matched', message: what });
  return [{ topic: 'orders_changed', orgId, deploymentId: id }];
}

/** A selector with a name that no longer exists would match other robots; and rules of the rollout count those before. */
async function whyStopped(trx: Knex, { orgId, deploymentId, selector, rollout }: Due): Promise<string | undefined> {
  const missing = await findMissingName(trx, orgId, parseSelector('selector', selector));
  return missing ?? (rollout && (await findReachedLimit(trx, { orgId, deploymentId }, rollout)));
}

const setNextLook = (db: Knex, look: { orgId: string; deploymentId: string; seconds: number }) =>
  db.raw(
    `update deployments set match_at = clock_timestamp() + make_interval(secs => :seconds)
      where org_id = :orgId and id = :deploymentId and match_at is not null`,
    look,
  );
