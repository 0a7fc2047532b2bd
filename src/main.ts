import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { startApp } from './app.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { createFirstOrg, welcome } from './first-start.ts';
import { postgresBus } from './platform/bus/postgres.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from './platform/db/embedded/index.ts';
import { DatabaseError, migrate, openDatabase, type Connection } from './platform/db/index.ts';
import { isDatabaseAway } from './platform/http/failures.ts';
import { reapIdempotencyKeys } from './platform/http/idempotency.ts';
import { createLogger } from './platform/logging.ts';

/** How long a start waits for a database that is still starting itself. */
const databaseWaitMs = 30_000;
/** How long we answer on after SIGTERM, so that balancers see `/readyz` say no before the door closes. */
const noticeMs = 3_000;
const reapEveryMs = 3_600_000;

/** Faults of the surroundings: one sentence, no stack. */
const isOperatorError = (error: unknown): error is Error =>
  error instanceof ConfigError ||
  error instanceof EmbeddedPostgresError ||
  error instanceof DatabaseError ||
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

async function run(config: Config, log: Logger): Promise<void> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of closers.reverse())
      await step().catch((error: unknown) => log.warn({ err: error }, 'a step of the stop failed'));
  };
  try {
    const embedded =
      config.databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : undefined;
    if (embedded) closers.push(() => embedded.stop());
    const connection: Connection = config.databaseUrl ?? (embedded as NonNullable<typeof embedded>).connection;
    const db = openDatabase(connection);
    closers.push(() => db.destroy());
    await whenReachable(() => migrate(db), log);

    const bus = postgresBus(connection, log);
    await bus.start();
    closers.push(() => bus.close());
    const server = await startApp({
      config,
      db,
      bus,
      log,
      assetsDir: fileURLToPath(new URL('../docs', import.meta.url)),
    });
    const url =
      config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port}`;
    const reaper = setInterval(() => reap(db, log), reapEveryMs);
    closers.push(async () => clearInterval(reaper));

    if (embedded && !config.production) {
      const token = await createFirstOrg(db);
      if (token !== undefined) process.stderr.write(welcome(url, token));
    }
    log.info({ url, docs: `${url}/docs` }, 'ready');
    const signal = await stopSignal();
    log.info({ signal }, 'stopping');
    await server.stop(signal === 'SIGTERM' ? noticeMs : 0);
  } finally {
    await close();
  }
  log.info('stopped');
}

function reap(db: Knex, log: Logger): void {
  const all = async () => {
    while ((await reapIdempotencyKeys(db)) > 0);
  };
  all().catch((error: unknown) => log.warn({ err: error }, 'old idempotency keys could not be deleted'));
}

/** The first signal stops gracefully; the second ends the process at once, by its own default. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}

async function whenReachable(attempt: () => Promise<void>, log: Logger): Promise<void> {
  for (const deadline = performance.now() + databaseWaitMs; ; await sleep(1_000)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      if (performance.now() > deadline)
        throw new DatabaseError(`the database at DATABASE_URL does not answer: ${(error as Error).message}`, {
          cause: error,
        });
      log.warn({ reason: (error as Error).message }, 'waiting for the database');
    }
  }
}

let log: Logger | undefined;
try {
  const config = readConfig();
  log = createLogger(config.logLevel, config.adminTokens);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      log?.fatal({ err: error }, event);
      process.exit(1);
    });
  await run(config, log);
} catch (error) {
  if (isOperatorError(error)) process.stderr.write(`${error.message}\n`);
  else {
    log?.fatal({ err: error }, 'the service could not start');
    if (!log) throw error;
  }
  process.exitCode = 1;
}
