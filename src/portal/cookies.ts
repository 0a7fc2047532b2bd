import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** 256 random bits, as base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

const form = /^[\w-]{43}$/;

/**
 * A cookie with a secret of the service, for this host only and not readable by scripts. Over https its name prefix
 * makes the browser enforce that this host set it, for itself only. `secure: false` is for loopback, which has no
 * https. `SameSite=Lax`: the return from the identity provider comes from another site and needs the cookie.
 */
export function secretCookie(name: string, { secure, maxAgeSeconds }: { secure: boolean; maxAgeSeconds?: number }) {
  const fullName = secure ? `__Host-${name}` : name;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  return {
    /** Undefined if it is missing or repeated: a repeated cookie was not set by this service alone. */
    read(request: IncomingMessage): string | undefined {
      const values = (request.headers.cookie ?? '').split(';').flatMap((pair) => {
        const cut = pair.indexOf('=');
        return pair.slice(0, cut).trim() === fullName ? [pair.slice(cut + 1).trim()] : [];
      });
      const [value] = values;
      return values.length === 1 && value !== undefined && form.test(value) ? value : undefined;
    },
    set: (response: ServerResponse, value: string) =>
      void response.appendHeader('Set-Cookie', `${fullName}=${value}; ${attributes}${age}`),
    clear: (response: ServerResponse) =>
      void response.appendHeader('Set-Cookie', `${fullName}=; ${attributes}; Max-Age=0`),
  };
}
