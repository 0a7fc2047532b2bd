import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { badRequest, conflict, DomainError } from '../../../kernel/errors.ts';
import { isLockTimeout } from '../../db/faults.ts';

/**
 * One use of a key. Its scope is (org, operation): a retry after a token rotation still replays, and another org never
 * does.
 */
interface Claim {
  orgId: string;
  operation: string;
  key: string;
  fingerprint: Buffer;
}

interface StoredReply {
  status: number;
  body: string; // the exact bytes of the response
}

/** How long a key is kept; the contract promises 7 days. */
const keptDays = 7;

/**
 * The normalised key: one pair of quotes is removed, as the header is a structured string in the IETF draft
 * (draft-ietf-httpapi-idempotency-key-header §2.1). Node joins two headers with a comma; the comma makes the key
 * invalid.
 * @throws bad_request
 */
export function readIdempotencyKey(header: string | undefined): string {
  if (header === undefined) throw badRequest('the header Idempotency-Key is required');
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[!#-+\--~]{1,255}$/.test(key))
    throw badRequest('Idempotency-Key must be 1 to 255 visible characters without comma or quote');
  return key;
}

/** Hash of the meaning of a call, independent of the order and spacing of its JSON. */
export function fingerprintOf(operation: string, params: object, body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([operation, params, body], sortNames))
    .digest();
}

const sortNames = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;

/**
 * Runs the work of a key once. The key row is the first insert of the transaction that does the operation's writes: one
 * commit, all or nothing. The unique index decides, not a read before the write: two replays can arrive at once.
 * @throws conflict if the key is in flight (with Retry-After) or was used with another payload
 */
export async function runIdempotently(
  trx: Knex,
  claim: Claim,
  run: () => Promise<StoredReply>,
): Promise<StoredReply & { replayed: boolean }> {
  const row = { org_id: claim.orgId, operation: claim.operation, key: claim.key };
  // Waits for a key in flight as long as for any lock: 2 s.
  const claimed = await trx('idempotency_keys')
    .insert({ ...row, fingerprint: claim.fingerprint })
    .onConflict(['org_id', 'operation', 'key'])
    .ignore()
    .returning('key')
    .catch((error: unknown) => {
      throw isLockTimeout(error)
        ? new DomainError('conflict', 'the first request with this Idempotency-Key is still in progress', {
            cause: error,
            retryAfterSeconds: 1,
          })
        : error;
    });
  if (claimed.length > 0) {
    const reply = await run();
    await trx('idempotency_keys').where(row).update({ status: reply.status, body: reply.body });
    return { ...reply, replayed: false };
  }
  const kept = await trx<StoredReply & { fingerprint: Buffer }>('idempotency_keys').where(row).first();
  if (!kept?.fingerprint.equals(claim.fingerprint))
    throw conflict('this Idempotency-Key was used with another payload');
  return { status: kept.status, body: kept.body, replayed: true };
}

/** Deletes expired keys, 1,000 per step so that no lock is held for long. Returns the number deleted. */
export async function reapIdempotencyKeys(db: Knex): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys where created_at < now() - make_interval(days => ?) limit 1000))`,
    [keptDays],
  );
  return rowCount;
}
