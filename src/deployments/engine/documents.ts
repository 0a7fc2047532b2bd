import { hash } from 'node:crypto';
import { newId } from '../../kernel/ids.ts';
import type { LockedDeployment, LockedTarget } from './locked.ts';

/**
 * Approximate size limit of a config document, in characters of at most three bytes: agents take 2 MiB. Entries that do
 * not fit wait for the robot's next order. One entry always fits.
 */
const maxDocumentLength = 524_288;
/**
 * Entries per config document. The IDs of their deployments are sent on the link, in a frame of at most 192 KiB
 * (`src/agent-links/desired.ts`).
 */
const maxDocumentEntries = 1_000;

export interface NewOrder {
  id: string;
  orgId: string;
  robotId: string;
  lane: string;
  digest: string;
  proof: string;
  signature: string | undefined;
  keyId: string | undefined;
  terms: string | undefined; // JSON
  targets: readonly LockedTarget[];
}

/** A text that orders carry, identified by its SHA-256. */
export interface PayloadText {
  orgId: string;
  digest: string;
  body: string;
}

/**
 * Composes orders from waiting targets: each release alone, all config of a robot as one document. At most one order
 * per robot and lane. `entryOf` returns the pinned text of a config deployment. Orders are sorted by robot and lane,
 * documents by digest.
 */
export function composeOrders(
  targets: readonly LockedTarget[],
  entryOf: (deployment: LockedDeployment) => string,
): { orders: NewOrder[]; documents: PayloadText[] } {
  const partOf = (deployment: LockedDeployment) => vouchedFor(entryOf(deployment), deployment);
  const documents = new Map<string, PayloadText>(); // by org and digest
  const known = new Map<string, PayloadText>(); // by the deployments in it: robots of a fleet mostly share one
  const byLane = new Map<string, LockedTarget[]>();
  for (const target of targets) {
    const lane = `${target.deployment.orgId} ${target.robotId} ${target.deployment.lane}`;
    const others = byLane.get(lane);
    if (others) others.push(target);
    else byLane.set(lane, [target]);
  }

  function documentOf(deployments: readonly LockedDeployment[]): PayloadText {
    const names = deployments.map(({ id }) => id).join(' ');
    const made = known.get(names);
    if (made) return made;
    const body = `{"config":[${deployments.map(partOf).join(',')}]}`;
    const { orgId } = deployments[0] as LockedDeployment; // a lane has at least one target
    const document = { orgId, digest: hash('sha256', body), body };
    known.set(names, document);
    documents.set(`${document.digest} ${orgId}`, document);
    return document;
  }

  function orderOf(waiting: readonly LockedTarget[]): NewOrder {
    const taken = fitting(waiting, partOf);
    const [first] = taken as [LockedTarget]; // at least one fits
    const { deployment, robotId } = first;
    const { orgId, lane, payloadDigest, proof, signature, keyId, orderTerms: terms } = deployment;
    const place = { id: newId(), orgId, robotId, lane, terms, targets: taken };
    if (lane !== 'config') return { signature, keyId, digest: payloadDigest, proof, ...place };
    const { digest } = documentOf(taken.map((target) => target.deployment));
    // A signature is for one deployment: config entries carry theirs inside the document.
    return { signature: undefined, keyId: undefined, digest, proof: digest, ...place };
  }

  const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);
  return {
    orders: [...byLane].sort(byName).map(([, waiting]) => orderOf(waiting)),
    documents: [...documents].sort(byName).map(([, document]) => document),
  };
}

/** The entry with the signature of its own deployment. The robot checks each, as they come from different people. */
function vouchedFor(entry: string, { signature, keyId }: LockedDeployment): string {
  if (signature === undefined) return entry;
  return `${entry.slice(0, -1)},"signature":${JSON.stringify(signature)},"key_id":${JSON.stringify(keyId)}}`;
}

/**
 * For a release lane, one target. For config, as many of the oldest as a document holds, sorted by namespace and key.
 * Signed and unsigned entries are not mixed: a robot that takes only signed config would refuse both. Nor are entries
 * with different terms: an order has one window.
 */
function fitting(waiting: readonly LockedTarget[], partOf: (deployment: LockedDeployment) => string): LockedTarget[] {
  if (waiting.length === 1 || waiting[0]?.deployment.lane !== 'config') return waiting.slice(0, 1);
  const isSigned = ({ deployment }: LockedTarget) => deployment.signature !== undefined;
  const isFirstSigned = isSigned(waiting[0]);
  const { orderTerms: firstTerms } = waiting[0].deployment;
  let length = 0;
  return waiting
    .filter((target) => isSigned(target) === isFirstSigned && target.deployment.orderTerms === firstTerms)
    .slice(0, maxDocumentEntries)
    .filter(({ deployment }, index) => (length += partOf(deployment).length) <= maxDocumentLength || index === 0)
    .sort(({ deployment: one }, { deployment: other }) => compareKeys(one.payloadKey, other.payloadKey));
}

/** Compares by namespace, then by key, as written. A namespace contains no slash, so it ends at the first one. */
function compareKeys(one: string, other: string): number {
  const [oneNamespace = '', otherNamespace = ''] = [one, other].map((name) => name.slice(0, name.indexOf('/')));
  if (oneNamespace !== otherNamespace) return oneNamespace < otherNamespace ? -1 : 1;
  return one < other ? -1 : 1;
}
