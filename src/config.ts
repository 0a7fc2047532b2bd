import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  parseDays,
  parseDaysOrOff,
  parseGigabytes,
  parseHttpUrl,
  parsePool,
  parsePort,
  parsePostgresUrl,
  parseProxies,
  parseRateLimits,
  parseSecrets,
  parseStandbyUrl,
  parseSwitch,
  secretsWanted,
  type RateLimits,
} from './config-values.ts';
import { readNats, type NatsSettings } from './platform/bus/nats-settings.ts';
import type { S3Settings } from './platform/s3/client.ts';
import { readTracing, type TraceSettings } from './platform/trace-settings.ts';

/** How the replicas of this service reach each other. */
interface ClusterSettings {
  url: string; // SERVICE_REPLICA_URL: this replica's address for the others
  secrets: string[]; // SERVICE_CLUSTER_SECRET, one or two by comma: the first signs, both are accepted
}

/** The identity provider where people sign in, by OpenID Connect. */
interface OidcSettings {
  issuer: string; // OIDC_ISSUER, as the provider writes it
  clientId: string; // OIDC_CLIENT_ID
  clientSecret: string | undefined; // OIDC_CLIENT_SECRET, unset: a public client
}

/** All settings from the environment, read once at start. The comment of each field has its variable and default. */
export interface Config {
  host: string; // HOST, 127.0.0.1
  port: number; // PORT, 8080; 0: any free port
  publicUrl: string | undefined; // SERVICE_PUBLIC_URL, unset: the document's server is `/`
  databaseUrl: string | undefined; // DATABASE_URL, unset: the embedded Postgres
  databaseDirectUrl: string | undefined; // DATABASE_DIRECT_URL, unset: databaseUrl; set: that one is a pooler
  databaseReadUrl: string | undefined; // DATABASE_READ_URL, unset: lists are read from the primary
  databasePool: number; // DATABASE_POOL, 10; connections to Postgres, 2 to 500; one more is for hints
  nats: NatsSettings | undefined; // NATS_URL, unset: hints travel by NOTIFY of Postgres
  dataDir: string; // SERVICE_DATA_DIR, ~/.local/share/service
  cluster: ClusterSettings | undefined; // unset: live streams with ends on two replicas are refused
  production: boolean; // NODE_ENV=production
  adminTokens: string[]; // SERVICE_ADMIN_TOKEN, one or two by comma; empty: dev-open where that is allowed
  rateLimits: RateLimits | undefined; // RATE_LIMIT, 200/50; undefined is `off`
  logRetentionDays: number; // LOG_RETENTION_DAYS, 14; of robot log records, 1 to 3650
  logDatabaseBytes: number; // LOG_DATABASE_GB, 100; of log records, while merging or moving them stands still; 1 to 100000
  deploymentRetentionDays: number | undefined; // DEPLOYMENT_RETENTION_DAYS, off; of what robots did in deployments, 1 to 3650
  credentialRetentionDays: number | undefined; // CREDENTIAL_RETENTION_DAYS, off; of invalid tokens and enrollment keys, 1 to 3650
  timelineRetentionDays: number; // TIMELINE_RETENTION_DAYS, 400; of robot timelines, 1 to 3650
  shellRetentionDays: number; // SHELL_RETENTION_DAYS, 400; of shell sessions and recordings, 1 to 3650
  oidc: OidcSettings | undefined; // unset: sign-in only in dev-open, by any address
  s3: S3Settings | undefined; // S3_BUCKET, unset: artifacts are in dataDir, and all log records in the database
  artifactsShared: boolean; // SERVICE_ARTIFACTS_SHARED, 1: replicas share the artifacts folder in dataDir; default 0
  trustProxy: (address: string, hop: number) => boolean; // TRUST_PROXY, none; addresses and CIDR ranges by comma
  logLevel: string; // LOG_LEVEL, info
  tracing: TraceSettings | undefined; // OTEL_EXPORTER_OTLP_ENDPOINT, unset: no traces
  warnings: string[]; // a sentence for each setting that has no effect, although it should have one
}

