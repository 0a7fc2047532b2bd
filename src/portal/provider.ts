import * as oidc from 'openid-client';
import type { Logger } from 'pino';
import { Unavailable } from '../kernel/errors.ts';
import { readEmail, readName, readSubject, type IdentityClaims } from '../people/service.ts';
import { HttpError } from '../platform/http/reply/failures.ts';
import { limitedFetch } from './provider-fetch.ts';
import type { SignIn } from './store.ts';

/** The OpenID Connect provider where people sign in. */
export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined; // undefined: a public client, protected by PKCE alone
}

const timeoutSeconds = 10;
const clockToleranceSeconds = 30;
/** Provider metadata changes rarely; keys are fetched again whenever one is unknown. */
const metadataGoodForMs = 3_600_000;
const retryAfterSeconds = 10;

const isLoopback = (url: URL): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);

/** Providers take a secret in the header, as the standard says (RFC 6749 §2.3.1); a few accept it only in the body. */
const authenticate =
  (secret: string): oidc.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const method = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
    method(secret)(server, client, body, headers);
  };

/**
 * Signs people in at the provider: authorization code with PKCE (S256), state and nonce. `redirectUri` is read at each
 * sign-in, as the port of a server is known only once it listens.
 */
export function identityProvider(
  settings: ProviderSettings,
  { redirectUri, log }: { redirectUri(): string; log: Logger },
) {
  const server = new URL(settings.issuer);
  let known: { configuration: Promise<oidc.Configuration>; atMs: number } | undefined;

  /** Fetched at the first sign-in and cached; a failure is not cached. @throws Unavailable */
  async function configure(): Promise<oidc.Configuration> {
    if (!known || performance.now() - known.atMs > metadataGoodForMs) {
      const asked = { configuration: discover(), atMs: performance.now() };
      known = asked;
      asked.configuration.catch(() => {
        if (known === asked) known = undefined;
      });
    }
    try {
      return await known.configuration;
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'the request to the identity provider failed');
      throw new Unavailable('the identity provider does not respond', { cause: error, retryAfterSeconds });
    }
  }

  async function discover(): Promise<oidc.Configuration> {
    const { clientId, clientSecret } = settings;
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- only marked so that it stands out: a provider on this machine has no https
    const overLoopback = isLoopback(server) ? [oidc.allowInsecureRequests] : [];
    return oidc.discovery(
      server,
      clientId,
      { [oidc.clockTolerance]: clockToleranceSeconds },
      clientSecret === undefined ? oidc.None() : authenticate(clientSecret),
      {
        timeout: timeoutSeconds,
        [oidc.customFetch]: limitedFetch,
        // The library does not verify the signature of ID tokens that come directly from the provider; this option
        // does.
        execute: [oidc.enableNonRepudiationChecks, ...overLoopback],
      },
    );
  }

  return {
    /** The address to send the browser to, and the state of the sign-in. @throws Unavailable */
    async begin(): Promise<{ url: string } & Omit<SignIn, 'returnTo'>> {
      const configuration = await configure();
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri(),
        scope: 'openid email profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { url: url.href, state, nonce, verifier };
    },

    /**
     * The person who came back with this query.
     * @throws HttpError 400 or 403 for a refusal or an invalid response, Unavailable
     */
    async finish(search: string, { state, nonce, verifier }: Omit<SignIn, 'returnTo'>): Promise<IdentityClaims> {
      const configuration = await configure();
      try {
        const callback = new URL(redirectUri());
        callback.search = search;
        const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims() as oidc.IDToken; // guaranteed by idTokenExpected
        // Many providers return the address only here.
        const userInfo =
          claims['email'] === undefined
            ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims;
        return identityOf(claims, userInfo);
      } catch (error) {
        throw asFailure(error, log);
      }
    },
  };
}

/** @throws HttpError 403 if the provider returns too little */
function identityOf(claims: oidc.IDToken, userInfo: Record<string, unknown>): IdentityClaims {
  const [subject, email] = [readSubject(claims.sub), readEmail(userInfo['email'])];
  if (subject === undefined) throw new HttpError(403, 'the identity provider sent no valid subject');
  if (email === undefined) throw new HttpError(403, 'the identity provider sent no email address');
  return {
    issuer: claims.iss,
    subject,
    email,
    emailVerified: userInfo['email_verified'] === true,
    name: readName(userInfo['name']),
  };
}

/** Error codes, including OAuth's, for logs and pages; a provider's messages are not shown. */
const reasonOf = (error: unknown): string => {
  const { code, error: name, cause } = (error ?? {}) as { code?: unknown; error?: unknown; cause?: { code?: unknown } };
  const reason = [name, code, cause?.code].find((each) => typeof each === 'string' && /^\w{1,64}$/.test(each));
  return typeof reason === 'string' ? reason : 'unknown';
};

/** The error for a faulty response of the provider, or for a faulty provider. */
function asFailure(error: unknown, log: Logger): Error {
  if (error instanceof HttpError) return error;
  const reason = reasonOf(error);
  if (error instanceof oidc.AuthorizationResponseError)
    return new HttpError(403, `the identity provider did not sign you in (${reason})`, { cause: error });
  log.warn({ reason }, 'a sign-in failed at the identity provider');
  const isAnswer = error instanceof oidc.ResponseBodyError || error instanceof oidc.ClientError;
  const isOurs = ['invalid_client', 'unauthorized_client', 'OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'];
  return isAnswer && !isOurs.includes(reason)
    ? new HttpError(400, `this sign-in is not valid (${reason}); start again`, { cause: error })
    : new Unavailable('the identity provider sent an invalid response', { cause: error, retryAfterSeconds });
}
