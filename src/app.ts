import type { Knex } from 'knex';
import type { Logger } from 'pino';
import asyncapi from '../generated/asyncapi.json' with { type: 'json' };
import contract from '../generated/openapi.json' with { type: 'json' };
import { release } from '../generated/release.js';
import { replies } from '../generated/replies.js';
import { validators } from '../generated/validators.js';
import type { ArtifactStorage } from './artifacts/service.ts';
import { actorOf } from './audit/model.ts';
import { auditService } from './audit/service.ts';
import { authenticator } from './authenticate.ts';
import type { Config } from './config.ts';
import { createConditionEngine } from './conditions/service.ts';
import { createDeploymentEngine } from './deployments/api/service.ts';
import { enrollmentAuthenticator } from './enrollment/authenticator.ts';
import { enrollmentService } from './enrollment/service.ts';
import { allHandlers } from './handlers.ts';
import { newId } from './kernel/ids.ts';
import type { Bus } from './platform/bus/bus.ts';
import { secretMarks } from './platform/cluster/secret-marks.ts';
import { databaseClock } from './platform/db/clock.ts';
import { createStandby } from './platform/db/standby.ts';
import { databaseReadiness } from './platform/db/readiness.ts';
import { accessWarnings, adminAccess } from './platform/http/access/admin-access.ts';
import type { Document } from './platform/http/dispatch/contract.ts';
import { specDigest } from './platform/http/listener/discovery.ts';
import { createAdmission } from './platform/http/dispatch/admission.ts';
import type { Patience } from './platform/http/dispatch/lane.ts';
import { createDispatcher } from './platform/http/dispatch/dispatch.ts';
import { callLimits } from './platform/http/dispatch/limits.ts';
import type { Handlers } from './platform/http/dispatch/operation.ts';
import { replySampling } from './platform/http/reply-sampling.ts';
import { serve, type HttpServer } from './platform/http/listener/server.ts';
import { createMetrics } from './platform/metrics.ts';
import { overloadReport } from './platform/overload-report.ts';
import type { Tracing } from './platform/tracing.ts';
import type { ObjectStore } from './platform/s3/object-store.ts';
import { checkSocketsDocumented } from './platform/ws/documented-sockets.ts';
import { readiness } from './readiness.ts';
import { checkReplicas } from './replica-checks.ts';
import { createRecorder } from './robot-metrics/service.ts';
import { type RecordingLimits } from './live/recordings/service.ts';
import { grantCache } from './tokens/grants.ts';
import { linkService, type LinkLimits, type LogSink } from './agent-links/service.ts';
import { createSockets, linkPath } from './agent-links/sockets.ts';
import { tokenAuthenticator } from './tokens/authenticator.ts';
import { createTokenUse } from './tokens/service.ts';
import { userService } from './users/service.ts';
import type { ViewerLimits } from './live/viewers/service.ts';
import { liveStreams } from './live-streams.ts';
import { openLogStore } from './log-store.ts';
import { allPages } from './pages.ts';
import { diskOf } from './status/service.ts';
import { sharedState } from './shared-state.ts';

export interface AppParts {
  config: Config;
  db: Knex; // migrated
  standby?: Knex | undefined; // of DATABASE_READ_URL
  bus: Bus;
  log: Logger;
  tracing?: Tracing | undefined; // undefined: no traces
  replicaId?: string; // of this process; a new one by default
  artifacts: ArtifactStorage; // storage of the artifacts
  objectStore: ObjectStore | undefined; // for older log records; undefined: all stay in the database
  assetsDir: string; // the built assets of /docs
  docsDir: string; // the guides of /docs/guides
  redactionThread: string; // the built script of the thread that applies log redaction rules
  /** Another contract with its own handlers, for tests and benchmarks of the dispatcher. */
  contract?: { document: Document; validators: typeof validators; handlers: Handlers };
  /** Another destination for the log frames of agents, for tests. */
  logs?: LogSink;
  /** Maximum time without progress of an upload or download, in ms; default 60 s. Shorter for tests. */
  fileSilenceMs?: number | undefined;
  /** How long requests may wait before the service counts as overloaded; longer for tests. */
  patience?: Patience | undefined;
  /** Shorter limits of agent links, for tests. */
  linkLimits?: Partial<LinkLimits>;
  /** Shorter limits of viewers, for tests. */
  viewerLimits?: Partial<ViewerLimits>;
  /** Shorter limits of recordings, for tests. */
  recordingLimits?: Partial<RecordingLimits>;
}