/** All problems of the environment in one message, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** @throws ConfigError naming every invalid variable */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const [problems, warnings]: [string[], string[]] = [[], []];
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, wants: string): T => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value === undefined) problems.push(`${name} must be ${wants}`);
    return value ?? fallback;
  };
  const production = env['NODE_ENV'] === 'production';
  const config: Config = {
    host: env['HOST'] || '127.0.0.1',
    port: read('PORT', 8080, parsePort, 'a port from 0 to 65535'),
    publicUrl: read<string | undefined>(
      'SERVICE_PUBLIC_URL',
      undefined,
      parseHttpUrl,
      'an http or https address without query',
    ),
    databaseUrl: read<string | undefined>('DATABASE_URL', undefined, parsePostgresUrl, 'a postgres:// address'),
    databaseDirectUrl: read<string | undefined>(
      'DATABASE_DIRECT_URL',
      undefined,
      parsePostgresUrl,
      'a postgres:// address',
    ),
    databaseReadUrl: read<string | undefined>(
      'DATABASE_READ_URL',
      undefined,
      parseStandbyUrl,
      'a postgres:// address of one server',
    ),
    databasePool: read('DATABASE_POOL', 10, parsePool, 'a whole number from 2 to 500'),
    nats: readNats(env, problems),
    dataDir: env['SERVICE_DATA_DIR'] || join(homedir(), '.local', 'share', 'service'),
    cluster: readCluster(env, problems),
    production,
    adminTokens: read('SERVICE_ADMIN_TOKEN', [], parseSecrets, secretsWanted),
    rateLimits: read<{ limits: RateLimits | undefined }>(
      'RATE_LIMIT',
      { limits: { readsPerSecond: 200, writesPerSecond: 50 } },
      parseRateLimits,
      '`off` or reads/writes per second, such as 200/50',
    ).limits,
    logRetentionDays: read('LOG_RETENTION_DAYS', 14, parseDays, 'whole days from 1 to 3650'),
    logDatabaseBytes: read('LOG_DATABASE_GB', 100e9, parseGigabytes, 'whole gigabytes from 1 to 100000'),
    deploymentRetentionDays: read<{ days: number | undefined }>(
      'DEPLOYMENT_RETENTION_DAYS',
      { days: undefined },
      parseDaysOrOff,
      '`off` or whole days from 1 to 3650',
    ).days,
    credentialRetentionDays: read<{ days: number | undefined }>(
      'CREDENTIAL_RETENTION_DAYS',
      { days: undefined },
      parseDaysOrOff,
      '`off` or whole days from 1 to 3650',
    ).days,
    timelineRetentionDays: read('TIMELINE_RETENTION_DAYS', 400, parseDays, 'whole days from 1 to 3650'),
    shellRetentionDays: read('SHELL_RETENTION_DAYS', 400, parseDays, 'whole days from 1 to 3650'),
    oidc: readOidc(env, problems),
    s3: readS3(env, problems),
    artifactsShared: read('SERVICE_ARTIFACTS_SHARED', false, parseSwitch, '1 or 0'),
    trustProxy: read('TRUST_PROXY', () => false, parseProxies, 'addresses or CIDR ranges, separated by commas'),
    logLevel: read(
      'LOG_LEVEL',
      'info',
      (text) => (levels.includes(text) ? text : undefined),
      `one of ${levels.join(', ')}`,
    ),
    tracing: readTracing(env, problems, warnings),
    warnings,
  };
  if (config.oidc && !isGoodForSignIn(config))
    problems.push(
      'SERVICE_PUBLIC_URL must be an https address without a path when OIDC_ISSUER is set and HOST is not loopback: the provider redirects users to it',
    );
  if (production && config.adminTokens.length === 0)
    problems.push('SERVICE_ADMIN_TOKEN must be set when NODE_ENV=production');
  if (config.databaseDirectUrl !== undefined && config.databaseUrl === undefined)
    problems.push('DATABASE_URL must be set when DATABASE_DIRECT_URL is');
  if (config.databaseReadUrl !== undefined && config.databaseUrl === undefined)
    problems.push('DATABASE_URL must be set when DATABASE_READ_URL is');
  const embedded = read('SERVICE_EMBEDDED', false, parseSwitch, '1 or 0');
  if (production && config.databaseUrl === undefined && !embedded)
    problems.push(
      'DATABASE_URL must be set when NODE_ENV=production (or SERVICE_EMBEDDED=1 for the embedded Postgres)',
    );
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

