/** Where a sign-in leads that was not on its way anywhere. */
export const home = '/portal';
const maxLength = 2_000;
/** Visible ASCII without the backslash, which browsers take for a slash. */
const plainPath = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

/**
 * The place on this service to return to, `home` for everything else: another host, in whatever disguise, would make the sign-in a way to send
 * people elsewhere by an address that they trust.
 */
export function readReturnTo(value: unknown): string {
  if (typeof value !== 'string' || value.length > maxLength || !plainPath.test(value)) return home;
  const base = 'http://service.invalid';
  const { origin, pathname, search } = new URL(value, base);
  // `/..//host` becomes `//host` once its dots are taken away.
  return origin === base && plainPath.test(pathname) && !/^\/sign-(in|out)\b/.test(pathname) ? pathname + search : home;
}