/** The composition root, with `handlers.ts`, `live-streams.ts`, `log-store.ts` and `pages.ts`: only these build services and handlers. */
export async function startApp({
  config,
  db,
  standby: standbyDb,
  bus,
  log,
  tracing,
  replicaId = newId(),
  artifacts,
  objectStore,
  assetsDir,
  docsDir,
  redactionThread,
  contract: other,
  logs: otherLogs,
  fileSilenceMs,
  patience,
  linkLimits = {},
  viewerLimits = {},
  recordingLimits = {},
}: AppParts): Promise<HttpServer> {
  const enrollmentKeys = enrollmentAuthenticator(db, auditService, log);
  const enrollment = (on: Knex) => enrollmentService(on, enrollmentKeys.noteRefusal);
  const logs = await openLogStore({
    config,
    db,
    bus,
    log,
    replicaId,
    objectStore,
    redactionThread,
    metrics: () => metrics,
  });
  const standby = standbyDb && createStandby({ db, standby: standbyDb, log });
  const handlers = allHandlers({
    artifacts,
    logReading: logs.reading,
    enrollment,
    redaction: logs.redaction,
    media: () => live.media,
    process: {
      dataDir: config.dataDir,
      retainsDeployments: config.deploymentRetentionDays !== undefined,
      bus: () => ({ carrier: config.nats ? 'nats' : 'postgres', up: bus.up }),
      standby: () => standby && { state: standby.state(), lagSeconds: standby.lagSeconds() },
    },
  });
  const admin = adminAccess(config);
  for (const { level, message } of accessWarnings(admin, config)) log[level](message);

  const authenticate = authenticator({
    admin,
    tokens: tokenAuthenticator(db, bus, grantCache(bus)),
    enrollment: enrollmentKeys,
    trustProxy: config.trustProxy,
    limitsUnknownTokens: config.rateLimits !== undefined,
  });
  const limits = callLimits(config.rateLimits);
  const tokenUse = createTokenUse({ db, log });
  const dispatch = await createDispatcher({
    ...(other ?? { document: contract as unknown as Document, validators, handlers }),
    db,
    standby,
    // What hints cause in this replica is no work of the request.
    bus: { announcing: bus.announcing, deliver: (hints) => (tracing?.outside ?? run)(() => bus.deliver(hints)) },
    authenticate,
    limits,
    admission: createAdmission({
      connections: config.databasePool,
      patience,
      onRefused: overloadReport({ log, onRefused: (priority) => metrics.overloaded(priority) }),
    }),
    filesRecordedAtOnce: Math.min(2, config.databasePool - 1),
    noteCaller: tokenUse.note,
    specDigest: specDigest(contract, config.publicUrl),
    sample: replySampling({ replies, log, onViolation: (operation) => metrics.contractViolated(operation) }),
    fileSilenceMs,
    recordAudit: (trx, { caller, orgId, ...note }) =>
      auditService(trx).record(orgId, { ...note, actor: actorOf(caller) }),
    traceContext: tracing?.context,
    roleNow: (trx, { orgId, userId }) => userService(trx).roleNow(orgId, userId),
  });

  const pool = (db.client as { pool: { numUsed(): number } }).pool;
  const databaseReplies = databaseReadiness(db);
  const metrics = createMetrics({
    busUp: () => bus.up,
    poolUsed: () => pool.numUsed(),
    poolSize: config.databasePool,
    databaseUp: databaseReplies,
    shared: sharedState({ db, log }),
    disk: () => diskOf(config.dataDir),
    links: () => links.count,
    replicas: () => links.replicas,
    viewers: () => live.viewerCounts(),
    logs: logs.state,
    standby,
    version: release,
    spansDropped: () => tracing?.dropped ?? 0,
  });
  const engine = createDeploymentEngine({
    db,
    bus,
    log,
    tracing,
    onClaimed: ({ lateSeconds, targets }) => metrics.deploymentBegun(lateSeconds, targets),
    onReports: metrics.reportsRecorded,
    onMismatches: metrics.countsDiffer,
  });
  const clock = databaseClock();
  const conditions = createConditionEngine({ db, bus, log, databaseMs: clock.nowMs });
  const links = linkService({
    clock,
    db,
    bus,
    log,
    tracing,
    logs: otherLogs ?? logs.ingest,
    metrics: createRecorder({ db, log }),
    replicaId,
    replica: {
      url: config.cluster?.url,
      artifactsFolder: artifacts.folder,
      artifactsShared: config.artifactsShared || config.s3 !== undefined,
      readsLogObjects: objectStore !== undefined,
      version: contract.info.version,
      secretMarks: config.cluster && secretMarks(config.cluster.secrets),
    },
    orderPort: engine.orderPort,
    conditions: conditions.port,
    onRefused: (robotId, refusal) => live.refuse(robotId, refusal),
    limits: linkLimits,
    onFrame: metrics.frame,
    onRepairs: metrics.reportsRepaired,
    onOmitted: metrics.healthPartsOmitted,
    onFlush: metrics.flushed,
    onLogs: metrics.logsSettled,
    onDelivered: metrics.ordersDelivered,
    onRebalanced: metrics.rebalanced,
  });
  const live = liveStreams({
    config,
    db,
    bus,
    log,
    replicaId,
    links,
    viewerLimits,
    recordingLimits,
    logReading: logs.reading,
    follows: logs.follows,
    nowMs: clock.nowMs,
    onQuotaRefused: metrics.quotaRefused,
  });
  checkSocketsDocumented(asyncapi, [linkPath, ...live.routes.map(({ path }) => path)]);
  await links.start();
  /** Ends the lease of a replica that does not start, such as for a port that is taken. */
  const leave = async (error: unknown): Promise<never> => {
    await links.stop().catch(() => undefined); // the database may be the reason
    throw error;
  };
  await checkReplicas({ config, artifacts, links, warn: (message) => log.warn(message) }).catch(leave);
  const server: HttpServer = await serve(
    {
      dispatch,
      sockets: createSockets({
        links,
        streams: live.routes,
        closeStreams: live.close,
        authenticate,
        countRead: (key) => limits(key, false),
        noteCaller: tokenUse.note,
        trustProxy: config.trustProxy,
        limits: linkLimits,
      }),
      pages: allPages({
        config,
        db,
        bus,
        log,
        admin,
        assetsDir,
        docsDir,
        streams: live.viewerRoutes,
        port: () => server.port,
      }),
      ready: () => readiness(databaseReplies, { bus, standby }, links.warnings),
      metrics,
      log,
      tracing,
    },
    config.host,
    config.port,
  ).catch(leave);
  engine.start();
  conditions.start();
  logs.start();
  standby?.start();
  return {
    port: server.port,
    async stop(noticeMs) {
      // A running round of the engine delays nothing: new sockets are refused from here on. Links deliver reports until
      // they are drained.
      await Promise.all([engine.rest(), server.stop(noticeMs)]);
      await engine.stop();
      await conditions.stop();
      await logs.stop();
      await tokenUse.stop();
      standby?.stop();
    },
  };
}

const run = (work: () => void): void => work();
