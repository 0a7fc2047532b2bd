import * as oidc from 'openid-client';
import type { Logger } from 'pino';
import { Unavailable } from '../kernel/errors.ts';
import { readEmail, readName, readSubject, type Identity } from '../people/service.ts';
import { HttpError } from '../platform/http/reply/failures.ts';
import { limitedFetch } from './provider-fetch.ts';
import type { SignIn } from './store.ts';

/** Where people sign in, by OpenID Connect. */
export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined; // none: a public client, whose PKCE is all it has
}

const timeoutSeconds = 10;
const clockToleranceSeconds = 30;
/** What a provider says of itself changes seldom; its keys are asked for anew whenever one is unknown. */
const metadataGoodForMs = 3_600_000;
const retryAfterSeconds = 10;

const isLoopback = (url: URL): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);

/** Providers take a secret in the header, as the standard has it (RFC 6749 §2.3.1), but for a few that want it in the body alone. */
const authenticate =
  (secret: string): oidc.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const method = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
    method(secret)(server, client, body, headers);
  };

/**
 * Signs people in at the provider: authorization code with PKCE (S256), state and nonce. `redirectUri` is asked for at each sign-in: the port of
 * a server is known only once it listens.
 */
export function identityProvider(
  settings: ProviderSettings,
  { redirectUri, log }: { redirectUri(): string; log: Logger },
) {
  const server = new URL(settings.issuer);
  let known: { configuration: Promise<oidc.Configuration>; atMs: number } | undefined;

  /** Found out at the first sign-in and kept; a failure is not kept. @throws Unavailable */
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
      log.warn({ reason: reasonOf(error) }, 'the identity provider could not be asked');
      throw new Unavailable('the identity provider does not answer', { cause: error, retryAfterSeconds });
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
        // The library takes ID tokens that came from the provider itself unsigned; their signature is checked all the same.
        execute: [oidc.enableNonRepudiationChecks, ...overLoopback],
      },
    );
  }

  return {
    /** Where to send the browser, and what it takes with it. @throws Unavailable */
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
     * Who came back with this query. @throws HttpError 400 or 403 for an answer that is a refusal or does not hold, Unavailable
     */
    async finish(search: string, { state, nonce, verifier }: Omit<SignIn, 'returnTo'>): Promise<Identity> {
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
        const claims = tokens.claims() as oidc.IDToken; // it was expected
        // Many providers tell the address only here.
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

/** @throws HttpError 403 when the provider tells too little */
function identityOf(claims: oidc.IDToken, userInfo: Record<string, unknown>): Identity {
  const [subject, email] = [readSubject(claims.sub), readEmail(userInfo['email'])];
  if (subject === undefined) throw new HttpError(403, 'the identity provider told no usable subject');
  if (email === undefined) throw new HttpError(403, 'the identity provider told no email address of yours');
  return {
    issuer: claims.iss,
    subject,
    email,
    emailVerified: userInfo['email_verified'] === true,
    name: readName(userInfo['name']),
  };
}

/** Codes of errors and of OAuth, which stand in logs and on pages; messages of a provider do not. */
const reasonOf = (error: unknown): string => {
  const { code, error: name, cause } = (error ?? {}) as { code?: unknown; error?: unknown; cause?: { code?: unknown } };
  const reason = [name, code, cause?.code].find((each) => typeof each === 'string' && /^\w{1,64}$/.test(each));
  return typeof reason === 'string' ? reason : 'unknown';
};

/** What was wrong with the answer of a provider, or with the provider. */
function asFailure(error: unknown, log: Logger): Error {
  if (error instanceof HttpError) return error;
  const reason = reasonOf(error);
  if (error instanceof oidc.AuthorizationResponseError)
    return new HttpError(403, `the identity provider did not sign you in (${reason})`, { cause: error });
  log.warn({ reason }, 'a sign-in failed at the identity provider');
  const isAnswer = error instanceof oidc.ResponseBodyError || error instanceof oidc.ClientError;
  const isOurs = ['invalid_client', 'unauthorized_client', 'OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'];
  return isAnswer && !isOurs.includes(reason)
    ? new HttpError(400, `this sign-in does not hold (${reason}); start again`, { cause: error })
    : new Unavailable('the identity provider does not answer as it should', { cause: error, retryAfterSeconds });
}
