import { hostname } from 'node:os';
import { exchange } from '../../api/api.ts';
import { envelopeOf, strangeReply } from '../../api/api-errors.ts';
import type { ApiAccess } from '../../api/connection.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { retryAfterSeconds } from '../../transport/retry.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { Attempt } from './attempt.ts';

interface Question {
  attempt: Pick<Attempt, 'state' | 'challenge'>;
  redirectUri: string;
  /** Id or name; undefined lets the person choose. */
  org: string | undefined;
  /** The browser is on another machine: the page shows the code to copy first. */
  showsCode: boolean;
}

/** The page where the person signs in and approves. */
export function authorizeUrl(portalUrl: string, { attempt, redirectUri, org, showsCode }: Question): string {
  const query = new URLSearchParams({
    redirect_uri: redirectUri,
    code_challenge: attempt.challenge,
    code_challenge_method: 'S256',
    state: attempt.state,
    host: hostname().slice(0, 64),
    ...(org !== undefined && { org }),
    ...(showsCode && { display: 'code' }),
  });
  return `${portalUrl}/cli/authorize?${query.toString()}`;
}

type Portal = Pick<ApiAccess, 'baseUrl' | 'baseUrlFrom' | 'profile'>;

/**
 * Verifies the portal before the browser opens: it must refuse an empty request in the portal's format.
 * @throws CliError if nothing responds, or the server is not a portal
 */
export async function checkPortal(call: Invocation, portal: Portal): Promise<void> {
  const reply = await post(call, portal, {});
  if (reply.status === 404 || envelopeOf(reply.body) === undefined)
    throw new CliError(`${portal.baseUrl} does not offer sign-in with the browser`, {
      hint: 'Use another address with --portal-url <url>, or a token with: cli login --token -',
    });
}

/** Exchanges a code for the token. @throws CliError, with exit code 4 if the portal refuses the code */
export async function redeem(
  call: Invocation,
  portal: Portal,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<string> {
  const reply = await post(call, portal, { code, code_verifier: verifier, redirect_uri: redirectUri });
  if (reply.status === 200) {
    const token = tokenIn(reply.body);
    if (token !== undefined) return token;
  }
  const envelope = envelopeOf(reply.body);
  if (envelope === undefined) throw strangeReply(reply, portal);
  const seconds = retryAfterSeconds(reply.headers['retry-after'], reply.headers.date);
  throw new CliError(envelope.message, {
    code: envelope.code,
    exit: reply.status === 401 ? exitCode.auth : exitCode.error,
    hint: `Nothing was saved. Try again${seconds === undefined ? '' : ` in ${seconds} s`}: cli login`,
    raw: reply.body,
  });
}

const post = (call: Invocation, portal: Portal, body: object) =>
  exchange(
    call,
    { ...portal, token: undefined, tokenFrom: 'nowhere' },
    { method: 'POST', url: `${portal.baseUrl}/cli/token`, body: JSON.stringify(body) },
  );

function tokenIn(body: Buffer): string | undefined {
  try {
    const { data } = JSON.parse(body.toString('utf8')) as { data?: { token?: unknown } };
    return typeof data?.token === 'string' ? data.token : undefined;
  } catch {
    return undefined;
  }
}
