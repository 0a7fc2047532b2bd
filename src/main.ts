import { fileURLToPath } from 'node:url';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { release } from '../generated/release.js';
import { startApp } from './app.ts';
import { artifactStorage, ArtifactStoreError, whyStoreIsAway } from './artifacts/service.ts';
import { auditService } from './audit/service.ts';
import { conditionService } from './conditions/service.ts';
import { erasureWork } from './erasure/service.ts';
import { repeat } from './kernel/repeat.ts';
import { waitAtMost } from './kernel/wait-at-most.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { createFirstOrg, welcome } from './first-start.ts';
import { newId } from './kernel/ids.ts';
import { maintenance } from './maintenance.ts';
import { createBus } from './platform/bus/create-bus.ts';
import { NatsError } from './platform/bus/nats-options.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from './platform/db/embedded/index.ts';
import { DatabaseError, migrate, openDatabase, openStandby, type Connection } from './platform/db/index.ts';
import { whenReachable } from './platform/db/reachable.ts';
import { checkSession } from './platform/db/session-check.ts';
import { createLogger } from './platform/logging.ts';
import { startTracing } from './platform/start-tracing.ts';
import type { Tracing } from './platform/tracing.ts';
import { openObjectStore } from './platform/s3/open.ts';
import { endBy, stopSignal } from './stop-signal.ts';

/** How long requests are still served after SIGTERM, so that load balancers see `/readyz` fail before the close. */
const noticeMs = 3_000;
/** How long a stop waits for runs of background work, as for requests. What is unfinished then is done later, or by another replica. */
const backgroundMs = 10_000;
/** How long a stop during the start waits for each part, such as for a connection that a migration uses. */
const startedPartMs = 3_000;
const maintenanceEveryMs = 60_000;
const sealEveryMs = 1_000;
const eraseEveryMs = 5_000;
/** Several times in each interval of the history of health, so that a failure leaves no gap. */
const countEveryMs = 30_000;
const settledSeconds = 60;

/** Errors of the environment: printed as one sentence, without a stack. */
const isOperatorError = (error: unknown): error is Error =>
  error instanceof ConfigError ||
  error instanceof EmbeddedPostgresError ||
  error instanceof DatabaseError ||
  error instanceof ArtifactStoreError ||
  error instanceof NatsError ||
  (error as NodeJS.ErrnoException).syscall === 'listen' || // the port is in use or not permitted
  (error as NodeJS.ErrnoException).syscall === 'getaddrinfo'; // HOST does not resolve

/** A shorter one may be a part of any line, such as `time`: without it, no line could be read. */
const shortestSecret = 8;

/** Secrets that other systems demand, of any length. */
const outsideSecrets = ({ oidc, s3, nats }: Config): [setting: string, secret: string][] =>
  Object.entries({
    OIDC_CLIENT_SECRET: oidc?.clientSecret ?? '',
    AWS_SECRET_ACCESS_KEY: s3?.credentials?.secretAccessKey ?? '',
    AWS_SESSION_TOKEN: s3?.credentials?.sessionToken ?? '',
    NATS_URL: nats?.password ?? nats?.token ?? '',
  }).filter(([, secret]) => secret !== '');

/** Secrets that the logger cannot recognise by format. */
const secretsOf = (config: Config): string[] =>
  [
    ...config.adminTokens,
    ...(config.cluster?.secrets ?? []),
    ...Object.values(config.tracing?.headers ?? {}), // a value may also be a plain word, such as `true`
    ...outsideSecrets(config).map(([, secret]) => secret),
  ].filter((secret) => secret.length >= shortestSecret);

const hintFor = (error: NodeJS.ErrnoException): string =>
  error.syscall === undefined ? '' : ': set HOST and PORT to an address that is free and that you may use';

/** The host under which clients on this machine reach a listener on `host`. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** One step of a stop. `noticedMs`: how long requests are still served. */
type Closer = (noticedMs: number) => Promise<unknown>;

/** Runs the service until a signal; returns that signal if it came before the service was ready. */
async function run(
  config: Config,
  log: Logger,
  tracing: Tracing | undefined,
  stopped: Promise<NodeJS.Signals>,
): Promise<NodeJS.Signals | undefined> {
  const closers: Closer[] = [];
  let noticedMs = 0;
  let isReady = false;
  let signal: NodeJS.Signals;
  try {
    isReady = await Promise.race([start(config, log, tracing, closers).then(() => true), stopped.then(() => false)]);
    signal = await stopped;
    log.info({ signal }, 'stopping');
    if (isReady && signal === 'SIGTERM') noticedMs = noticeMs;
  } finally {
    for (const close of closers.reverse())
      await (isReady ? close(noticedMs) : waitAtMost(startedPartMs, close(noticedMs))).catch((error: unknown) =>
        log.warn({ err: error }, 'a shutdown step failed'),
      );
  }
  log.info('stopped');
  return isReady ? undefined : signal;
}

