/**
 * The peer of H1 and H2: fastify 5 and pg doing by hand what the service does for these two operations. The same checks
 * in the same order, the same SQL, headers, metrics and log lines; validation and serialization by schema.
 */
import { randomUUID } from 'node:crypto';
import fastify, { LogController, type FastifyInstance } from 'fastify';
import pg from 'pg';
import { Counter, Histogram, Registry } from 'prom-client';
import { auditService } from '../../../src/audit/service.ts';
import { DomainError, httpStatus } from '../../../src/kernel/errors.ts';
import { repeat } from '../../../src/kernel/repeat.ts';
import { openDatabase, type Connection } from '../../../src/platform/db/index.ts';
import { admission } from './fastify-access.ts';
import { robotRoutes } from './fastify-robots.ts';
import { siteRoutes } from './fastify-sites.ts';

/** As in the service: entries of the audit log are sealed after their commit, in the process that serves requests. */
const sealEveryMs = 1_000;
/** In place of the digest of a contract, which the peer does not have: a header of the same size. */
const specDigest = '0'.repeat(64);

interface PeerSettings {
  connection: Connection;
  logLevel: string;
}

/** Starts it on a free port of 127.0.0.1; `app.close()` ends all of it. */
export async function startPeer({
  connection,
  logLevel,
}: PeerSettings): Promise<{ app: FastifyInstance; url: string }> {
  const pool = new pg.Pool({
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    max: 10,
    options: '-c TimeZone=UTC -c random_page_cost=1.1 -c jit=off',
  });
  const app = fastify({
    logger: { level: logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    ajv: { customOptions: { allErrors: false, removeAdditional: false } },
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 1_000,
  });
  const observe = requestMetrics();
  // Also after the end of the pool, which does not wait for its connections to close.
  pool.on('error', (err) => app.log.warn({ err }, 'a connection to Postgres ended'));

  app.decorateRequest('principal', null);
  app.addHook('onRequest', admission(pool));
  app.addHook('onSend', async (request, reply) => {
    reply.headers({
      'content-type': 'application/json',
      'x-request-id': request.id,
      'x-spec-digest': specDigest,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
      'referrer-policy': 'no-referrer',
    });
    if (request.principal) reply.header('x-service-org-id', request.principal.orgId);
  });
  // One line for each change, as the service writes; reads are logged at debug there.
  app.addHook('onResponse', async (request, reply) => {
    const { operation } = request.routeOptions.config;
    observe(operation, reply.statusCode, reply.elapsedTime / 1_000);
    if (request.method === 'GET') return;
    const { id: requestId, method } = request;
    const orgId = request.principal?.orgId;
    const ms = Math.round(reply.elapsedTime);
    request.log.info({ requestId, method, operation, orgId, status: reply.statusCode, ms }, 'request');
  });
  app.setErrorHandler(async (error: Error & { validation?: unknown }, _request, reply) => {
    const code = error instanceof DomainError ? error.code : error.validation ? 'bad_request' : undefined;
    if (code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
    reply.code(code ? httpStatus[code] : 500);
    return { error: { code: code ?? 'internal_server_error', message: code ? error.message : 'the service failed' } };
  });
  robotRoutes(app, pool);
  siteRoutes(app, pool);

  const stopSealing = sealing(connection, app);
  app.addHook('onClose', async () => {
    await stopSealing();
    await pool.end();
  });
  return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
}

/**
 * Seals with the code of the service, on connections of its own. That code is not what is compared here: row E1 holds
 * it against a floor. Returns the function that ends it after the current run.
 */
function sealing(connection: Connection, app: FastifyInstance): () => Promise<void> {
  const db = openDatabase(connection);
  const stop = repeat(auditService(db).sealAll, sealEveryMs, (error) =>
    app.log.warn({ err: error }, 'the audit log could not be sealed'),
  );
  return async () => {
    await stop();
    await db.destroy();
  };
}

/** The two metrics that the service counts for each request. */
function requestMetrics(): (operation: string | undefined, status: number, seconds: number) => void {
  const registers = [new Registry()];
  const counter = new Counter({
    name: 'requests_total',
    help: 'Requests, by operation and status',
    labelNames: ['operation', 'status'],
    registers,
  });
  const histogram = new Histogram({
    name: 'request_seconds',
    help: 'Time from request to response, by operation',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  return (operation = 'none', status, seconds) => {
    counter.inc({ operation, status });
    histogram.observe({ operation }, seconds);
  };
}

/** The caller's own ID, or a new one, as in the service. */
const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[\w.-]{1,128}$/.test(header) && !/svc_[a-z]+_/.test(header) ? header : randomUUID();
