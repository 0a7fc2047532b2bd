import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { digestOf } from '../../../kernel/tokens.ts';

interface AdminSettings {
  adminTokens: string[];
  host: string; // the address of the listener
  production: boolean;
}

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address));

const loopbackName = /^(localhost|127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])(:\d+)?$/;
/** Headers that proxies add: the request then comes from another machine. */
const proxyHeader =
  /^(forwarded|via|x-forwarded-.*|x-real-ip|(x-|true-)?(client|cluster-client)-ip|(cf|fastly|fly)-.*)$/;

/** Who may use `/api/admin/*`: holders of the admin token. In dev-open (none is set), any caller on this machine. */
export function adminAccess(settings: AdminSettings) {
  const digests = settings.adminTokens.map(digestOf);
  const open =
    digests.length === 0 &&
    !settings.production &&
    loopbackName.test(settings.host.includes(':') ? `[${settings.host}]` : settings.host);
  const isHere = (request: IncomingMessage): boolean =>
    open &&
    isLoopback(request.socket.remoteAddress) &&
    loopbackName.test(request.headers.host ?? '') &&
    !Object.keys(request.headers).some((name) => proxyHeader.test(name));
  return {
    /** Whether the server runs dev-open: no admin token set, bound to loopback, not in production. */
    open,
    isAdminToken(bearer: string): boolean {
      const digest = digestOf(bearer);
      return digests.some((known) => timingSafeEqual(known, digest));
    },
    /**
     * Whether dev-open applies to this caller: a person on this machine. The Host must be a loopback name. Otherwise a
     * page in a browser could reach the service under a name that its owner points at 127.0.0.1 (DNS rebinding). A
     * proxy header means that the caller is on another machine. A page of another site may still have caused the
     * request: anything that makes a change must check that too.
     */
    isHere,
    /** Whether this request is accepted without a token: no page of another site caused it. */
    letsIn: (request: IncomingMessage): boolean =>
      isHere(request) &&
      request.headers.origin === undefined &&
      ['same-origin', 'none', undefined].includes(request.headers['sec-fetch-site']),
  };
}

export type AdminAccess = ReturnType<typeof adminAccess>;

/** What the log says at the start about access that is open, or closed for everybody. */
export function accessWarnings(
  { open }: AdminAccess,
  { adminTokens }: AdminSettings,
): { level: 'warn' | 'error'; message: string }[] {
  if (open)
    return [
      'local sign-in: anyone on this machine can sign in with any email address; set OIDC_ISSUER to use an identity provider',
      'dev-open: /api/admin/* accepts requests from this machine without a token; set SERVICE_ADMIN_TOKEN to require one',
    ].map((message) => ({ level: 'warn', message }));
  if (adminTokens.length > 0) return [];
  const message =
    '/api/admin/* rejects all requests: set SERVICE_ADMIN_TOKEN, or listen only on loopback to allow requests from this machine';
  return [{ level: 'error', message }];
}