function readCluster(env: Record<string, string | undefined>, problems: string[]): ClusterSettings | undefined {
  const [url, secret] = [env['SERVICE_REPLICA_URL'] || undefined, env['SERVICE_CLUSTER_SECRET'] || undefined];
  if (url === undefined && secret === undefined) return undefined;
  const settings = { url: parseHttpUrl(url ?? ''), secrets: parseSecrets(secret ?? '') };
  if (url === undefined || secret === undefined)
    problems.push('SERVICE_REPLICA_URL and SERVICE_CLUSTER_SECRET must be set together, or neither');
  else {
    if (settings.url === undefined) problems.push('SERVICE_REPLICA_URL must be an http or https address without query');
    if (settings.secrets === undefined) problems.push(`SERVICE_CLUSTER_SECRET must be ${secretsWanted}`);
  }
  return { url: settings.url ?? '', secrets: settings.secrets ?? [] };
}

function readOidc(env: Record<string, string | undefined>, problems: string[]): OidcSettings | undefined {
  const [issuer, clientId] = [env['OIDC_ISSUER'] || undefined, env['OIDC_CLIENT_ID'] || undefined];
  const clientSecret = env['OIDC_CLIENT_SECRET'] || undefined;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  if (issuer === undefined || clientId === undefined)
    problems.push('OIDC_ISSUER and OIDC_CLIENT_ID must be set together; OIDC_CLIENT_SECRET needs both');
  else {
    const plain = parseHttpUrl(issuer);
    if (plain === undefined || !(plain.startsWith('https:') || isLoopbackUrl(plain)))
      problems.push('OIDC_ISSUER must be an https address without query (http only on loopback)');
  }
  return { issuer: issuer ?? '', clientId: clientId ?? '', clientSecret };
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]', '::1'];
const isLoopbackUrl = (url: string): boolean => loopbackHosts.includes(new URL(url).hostname);

/**
 * Session cookies need https, except on this machine; and they need the whole host, as their `__Host-` names require
 * it.
 */
function isGoodForSignIn({ publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>): boolean {
  if (publicUrl === undefined) return loopbackHosts.includes(host);
  return new URL(publicUrl).pathname === '/' && (publicUrl.startsWith('https:') || isLoopbackUrl(publicUrl));
}

function readS3(env: Record<string, string | undefined>, problems: string[]): S3Settings | undefined {
  const [bucket, endpoint] = [env['S3_BUCKET'] || undefined, env['S3_ENDPOINT'] || undefined];
  const publicEndpoint = env['S3_PUBLIC_ENDPOINT'] || undefined;
  const isDirect = parseSwitch(env['S3_DIRECT_DOWNLOADS'] || '0');
  if (isDirect === undefined) problems.push('S3_DIRECT_DOWNLOADS must be 1 or 0');
  if (bucket === undefined) {
    if (endpoint !== undefined || env['S3_REGION'])
      problems.push('S3_BUCKET must be set when S3_ENDPOINT or S3_REGION is');
    if (isDirect === true) problems.push('S3_BUCKET must be set when S3_DIRECT_DOWNLOADS is 1');
    return undefined;
  }
  if (publicEndpoint !== undefined && isDirect === false)
    problems.push('S3_DIRECT_DOWNLOADS must be 1 when S3_PUBLIC_ENDPOINT is set');
  if (publicEndpoint !== undefined && parseHttpUrl(publicEndpoint) === undefined)
    problems.push('S3_PUBLIC_ENDPOINT must be an http or https address without query');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    problems.push('S3_BUCKET must be 3 to 63 of `a-z 0-9 . -`, the first and the last a letter or a digit');
  if (endpoint !== undefined && parseHttpUrl(endpoint) === undefined)
    problems.push('S3_ENDPOINT must be an http or https address without query');
  const region = env['S3_REGION'] || env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || (endpoint && 'us-east-1');
  if (!region) problems.push('S3_REGION must be set with S3_BUCKET, or S3_ENDPOINT for a store other than Amazon’s');
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  if (!accessKeyId !== !secretAccessKey)
    problems.push('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together, or neither');
  const sessionToken = env['AWS_SESSION_TOKEN'];
  return {
    bucket,
    endpoint,
    region: region ?? '',
    credentials:
      accessKeyId && secretAccessKey
        ? { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
        : undefined,
    direct: isDirect === true ? { endpoint: publicEndpoint ?? endpoint } : undefined,
  };
}
