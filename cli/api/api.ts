import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import type { paths } from '../../generated/api.d.ts';
import type { HttpCall, HttpReply } from '../transport/http.ts';
import { caCertificatesOf } from './ca-certificates.ts';
import { envelopeOf, networkFailure, refusal, strangeReply } from './api-errors.ts';
import { connectionOf, proxyFor, type ApiAccess } from './connection.ts';
import { CliError } from '../command-line/errors.ts';
import { isDryRun, NotSent } from '../command-line/dry-run.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { isId } from '../command-line/id.ts';
import { listPathOf, missingIn, nearIn, nextStep } from './not-found.ts';
import { orgNamed } from './org-choice.ts';
import { loginLine } from './profile.ts';
import { senderOf, type Sender } from './sender.ts';
import type { Invocation } from '../command-line/command-spec.ts';

export type * from './schemas.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];
type PathParameters<O> = O extends { parameters: { path: infer Path } } ? { path: Path } : { path?: never };
type Query<O> = O extends { parameters: { query?: infer Q } } ? { query?: Loose<Q> } : { query?: never };
type Body<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: B } | { json: string }
  : O extends { requestBody?: { content: { 'application/json': infer B } } }
    ? { body?: B }
    : { body?: never };
/** An absent flag is undefined, and an undefined parameter is not sent. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined };
type Key<O> = O extends { parameters: { header: { 'Idempotency-Key': string } } } ? { idempotencyKey: string } : object;
type CallInit<O> = PathParameters<O> & Query<O> & Body<O> & Key<O>;
type Success<O> = O extends { responses: infer R }
  ? {
      [S in keyof R]: S extends 200 | 201
        ? R[S] extends { content: { 'application/json': infer B } }
          ? B
          : never
        : never;
    }[keyof R]
  : never;

/** A successful response: its raw bytes, for `--json`, and its parsed body. */
export interface Reply<T> {
  status: number;
  raw: Buffer;
  body: T;
  orgId: string | undefined;
  /** True if it repeats the response to an earlier call with the same Idempotency-Key. */
  isReplay: boolean;
  /** For a page of a list: detects later changes. */
  etag: string | undefined;
  /** Time of the response, by the service's clock. */
  date: string | undefined;
}

/** Calls of the contract. Each throws CliError, with its exit code, unless the response is successful. */
export interface Api {
  connection: ApiAccess;
  get<P extends PathWith<'get'>>(path: P, init: CallInit<paths[P]['get']>): Promise<Reply<Success<paths[P]['get']>>>;
  /** Undefined if it still has this etag. */
  getChanged<P extends PathWith<'get'>>(
    path: P,
    init: CallInit<paths[P]['get']>,
    etag: string | undefined,
  ): Promise<Reply<Success<paths[P]['get']>> | undefined>;
  post<P extends PathWith<'post'>>(
    path: P,
    init: CallInit<paths[P]['post']>,
  ): Promise<Reply<Success<paths[P]['post']>>>;
  put<P extends PathWith<'put'>>(path: P, init: CallInit<paths[P]['put']>): Promise<Reply<Success<paths[P]['put']>>>;
  patch<P extends PathWith<'patch'>>(
    path: P,
    init: CallInit<paths[P]['patch']>,
  ): Promise<Reply<Success<paths[P]['patch']>>>;
  delete<P extends PathWith<'delete'>>(
    path: P,
    init: CallInit<paths[P]['delete']>,
  ): Promise<Reply<Success<paths[P]['delete']>>>;
}

interface LooseInit {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** The body already as JSON, for values whose digits must not change. */
  json?: string;
  idempotencyKey?: string;
  etag?: string | undefined;
}

/**
 * The API with the saved token. Throws at once if there is none: a call without a token cannot succeed. openapi-fetch
 * builds the URLs; its own client is not used, because it loads the global fetch classes (15 ms).
 */
export async function apiOf(call: Invocation): Promise<Api> {
  return clientOf(ofList(call), await signedInOrg(call));
}

/** A watched list repeats its request every 2 s, and itself reports a failure. */
const ofList = (call: Invocation): Invocation =>
  call.command.prints === 'list' && call.flags.has('watch') && call.flags.on('watch') ? withoutRetries(call) : call;

/** The same call with each request sent once, for callers that repeat it themselves. */
export const withoutRetries = (call: Invocation): Invocation => ({ ...call, sendsOnce: true });

/** The connection with the saved token and the org of `--org`. */
export async function signedInOrg(call: Invocation): Promise<ApiAccess> {
  return inOrg(call, signedIn(await connectionOf(call)));
}

/** The connection with the org of `--org`; a name is looked up among the token's orgs. */
export async function inOrg(call: Invocation, connection: ApiAccess): Promise<ApiAccess> {
  const org = call.flags.text('org');
  if (org === undefined) return connection;
  if (isId(org)) return { ...connection, orgId: org };
  const { orgs } = (await clientOf(call, connection).get('/api/whoami', {})).body.data;
  return { ...connection, orgId: orgNamed(orgs, org) };
}

/** The API with the service's admin token, or without one if the server is dev-open. */
export async function adminApiOf(call: Invocation): Promise<Api> {
  return clientOf(ofList(call), await adminConnectionOf(call));
}

