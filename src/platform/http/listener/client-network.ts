import type { IncomingMessage } from 'node:http';
import proxyaddr from 'proxy-addr';

/**
 * The key that counts callers without a valid token: the IPv4 address, or the /64 of an IPv6 address, which is what one
 * customer gets.
 */
export function networkOf(request: IncomingMessage, trustProxy: (address: string, hop: number) => boolean): string {
  // A listener on `::` sees IPv4 callers as ::ffff:a.b.c.d.
  const address = proxyaddr(request, trustProxy).replace(/^::ffff:(?=\d+\.)/i, '');
  if (!address.includes(':')) return address;
  const [before = [], after] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(after ? Math.max(0, 8 - before.length - after.length) : 0).fill('0');
  return [...before, ...zeros, ...(after ?? [])].slice(0, 4).join(':');
}
