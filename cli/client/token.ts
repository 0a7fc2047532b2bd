/**
 * A token, or a function that returns one. It is called before each call and each connection, for tokens that are
 * replaced at runtime.
 */
export type TokenSource = string | undefined | (() => string | Promise<string>);

/** Returns the token to send. Throws at once if there is none. Errors end up in logs, so none contains the token. */
export function tokenOf(source: TokenSource): () => Promise<string> {
  if (typeof source === 'function') return async () => checked(await source());
  const token = checked(source);
  return () => Promise.resolve(token);
}

function checked(given: string | undefined): string {
  // Files end with a line break, which `ws` rejects in a header.
  const token = given?.trim() ?? '';
  if (token === '') throw new Error('there is no token: pass one to createClient');
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('the token contains white space or other invalid characters');
  return token;
}
