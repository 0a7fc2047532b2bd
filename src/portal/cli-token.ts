import { Router } from 'express';
import type { Request } from 'express';
import { badRequest, unauthorized } from '../kernel/errors.ts';
import { HttpError, toFailure } from '../platform/http/reply/failures.ts';
import { readJsonBody } from '../platform/http/request/input.ts';
import { rateLimiter } from '../platform/http/access/rate-limit.ts';
import { sendFailure, sendJson } from '../platform/http/reply/reply.ts';
import type { cliCodes } from './cli-codes.ts';
import { isRedirectUri, isVerifier } from './cli-authorization-request.ts';
import type { PortalParts } from './page-requests.ts';

/** Wrong codes allowed per address: a code has 256 random bits, so a real client never sends more. */
const wrongCodesPerMinute = 10;
/** As for a form: the caller has no token yet. */
const maxBytes = 16 * 1024;
const fieldNames = ['code', 'code_verifier', 'redirect_uri'];

/**
 * `POST /cli/token`: exchanges a code for a token. JSON in and out, in the envelope of the API. It reads no cookie and
 * allows no other origin: the code and its verifier are proof enough, and no page has them.
 */
export function cliTokenRoutes(parts: PortalParts, codes: ReturnType<typeof cliCodes>): Router {
  const wrongCodes = rateLimiter(wrongCodesPerMinute / 60, wrongCodesPerMinute);
  const router = Router({ caseSensitive: true, strict: true });

  router.all('/cli/token', async (request, response) => {
    try {
      const issued = await exchange(request, response.getHeader('x-request-id'));
      const data = {
        token: issued.value,
        ...(issued.orgId !== undefined && { org_id: issued.orgId }),
        ...(issued.expiresAt && { expires_at: issued.expiresAt.toISOString() }),
      };
      sendJson(response, 200, JSON.stringify({ data }), {});
    } catch (error) {
      const { status } = toFailure(error);
      if (status >= 500)
        parts.log.error({ err: error, status, requestId: response.getHeader('x-request-id') }, 'a sign-in failed');
      sendFailure(response, error, {});
    }
  });

  async function exchange(request: Request, requestId: unknown) {
    if (request.method !== 'POST')
      throw new HttpError(405, `${request.path} takes POST`, { headers: { Allow: 'POST' } });
    const proof = readProof(await readJsonBody(request, { maxBytes }));
    const issued = await codes.redeem({
      ...proof,
      requestId: typeof requestId === 'string' ? requestId : undefined,
    });
    if (issued) return issued;
    const { allowed, retryAfterSeconds } = wrongCodes(parts.networkOf(request));
    if (!allowed)
      throw new HttpError(429, 'too many unknown codes from this address', {
        headers: { 'Retry-After': String(retryAfterSeconds) },
      });
    throw unauthorized('the code is unknown, used or expired');
  }

  return router;
}

/** @throws bad_request */
function readProof(body: unknown): { code: string; verifier: string; redirectUri: string } {
  const fields = Object.entries(body ?? {}) as [string, unknown][];
  const unknown = fields.find(([name]) => !fieldNames.includes(name));
  if (unknown) throw badRequest(`body: unknown field "${unknown[0]}"`);
  const field = (wanted: string, isRight: (text: string) => boolean): string => {
    const value = fields.find(([name]) => name === wanted)?.[1];
    if (typeof value !== 'string' || !isRight(value)) throw badRequest(`body: ${wanted} is missing or invalid`);
    return value;
  };
  return {
    code: field('code', (text) => text !== '' && text.length <= 512),
    verifier: field('code_verifier', isVerifier),
    redirectUri: field('redirect_uri', isRedirectUri),
  };
}
