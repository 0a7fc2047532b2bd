import { readSigners, signersPath, writeSigners, type Accepted, type Signers } from '../../files/signers.ts';
import { StepFailed, type Handler, type OrderContext } from '../orders/handler.ts';
import type { OrderRecord } from '../orders/journal.ts';
import { claimsOf, shown, type Claim } from './claims.ts';
import { isSignedBy, decodeSignature, type SignatureFields } from './statement.ts';

/** Identity of the robot, as received at enrollment. Later data of the service does not change it. */
export interface SignedFor {
  orgId: string;
  robotId: string;
  siteId: string;
  fleetId: string;
}

interface GateSettings {
  /** Folder of `signers.json`. If the file is missing or damaged, no order is accepted. */
  configDirectory: string;
  robot: SignedFor;
  /** Milliseconds since the epoch. Default: the robot's clock, the only one that the service does not set. */
  now?: () => number;
}

/** Accepts only orders that a pinned key has signed for this robot. */
interface SignatureGate {
  /**
   * Returns the handler with the check in front. For `download`, `make` is called only if the order is not rejected, as
   * it may run a program. An accepted order is recorded before `activate`. Throws StepFailed, and what `make` throws.
   */
  guard(task: OrderContext, step: OrderRecord['step'], make: () => Handler | Promise<Handler>): Promise<Handler>;
}

/**
 * Robot clocks are off by hours if they run on local time. A signature further in the future is not accepted yet, so
 * that a scheduled order does not begin long before its time.
 */
const earlyMs = 24 * 3_600_000;

export function signatureGate({ configDirectory, robot, now = Date.now }: GateSettings): SignatureGate {
  const path = signersPath(configDirectory);
  const scopes = ['org', `robot:${robot.robotId}`, `site:${robot.siteId}`, `fleet:${robot.fleetId}`];
  /** Lanes run in parallel; what they accept is written one after the other. */
  let written: Promise<void> = Promise.resolve();

  async function read(): Promise<Signers> {
    const signers = await readSigners(path).catch((error: unknown) => {
      throw new StepFailed('unknown_key', `${(error as Error).message}: orders are not accepted`);
    });
    if (!signers) throw new StepFailed('unknown_key', `${path} is missing: orders are not accepted`);
    if (signers.robotId !== robot.robotId)
      throw new StepFailed('unknown_key', `${path} belongs to another robot: orders are not accepted`);
    return signers;
  }

  /** Throws StepFailed. */
  function refuseForged({ what, lane, digest, signature, keyId }: Claim, { keys }: Signers): SignatureFields {
    if (signature === undefined)
      throw new StepFailed('unsigned', `${what} has no signature, and this robot requires one`);
    const key = keyId === undefined ? undefined : keys.get(keyId);
    if (!key)
      throw new StepFailed('unknown_key', `${what} is signed by ${keyName(keyId)}, which this robot does not know`);
    const sealed = unsealed(what, signature);
    const statement = { orgId: robot.orgId, lane, digest, ...sealed };
    if (!isSignedBy(key, statement, sealed))
      throw new StepFailed('bad_signature', `the signature of ${what} is not for this content, lane and organization`);
    if (!scopes.includes(sealed.scope))
      throw new StepFailed(
        'wrong_scope',
        `${what} is signed for ${sealed.scope}; this robot is ${scopes.slice(1).join(', ')}`,
      );
    return sealed;
  }

  function refuseOutOfTime({ what }: Claim, { expiresAt, sequence }: SignatureFields): void {
    const nowMs = now();
    const clock = `the clock of the robot is at ${new Date(nowMs).toISOString()}`;
    if (nowMs >= Date.parse(expiresAt))
      throw new StepFailed('expired', `the signature of ${what} was valid until ${expiresAt}; ${clock}`);
    if (sequence > nowMs + earlyMs)
      throw new StepFailed('too_early', `${what} is signed for ${new Date(sequence).toISOString()}; ${clock}`);
  }

  function refuseReplayed({ what, place, digest }: Claim, { sequence }: SignatureFields, { accepted }: Signers): void {
    const last = accepted.get(place);
    if (!last || sequence > last.sequence || (sequence === last.sequence && digest === last.digest)) return;
    const how = sequence === last.sequence ? 'has the number of something else that' : 'is older than what';
    throw new StepFailed('replayed', `${what} ${how} this robot accepted: ${sequence}, after ${last.sequence}`);
  }

  /** Throws StepFailed unless every part of the order may be carried out. */
  function accept(task: OrderContext, signers: Signers, { isBegun }: { isBegun: boolean }): Map<string, Accepted> {
    const taken = new Map<string, Accepted>();
    for (const claim of claimsOf(task)) {
      const sealed = refuseForged(claim, signers);
      if (!isBegun) refuseOutOfTime(claim, sealed);
      refuseReplayed(claim, sealed, signers);
      taken.set(claim.place, { sequence: sealed.sequence, digest: claim.digest });
    }
    return taken;
  }

  async function writeDown(task: OrderContext): Promise<void> {
    const signers = await read();
    // The signature was valid when the order began. An order delayed by a long download or a crash continues.
    const taken = accept(task, signers, { isBegun: true });
    const isKnown = [...taken].every(([place, { sequence }]) => signers.accepted.get(place)?.sequence === sequence);
    if (!isKnown) await writeSigners(path, { ...signers, accepted: new Map([...signers.accepted, ...taken]) });
  }

  return {
    async guard(task, step, make) {
      if (step === 'download') accept(task, await read(), { isBegun: false });
      const handler = await make();
      return {
        ...handler,
        async activate() {
          const mine = written.then(() => writeDown(task));
          written = mine.catch(() => undefined);
          await mine;
          await handler.activate();
        },
      };
    },
  };
}

function unsealed(what: string, signature: string): SignatureFields {
  try {
    return decodeSignature(signature);
  } catch (error) {
    throw new StepFailed('bad_signature', `the signature of ${what} is invalid: ${(error as Error).message}`);
  }
}

const keyName = (keyId: string | undefined) => (keyId === undefined ? 'no named key' : `the key ${shown(keyId)}`);
