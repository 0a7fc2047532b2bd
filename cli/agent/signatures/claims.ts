import { readDocument } from '../configs/document.ts';
import { StepFailed, type OrderContext } from '../orders/handler.ts';
import { readRelease } from '../releases/release.ts';
import { entryDigest } from './statement.ts';

/** A part of an order that needs a signature, and its signature. */
export interface Claim {
  /** Description for people. */
  what: string;
  lane: string;
  /** What a sequence is counted for: the lane, or for config the lane, the namespace and the key. */
  place: string;
  /** Digest of the signed content, in hex. */
  digest: string;
  signature: string | undefined;
  keyId: string | undefined;
}

/**
 * The claims of an order, at least one; each needs its own signature. Throws StepFailed for a payload that does not
 * belong to its lane.
 */
export function claimsOf({ order, payload }: Pick<OrderContext, 'order' | 'payload'>): Claim[] {
  const { lane } = order;
  if (lane !== 'config') {
    const { tag, sha256 } = readRelease(payload);
    const { signature, key_id: keyId } = order;
    return [{ what: `release ${shown(tag)}`, lane, place: lane, digest: sha256, signature, keyId }];
  }
  const { text, entries } = readDocument(payload);
  // An empty order would still notify the robot's programs of a change.
  if (entries.length === 0) throw new StepFailed('unsigned', 'the order has no content that can be signed');
  const claims = entries.map(({ namespace, key, value, signature, keyId }): Claim => {
    const what = `config ${namespace}/${shown(key)}`;
    const digest = digestOf(what, namespace, key, text.slice(value.start, value.end));
    return { what, lane, place: `config ${namespace}/${key}`, digest, signature, keyId };
  });
  const places = new Set(claims.map(({ place }) => place));
  if (places.size < claims.length) throw new StepFailed('bad_payload', 'the payload has an entry twice');
  return claims;
}

function digestOf(what: string, namespace: string, key: string, value: string): string {
  try {
    return entryDigest(namespace, key, value);
  } catch (error) {
    throw new StepFailed('bad_payload', `the value of ${what} cannot be signed: ${(error as Error).message}`);
  }
}

/** Shortens a name for messages: names come from outside and may be long. */
export const shown = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name);
