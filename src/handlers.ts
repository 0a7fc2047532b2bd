import type { Knex } from 'knex';
import contract from '../generated/openapi.json' with { type: 'json' };
import { artifactHandlers } from './artifacts/handlers.ts';
import { artifactService, type ArtifactStorage } from './artifacts/service.ts';
import { auditHandlers } from './audit/handlers.ts';
import { auditService } from './audit/service.ts';
import { conditionHandlers } from './conditions/handlers.ts';
import { conditionService } from './conditions/service.ts';
import { configHandlers } from './configs/handlers.ts';
import { configService } from './configs/service.ts';
import { freezeService } from './deployments/api/freezes.ts';
import { deploymentHandlers } from './deployments/api/handlers.ts';
import { approvalService } from './deployments/api/approvals.ts';
import { planService } from './deployments/api/plans.ts';
import { retryService } from './deployments/api/retries.ts';
import { rollbackService } from './deployments/api/rollbacks.ts';
import { deploymentService } from './deployments/api/service.ts';
import { deploymentControlHandlers } from './deployments/controls/handlers.ts';
import { controlService } from './deployments/controls/service.ts';
import { disruptionBudgetHandlers } from './disruption-budgets/handlers.ts';
import { disruptionBudgetService } from './disruption-budgets/service.ts';
import { enrollmentHandlers } from './enrollment/handlers.ts';
import type { EnrollmentService } from './enrollment/service.ts';
import { fleetHandlers } from './fleets/handlers.ts';
import { fleetService } from './fleets/service.ts';
import { logHandlers } from './logs/handlers.ts';
import { logRedactionHandlers } from './log-redactions/handlers.ts';
import { logRedactionService } from './log-redactions/service.ts';
import { logService, type LogReading } from './logs/service.ts';
import { logStatHandlers } from './log-stats/handlers.ts';
import { logStatService } from './log-stats/service.ts';
import { orgHandlers } from './orgs/handlers.ts';
import { orgService } from './orgs/service.ts';
import { quotaHandlers } from './quotas/handlers.ts';
import { quotaService } from './quotas/service.ts';
import { releaseHandlers } from './releases/handlers.ts';
import { releaseService } from './releases/service.ts';
import { metricHandlers } from './robot-metrics/handlers.ts';
import { metricService } from './robot-metrics/service.ts';
import { robotHandlers } from './robots/handlers.ts';
import { pinService } from './robots/pins.ts';
import { robotService } from './robots/service.ts';
import { rolloutPolicyHandlers } from './rollout-policies/handlers.ts';
import { rolloutPolicyService } from './rollout-policies/service.ts';
import { shellSessionHandlers } from './live/recordings/handlers.ts';
import { shellSessionService } from './live/recordings/service.ts';
import { statusHandlers } from './status/handlers.ts';
import { statusService, type ProcessState } from './status/service.ts';
import { siteHandlers } from './sites/handlers.ts';
import { siteService } from './sites/service.ts';
import { ticketHandlers } from './live/tickets/handlers.ts';
import { ticketService } from './live/tickets/service.ts';
import { healthHandlers } from './agent-links/handlers.ts';
import { healthService } from './agent-links/service.ts';
import { timelineHandlers } from './timeline/handlers.ts';
import { timelineService } from './timeline/service.ts';
import { tokenHandlers } from './tokens/handlers.ts';
import { tokenService } from './tokens/service.ts';
import { userHandlers } from './users/handlers.ts';
import { userService } from './users/service.ts';
import { topicHandlers } from './live/media/handlers.ts';
import type { Handlers } from './platform/http/dispatch/operation.ts';

interface HandlerParts {
  artifacts: ArtifactStorage;
  logReading: LogReading;
  enrollment: (db: Knex) => EnrollmentService;
  redaction: Parameters<typeof logRedactionService>[1];
  media: Parameters<typeof topicHandlers>[1];
  process: Omit<ProcessState, 'version'>;
}

/** Builds the handlers of all operations, each with the services that it calls. */
export const allHandlers = ({
  artifacts,
  logReading,
  enrollment,
  redaction,
  media,
  process,
}: HandlerParts): Handlers => ({
  ...artifactHandlers((on) => artifactService(on, artifacts)),
  ...auditHandlers(auditService),
  ...conditionHandlers(conditionService),
  ...configHandlers(configService, deploymentService),
  ...deploymentHandlers(deploymentService, rollbackService, planService, approvalService, freezeService, retryService),
  ...deploymentControlHandlers(controlService),
  ...disruptionBudgetHandlers(disruptionBudgetService),
  ...enrollmentHandlers(enrollment, deploymentService),
  ...fleetHandlers(fleetService),
  ...logHandlers((on) => logService(on, logReading)),
  ...logRedactionHandlers((on) => logRedactionService(on, redaction)),
  ...logStatHandlers(logStatService),
  ...orgHandlers(orgService, { version: contract.info.version, startedAt: new Date() }),
  ...healthHandlers(healthService, robotService),
  ...metricHandlers(metricService, robotService),
  ...quotaHandlers(quotaService),
  ...releaseHandlers(releaseService),
  ...robotHandlers(robotService, pinService, deploymentService, tokenService),
  ...rolloutPolicyHandlers(rolloutPolicyService),
  ...shellSessionHandlers(shellSessionService),
  ...siteHandlers(siteService),
  ...statusHandlers((on) => statusService(on, { ...process, version: contract.info.version })),
  ...ticketHandlers(ticketService),
  ...timelineHandlers(timelineService, robotService),
  ...topicHandlers(robotService, media),
  ...tokenHandlers({ tokens: tokenService, users: userService, orgs: orgService, robots: robotService }),
  ...userHandlers(userService),
});