export async function adminConnectionOf(call: Invocation): Promise<ApiAccess> {
  return { ...(await connectionOf(call)), token: call.environment.adminToken };
}

/** Throws CliError without a token. */
export function signedIn(connection: ApiAccess): ApiAccess {
  if (connection.token !== undefined) return connection;
  throw new CliError('not signed in', {
    code: 'unauthorized',
    exit: exitCode.auth,
    hint: `Sign in with: ${loginLine(connection.profile)}   Or set SERVICE_TOKEN`,
  });
}

/** `signal` cancels pending requests, for callers with a limited lifetime. */
export function clientOf(call: Invocation, connection: ApiAccess, signal?: AbortSignal): Api {
  const querySerializer = createQuerySerializer();
  const send = senderOf(call);
  const method = (verb: Method) => async (path: string, init: LooseInit) => {
    const params = { ...(init.path && { path: init.path }), ...(init.query && { query: init.query }) };
    const url = createFinalURL(path, {
      baseUrl: connection.baseUrl,
      params,
      querySerializer,
      pathSerializer: defaultPathSerializer,
    });
    const headers = {
      ...(init.idempotencyKey !== undefined && { 'Idempotency-Key': init.idempotencyKey }),
      ...(init.etag !== undefined && { 'If-None-Match': init.etag }),
    };
    const body = init.json ?? (init.body === undefined ? undefined : JSON.stringify(init.body));
    const request = { method: verb.toUpperCase(), url, body, headers, signal };
    const reply = await exchange(call, connection, request, send);
    if (reply.status === 304 && init.etag !== undefined) return undefined;
    if (reply.status < 200 || reply.status > 299) throw await refused(reply, path, init);
    return {
      status: reply.status,
      raw: reply.body,
      body: parsed(reply, connection),
      orgId: headerOf(reply, 'x-service-org-id'),
      isReplay: headerOf(reply, 'idempotent-replayed') === 'true',
      etag: headerOf(reply, 'etag'),
      date: headerOf(reply, 'date'),
    };
  };
  const get = method('get');

  /** A caller that repeats its requests, such as a watch, gets no suggestions: each would be one more request. */
  async function refused(reply: HttpReply, path: string, init: LooseInit): Promise<CliError> {
    const error = refusal(reply, connection, path, init);
    const missing = reply.status === 404 ? missingIn(envelopeOf(reply.body)?.message ?? '', path, init) : undefined;
    if (missing?.text === undefined || call.sendsOnce) return error;
    const near = await get(listPathOf(missing.kind), { query: { limit: 1000 } }).then(
      (found) => nearIn((found?.body as { items?: object[] } | undefined)?.items ?? [], missing),
      () => [],
    );
    return error.with({ hint: nextStep(missing.kind, near) });
  }

  // The types above describe per path what `method` does for every path.
  return {
    connection,
    get,
    getChanged: (path: string, init: LooseInit, etag: string | undefined) => get(path, { ...init, etag }),
    post: method('post'),
    put: method('put'),
    patch: method('patch'),
    delete: method('delete'),
  } as unknown as Api;
}

/** The header that names the org of a call. */
export const orgHeader = ({ orgId }: Pick<ApiAccess, 'orgId'>): Readonly<Record<string, string>> =>
  orgId === undefined ? {} : { 'X-Service-Org-Id': orgId };

interface Exchange extends Pick<HttpCall, 'method' | 'body' | 'signal'> {
  /** Absolute. */
  url: string;
  /** In addition to those of every call. Default: none. */
  headers?: Readonly<Record<string, string>>;
}

/** A plan changes nothing for robots: it is what a dry run of a command with `--plan` shows. */
const isPlan = ({ flags }: Invocation, { pathname }: URL) =>
  flags.has('plan') && pathname.endsWith('/api/deployment-plans');

/**
 * Sends one request and returns the response, whatever its status; throws CliError without one, and NotSent instead of
 * a change with `--dry-run`. `send`: shared by calls that wait together.
 */
export async function exchange(
  call: Invocation,
  { token, ...connection }: ApiAccess,
  { method, url, body, headers, signal }: Exchange,
  send: Sender = senderOf(call),
): Promise<HttpReply> {
  const address = new URL(url);
  if (isDryRun(call) && method !== 'GET' && method !== 'HEAD' && !isPlan(call, address))
    throw new NotSent(method, `${address.pathname}${address.search}`, typeof body === 'string' ? body : undefined);
  const all = {
    Accept: 'application/json',
    'User-Agent': `cli/${call.version}`,
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...orgHeader(connection),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  };
  try {
    const [proxy, authorities] = [proxyFor(address, call.environment), await caCertificatesOf(call)];
    return await send({ method, url: address, headers: all, body, proxy, authorities, signal });
  } catch (error) {
    throw networkFailure(error, address, connection.baseUrlFrom);
  }
}

export function headerOf(reply: HttpReply, name: string): string | undefined {
  const value = reply.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Every response of the service is an object; anything else comes from another program at that address. */
function parsed(reply: HttpReply, connection: ApiAccess): unknown {
  try {
    const body: unknown = JSON.parse(reply.body.toString('utf8'));
    if (typeof body === 'object' && body !== null && ('items' in body || 'data' in body)) return body;
  } catch {
    // Reported below, like JSON of another shape.
  }
  throw strangeReply(reply, connection);
}
