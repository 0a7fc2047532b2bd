/** A token, or what gives one: it is asked before each call and each connection, for tokens that are replaced while the program runs. */
export type TokenSource = string | undefined | (() => string | Promise<string>);

/** What is to be sent. Throws at once where there is none; errors end up in logs, so none of them holds it. */
export function tokenOf(source: TokenSource): () => Promise<string> {
  if (typeof source === 'function') return async () => checked(await source());
  const token = checked(source);
  return () => Promise.resolve(token);
}

function checked(given: string | undefined): string {
  // Files end with a line break, which `ws` would not take in a header.
  const token = given?.trim() ?? '';
  if (token === '') throw new Error('there is no token: give createClient one');
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('what was given as a token has white space or other signs in it');
  return token;
}
