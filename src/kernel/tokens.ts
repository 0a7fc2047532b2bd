import { hash, randomBytes } from 'node:crypto';

/** The token kinds of the requirements; the prefix of a shipped kind never changes, as secret scanners know it. */
export const tokenKinds = ['org', 'user', 'robot', 'enroll'] as const;
/** A ticket opens one stream, for 30 s; it is not a caller's token. */
type TokenKind = (typeof tokenKinds)[number] | 'ticket';

const shape = /^svc_(org|user|robot|enroll|ticket)_[0-9a-f]{64}$/;

/** The stored facts of a token. A plain SHA-256 is enough: the value has 256 random bits, so it cannot be guessed. */
export interface TokenFacts {
  kind: TokenKind;
  digest: Buffer;
  lastFour: string;
}

/** A new token. `value` is returned to its owner once and never stored. */
export function mintToken(kind: TokenKind): TokenFacts & { value: string } {
  const value = `svc_${kind}_${randomBytes(32).toString('hex')}`;
  return { value, ...factsOf(kind, value) };
}

/** The stored facts of a token with this value. */
export const factsOf = (kind: TokenKind, value: string): TokenFacts => ({
  kind,
  digest: digestOf(value),
  lastFour: value.slice(-4),
});

/** The kind of a text in the service's token format, else undefined. */
export function tokenKindOf(text: string): TokenKind | undefined {
  return shape.exec(text)?.[1] as TokenKind | undefined;
}

export const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Replaces the secret part of every service token in a text, and of every presigned address of an object store. */
export const redactTokens = (text: string): string =>
  text
    .replace(/(svc_(?:org|user|robot|enroll|ticket)_)[0-9a-f]{64}/g, '$1[redacted]')
    .replace(/(X-Amz-(?:Credential|Security-Token|Signature)=)[\w%.~-]+/g, '$1[redacted]');
