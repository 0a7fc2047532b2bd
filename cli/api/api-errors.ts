import { NetworkError, type HttpReply, type NetworkFault } from '../transport/http.ts';
import { retryAfterSeconds } from '../transport/retry.ts';
import type { ApiAccess } from './connection.ts';
import { CliError, type ErrorCode } from '../command-line/errors.ts';
import { exitCode, type ExitCode } from '../command-line/exit-codes.ts';
import { missingIn, nextStep, type Sent } from './not-found.ts';
import { loginLine } from './profile.ts';

const exits: Partial<Record<number, ExitCode>> = { 401: exitCode.auth, 404: exitCode.notFound, 409: exitCode.conflict };
const codes: readonly string[] = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'http_error',
  'internal_server_error',
];

/**
 * The API refused the request: its message, what to do next, and its body for `--json`. `path` is a template or the
 * real one.
 */
export function refusal(reply: HttpReply, connection: ApiAccess, path: string, sent?: Sent): CliError {
  const envelope = envelopeOf(reply.body);
  if (!envelope) return strangeReply(reply, connection);
  const missing = reply.status === 404 ? missingIn(envelope.message, path, sent) : undefined;
  if (missing)
    return new CliError(missing.text === undefined ? envelope.message : `${missing.kind} "${missing.text}" not found`, {
      code: envelope.code,
      exit: exitCode.notFound,
      hint: nextStep(missing.kind, []),
      raw: reply.body,
      ...factsOf(reply),
    });
  return new CliError(reply.status === 401 ? `${rejected(path)}: ${envelope.message}` : envelope.message, {
    code: envelope.code,
    exit: exits[reply.status] ?? exitCode.error,
    hint: hintFor(reply, connection, path),
    raw: reply.body,
    ...factsOf(reply),
  });
}

const codeOfStatus: Partial<Record<number, ErrorCode>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
};

/** As `refusal`, for a response to HEAD: the status stands for the body, which it cannot have. */
export function headRefusal(reply: HttpReply, connection: ApiAccess, path: string): CliError {
  if (reply.status < 400) return strangeReply(reply, connection);
  const code = codeOfStatus[reply.status] ?? 'http_error';
  const message = `the service responded with ${reply.status} to HEAD ${path}`;
  const body = Buffer.from(JSON.stringify({ error: { code, message } }));
  return refusal({ ...reply, body }, connection, path);
}

/** The response is not the service's: a proxy, a sign-in page, another program on that port. */
export function strangeReply(
  reply: HttpReply,
  { baseUrl, baseUrlFrom }: Pick<ApiAccess, 'baseUrl' | 'baseUrlFrom'>,
): CliError {
  const to = reply.headers.location;
  const what = to === undefined ? 'in a format that is not the service’s' : `a redirect to ${to}`;
  return new CliError(`${baseUrl} responded with ${reply.status}, ${what}`, {
    exit: exits[reply.status] ?? exitCode.error,
    hint: `The base URL came from ${baseUrlFrom}. Check it with: cli doctor`,
    ...factsOf(reply),
  });
}

const connectionFailed = (host: string) => `the connection to ${host} failed`;
const sentences: Record<NetworkFault, (host: string) => string> = {
  dns: (host) => `no address found for ${host}`,
  refused: (host) => `${host} refused the connection: nothing listens there`,
  timeout: (host) => `${host} did not respond`,
  tls: (host) => `no trusted TLS connection to ${host}`,
  proxy: (host) => `cannot reach ${host} through the proxy`,
  lost: connectionFailed,
  network: connectionFailed,
};

const tryAgain = 'Try again. If it fails again, run: cli doctor';
const advice: Record<NetworkFault, string> = {
  dns: 'Check the spelling and the name server.',
  refused: 'Check that the service is running, and its host and port.',
  timeout: 'Check the network and firewalls, then try again.',
  tls: 'For a private certificate authority, pass its certificate with --ca-file <file>, or set NODE_EXTRA_CA_CERTS.',
  proxy: 'Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY.',
  lost: tryAgain,
  network: tryAgain,
};

/** Returns any error except a NetworkError unchanged. */
export function networkFailure(error: unknown, url: URL, baseUrlFrom: string): unknown {
  if (!(error instanceof NetworkError)) return error;
  return new CliError(`${sentences[error.fault](url.host)} (${error.message})`, {
    hint: `The base URL came from ${baseUrlFrom}. ${advice[error.fault]}`,
    cause: error,
  });
}

/** True for network failures, rate limits and failures of the service: a retry may help. */
export const isTransient = (error: unknown): error is CliError =>
  error instanceof CliError && (error.code === 'http_error' || error.code === 'internal_server_error');

/** Undefined if the body is not the service's error envelope. */
export function envelopeOf(body: Buffer): { code: ErrorCode; message: string } | undefined {
  try {
    const parsed = JSON.parse(body.toString('utf8')) as { error?: { code?: unknown; message?: unknown } } | null;
    const { code, message } = parsed?.error ?? {};
    if (typeof code !== 'string' || typeof message !== 'string') return undefined;
    // A code of a later version becomes http_error.
    return { code: codes.includes(code) ? (code as ErrorCode) : 'http_error', message };
  } catch {
    return undefined;
  }
}

/** Facts of a response besides its body. */
function factsOf({ status, headers }: HttpReply) {
  const id = headers['x-request-id'];
  return {
    status,
    requestId: typeof id === 'string' ? id : undefined,
    retryAfterSeconds: retryAfterSeconds(headers['retry-after'], headers.date),
  };
}

/** The next step after a request that the role does not allow. */
export const forbiddenHint = 'Show your role with: cli whoami. An admin of the org can change it with: cli users role';

const isAdminPath = (path: string) => path.startsWith('/api/admin/');
const rejected = (path: string) => (isAdminPath(path) ? 'Admin token rejected' : 'Token rejected');

function hintFor(reply: HttpReply, { token, tokenFrom, profile }: ApiAccess, path: string): string | undefined {
  if (reply.status === 401 && isAdminPath(path)) {
    return token === undefined
      ? 'Set SERVICE_ADMIN_TOKEN to the value of the service'
      : 'SERVICE_ADMIN_TOKEN differs from the value of the service: set it to the same value';
  }
  if (reply.status === 401)
    return tokenFrom === 'SERVICE_TOKEN'
      ? 'SERVICE_TOKEN is set: correct it, or unset it and sign in with: cli login'
      : `Sign in with: ${loginLine(profile)}`;
  if (reply.status === 400 && envelopeOf(reply.body)?.message.startsWith('X-Service-Org-Id:'))
    return 'Select one with --org <org>. List your orgs with: cli whoami';
  if (reply.status === 404 && envelopeOf(reply.body)?.message === 'org not found')
    return 'List your orgs with: cli whoami';
  if (reply.status === 403) return forbiddenHint;
  const { 'retry-after': retryAfter, date } = reply.headers;
  const seconds = retryAfterSeconds(retryAfter, date);
  if (reply.status === 429 || reply.status === 503)
    return `Try again${seconds === undefined ? '' : ` in ${seconds} s`}`;
  return reply.status >= 500 ? 'Look up the request ID in the log of the service' : undefined;
}
