import type { IncomingMessage } from 'node:http';
import type { Grant } from './kernel/caller.ts';
import { unauthorized } from './kernel/errors.ts';
import { tokenKindOf } from './kernel/tokens.ts';
import { refusedMessage } from './enrollment/model.ts';
import type { enrollmentAuthenticator } from './enrollment/authenticator.ts';
import type { AdminAccess } from './platform/http/access/admin-access.ts';
import { networkOf } from './platform/http/listener/client-network.ts';
import { HttpError } from './platform/http/reply/failures.ts';
import type { RequestTarget } from './platform/http/request/guards.ts';
import { rateLimiter } from './platform/http/access/rate-limit.ts';
import type { tokenAuthenticator } from './tokens/authenticator.ts';

interface Authenticators {
  admin: AdminAccess;
  tokens: ReturnType<typeof tokenAuthenticator>;
  enrollment: ReturnType<typeof enrollmentAuthenticator>;
  trustProxy: (address: string, hop: number) => boolean;
  /** Whether unknown tokens are rate limited too, as requests are. Unknown enrollment keys always are. */
  limitsUnknownTokens: boolean;
}

const adminGrants: readonly Grant[] = [{ caller: { kind: 'admin' } }];

/**
 * Unknown enrollment keys allowed per address: this reveals a wrong key in a script; guessing among 2^256 is hopeless
 * anyway.
 */
const unknownKeysPerMinute = 10;
/** Unknown tokens of any other kind: removed robots that keep retrying from one address are not an attack. */
const unknownTokensPerSecond = 10;
const unknownTokensAtOnce = 50;

/**
 * Authenticates a request by its bearer token and, in dev-open, by its origin: one grant for each org that it may act
 * for.
 * @throws unauthorized, 429 for too many unknown bearers
 */
export function authenticator({ admin, tokens, enrollment, trustProxy, limitsUnknownTokens }: Authenticators) {
  const unknownKeys = rateLimiter(unknownKeysPerMinute / 60, unknownKeysPerMinute);
  const unknownTokens = limitsUnknownTokens ? rateLimiter(unknownTokensPerSecond, unknownTokensAtOnce) : undefined;

  /** Called only for unknown bearers, so that valid ones from the same address are not limited. */
  function countAgainstAddress(take: typeof unknownKeys, request: IncomingMessage, what: string): void {
    const { allowed, retryAfterSeconds } = take(networkOf(request, trustProxy));
    if (!allowed)
      throw new HttpError(429, `too many unknown ${what} from this address`, {
        headers: { 'Retry-After': String(retryAfterSeconds) },
      });
  }

  function refuseUnknownKey(request: IncomingMessage): never {
    countAgainstAddress(unknownKeys, request, 'enrollment keys');
    throw unauthorized(refusedMessage);
  }

  function refuseUnknownToken(request: IncomingMessage): never {
    if (unknownTokens) countAgainstAddress(unknownTokens, request, 'tokens');
    throw unauthorized('token unknown, expired or revoked');
  }

  return async (
    request: IncomingMessage,
    bearer: string | undefined,
    target: RequestTarget,
  ): Promise<readonly Grant[]> => {
    if (bearer === undefined) {
      const isAdminPath = target.segments[0] === 'api' && target.segments[1] === 'admin';
      if (isAdminPath && admin.letsIn(request)) return adminGrants;
      throw unauthorized('token missing');
    }
    const kind = tokenKindOf(bearer);
    if (kind === 'enroll') return [{ caller: (await enrollment.identify(bearer)) ?? refuseUnknownKey(request) }];
    if (kind !== undefined) {
      const grants = await tokens(bearer);
      return grants.length > 0 ? grants : refuseUnknownToken(request);
    }
    return admin.isAdminToken(bearer) ? adminGrants : refuseUnknownToken(request);
  };
}