/** Resolves when the service is ready. Each part adds to `closers`, which close in reverse, as soon as it is open. */
async function start(config: Config, log: Logger, tracing: Tracing | undefined, closers: Closer[]): Promise<void> {
  const embedded =
    config.databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : undefined;
  if (embedded) closers.push(() => embedded.stop());
  const connection: Connection = config.databaseUrl ?? (embedded as NonNullable<typeof embedded>).connection;
  const replicaId = newId();
  const pooler = config.databaseDirectUrl !== undefined;
  const direct: Connection = config.databaseDirectUrl ?? connection;
  const db = openDatabase(connection, {
    connections: config.databasePool,
    name: replicaId,
    pooler,
    trace: tracing?.statement,
  });
  closers.push(() => db.destroy());
  const standby =
    config.databaseReadUrl && openStandby(config.databaseReadUrl, config.databasePool, replicaId, tracing?.statement);
  if (standby) closers.push(() => standby.destroy());
  const bus = createBus({ connection: direct, log, name: replicaId, nats: config.nats });
  closers.push(() => bus.close());
  const atDirect = { log, setting: pooler ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL' };
  const directDb = openDatabase(direct, { name: replicaId });
  closers.push(() => directDb.destroy());
  await whenReachable(() => migrate(directDb, { forPooler: pooler }), atDirect);
  await whenReachable(
    async () => {
      await checkSession(connection, { pooler });
      await db.raw('select 1'); // from here on the pool has a connection, whatever others take
    },
    { log },
  );
  await whenReachable(() => bus.start(), atDirect);
  const away = await whyStoreIsAway(config.s3);
  if (away !== undefined)
    log.warn(
      { reason: away },
      'the artifact store does not respond; uploads and downloads of artifacts fail until it does',
    );
  const artifacts = await artifactStorage(config);
  const objectStore = await openObjectStore(config.s3);
  const server = await startApp({
    config,
    db,
    standby: standby || undefined,
    bus,
    log,
    tracing,
    replicaId,
    artifacts,
    objectStore,
    assetsDir: fileURLToPath(new URL('../docs', import.meta.url)),
    docsDir: fileURLToPath(new URL('../../docs', import.meta.url)),
    redactionThread: fileURLToPath(new URL('./log-redaction-thread.js', import.meta.url)),
  });
  const background: (() => Promise<void>)[] = []; // each stops one kind of work
  closers.push((noticedMs) =>
    Promise.all([server.stop(noticedMs), waitAtMost(backgroundMs, Promise.all(background.map((stop) => stop())))]),
  );
  const url = config.publicUrl ?? `http://${reachableHost(config.host)}:${server.port}`;
  // The first run is immediate: a start may follow days of downtime, and logs need today's partition.
  background.push(
    repeat(maintenance({ db, log, artifacts, config }).run, maintenanceEveryMs, (error) =>
      log.warn({ err: error }, 'periodic cleanup failed; retrying in a minute'),
    ),
    sealingAudit(db, log),
    repeat(erasureWork(db, { log, blobs: artifacts.blobs, objects: objectStore, bus }).run, eraseEveryMs, (error) =>
      log.warn({ err: error }, 'erasures could not be looked up; retrying in 5 s'),
    ),
    repeat(
      async () => {
        await conditionService(db).history.count(settledSeconds);
      },
      countEveryMs,
      (error) => log.warn({ err: error }, 'the health of robots could not be counted; retrying in 30 s'),
    ),
  );

  if (embedded && !config.production) {
    const token = await createFirstOrg(db);
    if (token !== undefined) process.stderr.write(welcome(url, token));
  }
  // For a person who starts it in a terminal; programs read the log.
  if (process.stderr.isTTY) process.stderr.write(`Serving ${url}, reference at ${url}/docs. Ctrl-C stops it.\n`);
  log.info({ url, docs: `${url}/docs` }, 'ready');
}

/** Seals the audit log each second; of consecutive failures, logs only the first. Returns the function to stop. */
function sealingAudit(db: Knex, log: Logger): () => Promise<void> {
  let hasFailed = false;
  return repeat(
    async (signal) => {
      await auditService(db).sealAll(signal);
      hasFailed = false;
    },
    sealEveryMs,
    (error) => {
      if (!hasFailed) log.warn({ err: error }, 'the audit log could not be sealed; retrying every second');
      hasFailed = true;
    },
  );
}

const stopped = stopSignal();
let interruptedBy: NodeJS.Signals | undefined;
let log: Logger | undefined;
let tracing: Tracing | undefined;
try {
  const config = readConfig();
  const traceId = config.tracing && (() => tracing?.traceId());
  log = createLogger(config.logLevel, secretsOf(config), undefined, traceId);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      log?.fatal({ err: error }, event);
      process.exit(1);
    });
  for (const warning of config.warnings) log.warn(warning);
  for (const [setting, secret] of outsideSecrets(config))
    if (secret.length < shortestSecret)
      log.warn(
        { setting },
        `a secret of fewer than ${shortestSecret} characters is not redacted in the log; use a longer one`,
      );
  tracing = await startTracing(config.tracing, log, release);
  interruptedBy = await run(config, log, tracing, stopped);
} catch (error) {
  if (isOperatorError(error)) process.stderr.write(`${error.message}${hintFor(error)}\n`);
  else {
    log?.fatal({ err: error }, 'the service could not start');
    if (!log) throw error;
  }
  process.exitCode = 1;
}
const isExported = (await tracing?.stop()) ?? true;
// What was starting is still at work.
if (interruptedBy) endBy(interruptedBy);
// A collector that does not respond would keep the process alive for many seconds.
if (!isExported) process.exit();
