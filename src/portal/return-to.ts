/** Target of a sign-in without a return path. */
export const home = '/portal';
const maxLength = 2_000;
/** Visible ASCII without the backslash, which browsers treat as a slash. */
const plainPath = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

/**
 * The path on this service to return to, `home` for everything else. Another host, however disguised, would turn the
 * sign-in into an open redirect from an address that people trust.
 */
export function readReturnTo(value: unknown): string {
  if (typeof value !== 'string' || value.length > maxLength || !plainPath.test(value)) return home;
  const base = 'http://service.invalid';
  const { origin, pathname, search } = new URL(value, base);
  // `/..//host` becomes `//host` when its dots are resolved.
  return origin === base && plainPath.test(pathname) && !/^\/sign-(in|out)\b/.test(pathname) ? pathname + search : home;
}
