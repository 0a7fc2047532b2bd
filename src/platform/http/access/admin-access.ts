import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { digestOf } from '../../../kernel/tokens.ts';

interface AdminSettings {
  adminTokens: string[];
  host: string; // the address we listen on
  production: boolean;
}

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address));

const loopbackName = /^(localhost|127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])(:\d+)?$/;
/** What proxies add, by whatever name: the caller is somebody else then. */
const proxyHeader =
  /^(forwarded|via|x-forwarded-.*|x-real-ip|(x-|true-)?(client|cluster-client)-ip|(cf|fastly|fly)-.*)$/;

/** Who may use `/api/admin/*`: holders of the admin token; without one set, in dev-open, anybody on this machine. */
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
     * Whether dev-open holds for this caller: a person at this machine. The Host must be a loopback name, or a page in a browser
     * could reach us under a name that its owner points at 127.0.0.1 (DNS rebinding); a proxy's header says that the caller is somebody else.
     * A page of another site may still have caused the call: what changes anything must look at that too.
     */
    isHere,
    /** Whether this very call is let in without a token: no page of any site caused it. */
    letsIn: (request: IncomingMessage): boolean =>
      isHere(request) &&
      request.headers.origin === undefined &&
      ['same-origin', 'none', undefined].includes(request.headers['sec-fetch-site']),
  };
}
