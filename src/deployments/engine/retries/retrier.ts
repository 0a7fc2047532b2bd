import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Bus } from '../../../platform/bus/bus.ts';
import { plainArray } from '../../../platform/db/arrays.ts';
import type { DeploymentStatus } from '../model.ts';
import { longestPauseMs, runPeriodically } from '../run-periodically.ts';
import { workOnOne } from '../work-on-one.ts';
import { createRetry, type RetryTerms } from './create-retry.ts';
import { isRolledBack } from './retry-robots.ts';

const retryMs = 1_000;
/** Pause before this replica takes an attempt again that it could not create. */
const failedMs = 10_000;

/** A retry that has ended with attempts left, locked. */
interface EndedRetry {
  org_id: string;
  id: string;
  status: DeploymentStatus;
  retry_of: string;
  retry: RetryTerms;
  retry_attempt: number;
  release_id: string | null;
  config_id: string | null;
  is_over: boolean;
}

const isToRetry = 'retries_left > 0 and ended_at is not null';
const isAnyToRetry = `(select ended_at from deployments where ${isToRetry} order by ended_at limit 1) <= now()`;

/** Creates the next attempt of retries that ended. Every replica runs one: the lock of the row lets one of them do it. */
export function createRetrier({ db, bus, log }: { db: Knex; bus: Bus; log: Logger }) {
  /** Those that failed, and until when they are passed over: the others are not held up. */
  const postponed = new Map<string, number>();

  function retryNext(): Promise<boolean> {
    for (const [id, untilMs] of postponed) if (untilMs <= performance.now()) postponed.delete(id);
    return workOnOne<EndedRetry>({
      db,
      bus,
      claim: (trx) => claimEnded(trx, [...postponed.keys()]),
      act: async (trx, ended) => ((await follow(trx, ended)) ? [{ topic: 'deployment_due', orgId: ended.org_id }] : []),
      postpone({ id }, error) {
        log.error({ err: error, deployment: id }, 'the next attempt of a retry could not be created; retrying');
        postponed.set(id, performance.now() + failedMs);
      },
    });
  }

  const work = runPeriodically({
    async run() {
      while (!work.stopping && (await retryNext()));
      return longestPauseMs();
    },
    retryMs,
    onError: (error) => log.warn({ err: error }, 'retries that ended could not be read; retrying'),
  });
  return Object.assign(work, { isDue: isAnyToRetry });
}

/** A cancelled attempt is the last one, as is one of what was rolled back. */
async function claimEnded(trx: Knex, postponed: readonly string[]): Promise<EndedRetry | undefined> {
  const { rows } = await trx.raw<{ rows: EndedRetry[] }>(
    `select org_id, id, status, retry_of, retry, retry_attempt, release_id, config_id, cancelled_at is not null or ${isRolledBack('deployments')} as is_over
       from deployments where ${isToRetry} and ended_at <= statement_timestamp() and id <> all(:postponed::uuid[])
      order by ended_at limit 1 for no key update skip locked`,
    { postponed: plainArray(postponed) },
  );
  return rows[0];
}

/** Returns whether it created the next attempt. In any case it is due no longer. */
async function follow(trx: Knex, ended: EndedRetry): Promise<boolean> {
  const { org_id: orgId, id, status, retry_of: retryOf, retry: terms, retry_attempt: last } = ended;
  await trx.raw('update deployments set retries_left = 0 where org_id = :orgId and id = :id', { orgId, id });
  if (ended.is_over || !(await holdContent(trx, ended))) return false;
  const attempt = { orgId, sourceId: id, sourceStatus: status, retryOf, attempt: last + 1, terms };
  return (await createRetry(trx, { ...attempt, author: undefined })) !== undefined;
}

/** Lets nobody delete the config entry, or archive the release, meanwhile. False if somebody did. */
async function holdContent(trx: Knex, { org_id, config_id, release_id }: EndedRetry): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { is_gone: boolean | null }[] }>(
    config_id === null
      ? 'select archived_at is not null as is_gone from releases where org_id = :org_id and id = :release_id for share'
      : 'select deleted_revision = revision as is_gone from configs where org_id = :org_id and id = :config_id for share',
    { org_id, config_id, release_id },
  );
  return rows.some(({ is_gone: isGone }) => isGone !== true);
}
