import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { writeOmittedCounts } from './agent-links/service.ts';
import { artifactUpkeep, type ArtifactStorage } from './artifacts/service.ts';
import type { Config } from './config.ts';
import { planService } from './deployments/api/plans.ts';
import { deploymentRetention } from './deployments/api/retention.ts';
import { dropOldKeys } from './enrollment/retention.ts';
import { shellSessionService } from './live/recordings/service.ts';
import { ticketService } from './live/tickets/service.ts';
import { logUpkeep } from './logs/service.ts';
import { readClockOffset } from './platform/db/server-facts.ts';
import { reapIdempotencyKeys } from './platform/http/dispatch/idempotency.ts';
import { portalUpkeep } from './portal/portal.ts';
import { metricUpkeep } from './robot-metrics/service.ts';
import { timelineService } from './timeline/service.ts';
import { dropOldTokens } from './tokens/retention.ts';

/** With a larger difference one of the clocks is wrong, and what seems old may be of today. */
const maxOffsetSeconds = 86_400;

interface MaintenanceSettings {
  db: Knex;
  log: Logger;
  artifacts: ArtifactStorage;
  config: Pick<
    Config,
    | 'logRetentionDays'
    | 'timelineRetentionDays'
    | 'shellRetentionDays'
    | 'deploymentRetentionDays'
    | 'credentialRetentionDays'
  >;
  /** The clock of this machine, in Unix ms; default `Date.now`. */
  nowMs?: () => number;
}

/** Background work of every replica, once per minute; each run finds little left to do. */
export function maintenance({ db, log, artifacts, config, nowMs }: MaintenanceSettings) {
  let wasWrong = false;

  /** Whether the clocks of the database and of this machine confirm each other. Warns once while they do not. */
  async function isClockRight(): Promise<boolean> {
    const clockOffsetSeconds = await readClockOffset(db, nowMs);
    const isWrong = Math.abs(clockOffsetSeconds) > maxOffsetSeconds;
    if (isWrong && !wasWrong)
      log.warn(
        { clockOffsetSeconds },
        'the clocks of the database and of this machine differ by more than a day; nothing old is deleted until you correct them',
      );
    wasWrong = isWrong;
    return !isWrong;
  }

  async function deleteOld(): Promise<void> {
    const { credentialRetentionDays: credentialDays, deploymentRetentionDays: deploymentDays } = config;
    while ((await reapIdempotencyKeys(db)) > 0);
    await ticketService(db).dropExpired();
    while (await planService(db).dropExpired());
    await portalUpkeep(db);
    await shellSessionService(db).dropOlder(config.shellRetentionDays);
    if (deploymentDays !== undefined) await deploymentRetention(db, deploymentDays).run();
    if (credentialDays !== undefined) {
      await dropOldTokens(db, credentialDays);
      await dropOldKeys(db, credentialDays);
    }
    await timelineService(db).dropOlder(config.timelineRetentionDays);
  }

  return {
    async run(): Promise<void> {
      const isRight = await isClockRight();
      await writeOmittedCounts(db);
      await shellSessionService(db).endLeft();
      await timelineService(db).sealAll();
      if (isRight) await deleteOld();
      await logUpkeep(db, config.logRetentionDays).run({ isClockRight: isRight });
      await metricUpkeep(db).run({ isClockRight: isRight });
      if (isRight) await artifactUpkeep(db, artifacts);
    },
  };
}
