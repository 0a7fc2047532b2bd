import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { canonicalJson } from './canonical.ts';

/** What a signature states: this may be carried out there. See `docs/reference/signed-orders.md`. */
export interface Statement {
  orgId: string;
  /** `robot:<id>`, `fleet:<id>`, `site:<id>` or `org`: the robots that may accept it. */
  scope: string;
  /** `config`, or `release:` and the kind. */
  lane: string;
  /** SHA-256 in hex: of the artifact, or of the entry (`entryDigest`). */
  digest: string;
  /** Increases with each signature; usually the intended start, in milliseconds since the epoch. */
  sequence: number;
  /** RFC 3339, in UTC: rejected from then on. */
  expiresAt: string;
}

/**
 * Content of the field `signature`: the parts of the statement that the robot cannot know, and the signature itself.
 */
export type SignatureFields = Pick<Statement, 'scope' | 'sequence' | 'expiresAt'> & { bytes: Buffer };

/** Prefix of the signed bytes: nothing else that the same key signs can be a statement. */
const domain = 'fleet-control-service order v1\n';
/** The contract's limit for `signature`. */
const maxLength = 1_024;
const scopePattern = /^(?:org|(?:robot|fleet|site):[A-Za-z0-9-]{1,64})$/;
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;
const signatureBytes = 64;

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** The bytes to sign: a line with the domain, and the statement as canonical JSON. */
export function textToSign({ orgId, scope, lane, digest, sequence, expiresAt }: Statement): Buffer {
  const members = { digest, expires_at: expiresAt, lane, org_id: orgId, scope, sequence, v: 1 };
  return Buffer.from(domain + canonicalJson(JSON.stringify(members)));
}

/** The digest of a config entry, in hex. `value` is JSON. Throws as `canonicalJson` does. */
export const entryDigest = (namespace: string, key: string, value: string): string =>
  sha256(canonicalJson(`{"key":${JSON.stringify(key)},"namespace":${JSON.stringify(namespace)},"value":${value}}`));

/** The text of the field `signature`. */
export function encodeSignature({ scope, sequence, expiresAt, bytes }: SignatureFields): string {
  const parts = { expires_at: expiresAt, scope, sequence, sig: bytes.toString('base64'), v: 1 };
  return Buffer.from(JSON.stringify(parts)).toString('base64');
}

/** Throws Error, with the reason, for a text that is not in the format of `seal`. */
export function decodeSignature(text: string): SignatureFields {
  if (text.length > maxLength) throw new Error(`it is longer than ${maxLength} characters`);
  const json = fromBase64(text)?.toString('utf8');
  if (json === undefined) throw new Error('it is not base64');
  const parts = membersOf(json);
  const { v, scope, sequence, expires_at: expiresAt, sig } = parts;
  if (v !== 1) throw new Error('it is not of version 1');
  if (Object.keys(parts).length !== 5) throw new Error('it has unexpected fields');
  if (typeof scope !== 'string' || !scopePattern.test(scope)) throw new Error('its scope is invalid');
  if (typeof expiresAt !== 'string' || !instantPattern.test(expiresAt) || Number.isNaN(Date.parse(expiresAt)))
    throw new Error('its expiry is not a time in UTC');
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 1)
    throw new Error('its sequence is invalid');
  // A robot refuses sequences below the last one: after a sequence this late, every valid signature would be refused.
  if (sequence > Date.parse(expiresAt)) throw new Error('its sequence is later than its end');
  const bytes = typeof sig === 'string' ? fromBase64(sig) : undefined;
  if (bytes?.length !== signatureBytes) throw new Error(`it does not have a signature of ${signatureBytes} bytes`);
  return { scope, sequence, expiresAt, bytes };
}

export const isSignedBy = (key: KeyObject, statement: Statement, { bytes }: SignatureFields): boolean =>
  verify(null, textToSign(statement), key, bytes);

/**
 * The usual id of a key: SHA-256 of its public part (SubjectPublicKeyInfo, DER), in hex. A private key has the id of
 * its public part.
 */
export const fingerprintOf = (key: KeyObject): string =>
  sha256((key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' }));

/** Undefined for a text that is not strict base64: Node itself ignores invalid characters. */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : undefined;
}

function membersOf(json: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new Error('it is not a JSON object');
}
