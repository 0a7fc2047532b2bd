import { hash, randomBytes } from 'node:crypto';

/** The kinds of the requirements; the prefix of a shipped kind never changes, for secret scanners know it. */
export const tokenKinds = ['org', 'user', 'robot', 'enroll'] as const;
/** A ticket opens one stream, for half a minute; it is no token of a caller. */
type TokenKind = (typeof tokenKinds)[number] | 'ticket';

const shape = /^svc_(org|user|robot|enroll|ticket)_[0-9a-f]{64}$/;

/** What is kept of a token. A plain SHA-256 is enough: the value has 256 random bits, so there is nothing to guess. */
export interface TokenFacts {
  kind: TokenKind;
  digest: Buffer;
  lastFour: string;
}

/** A new token. `value` is given to its owner once and kept nowhere. */
export function mintToken(kind: TokenKind): TokenFacts & { value: string } {
  const value = `svc_${kind}_${randomBytes(32).toString('hex')}`;
  return { value, ...factsOf(kind, value) };
}

/** What is kept of a token of this value. */
export const factsOf = (kind: TokenKind, value: string): TokenFacts => ({
  kind,
  digest: digestOf(value),
  lastFour: value.slice(-4),
});

/** The kind of a text that has the form of a token of ours, else undefined. */
export function tokenKindOf(text: string): TokenKind | undefined {
  return shape.exec(text)?.[1] as TokenKind | undefined;
}

export const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Replaces the secret part of every token of ours in a text, wherever it stands. */
export const redactTokens = (text: string): string =>
  text.replace(/(svc_(?:org|user|robot|enroll|ticket)_)[0-9a-f]{64}/g, '$1[redacted]');
