import type { IncomingMessage } from 'node:http';
import proxyaddr from 'proxy-addr';
import type { Caller } from './kernel/caller.ts';
import { unauthorized } from './kernel/errors.ts';
import { tokenKindOf } from './kernel/tokens.ts';
import { refusedMessage } from './enrollment/model.ts';
import type { enrollmentAuthenticator } from './enrollment/authenticator.ts';
import type { adminAccess } from './platform/http/admin-access.ts';
import { HttpError } from './platform/http/failures.ts';
import type { Target } from './platform/http/guards.ts';
import { rateLimiter } from './platform/http/rate-limit.ts';
import type { tokenAuthenticator } from './tokens/authenticator.ts';

interface Authenticators {
  admin: ReturnType<typeof adminAccess>;
  tokens: ReturnType<typeof tokenAuthenticator>;
  enrollment: ReturnType<typeof enrollmentAuthenticator>;
  trustProxy: (address: string, hop: number) => boolean;
}

/** Unknown enrollment keys that one address may try: a wrong key in a script is noticed, guessing among 2^256 was hopeless anyway. */
const unknownKeysPerMinute = 10;

/** Who makes a call, by its bearer and, in dev-open, by where it comes from. @throws unauthorized */
export function authenticator({ admin, tokens, enrollment, trustProxy }: Authenticators) {
  const unknownKeys = rateLimiter(unknownKeysPerMinute / 60, unknownKeysPerMinute);

  function refuseUnknownKey(request: IncomingMessage): never {
    const { allowed, retryAfterSeconds } = unknownKeys(proxyaddr(request, trustProxy));
    if (!allowed)
      throw new HttpError(429, 'too many unknown enrollment keys from this address', {
        headers: { 'Retry-After': String(retryAfterSeconds) },
      });
    throw unauthorized(refusedMessage);
  }

  return async (request: IncomingMessage, bearer: string | undefined, target: Target): Promise<Caller> => {
    if (bearer === undefined) {
      const isAdminPath = target.segments[0] === 'api' && target.segments[1] === 'admin';
      if (isAdminPath && admin.letsIn(request)) return { kind: 'admin' };
      throw unauthorized('token missing');
    }
    const kind = tokenKindOf(bearer);
    if (kind === 'enroll') return (await enrollment.identify(bearer)) ?? refuseUnknownKey(request);
    if (kind !== undefined) return tokens(bearer);
    if (admin.isAdminToken(bearer)) return { kind: 'admin' };
    throw unauthorized('token unknown, expired or revoked');
  };
}
