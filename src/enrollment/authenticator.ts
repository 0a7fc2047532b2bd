import { setImmediate } from 'node:timers';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { AuditService } from '../audit/service.ts';
import { unauthorized } from '../kernel/errors.ts';
import { digestOf } from '../kernel/tokens.ts';
import { refusedMessage, type Refusal } from './model.ts';
import { enrollmentKeyStore } from './store.ts';

const maxNoted = 10_000;

/**
 * Finds out whose enrollment key a call bears, and lets the org know of keys that are tried in vain. Such a note is written after the call that
 * caused it is over: that call may stand in a transaction which is about to be rolled back. A note is lost with the process; it is a hint.
 */
export function enrollmentAuthenticator(db: Knex, audit: (db: Knex) => AuditService, log: Logger) {
  async function write(orgId: string, keyId: string, refusal: Refusal): Promise<void> {
    await db.transaction(async (trx) => {
      if (!(await enrollmentKeyStore(trx).claimRefusalNote(orgId, keyId))) return;
      await audit(trx).record(orgId, {
        actor: { kind: 'enroll', id: keyId },
        operation: 'enrollAgent',
        objectKind: 'enrollment_key',
        objectId: keyId,
        after: { refused: refusal },
      });
    });
  }

  // The database decides on the minute for all replicas; this spares it the question while a robot in a loop asks on.
  const notedUntilMs = new Map<string, number>();

  function noteRefusal(orgId: string, keyId: string, refusal: Refusal): void {
    if ((notedUntilMs.get(keyId) ?? 0) > Date.now()) return;
    if (notedUntilMs.size >= maxNoted) notedUntilMs.clear();
    notedUntilMs.set(keyId, Date.now() + 60_000);
    setImmediate(() => {
      write(orgId, keyId, refusal).catch((error: unknown) =>
        log.warn({ err: error, orgId, keyId, refusal }, 'a refused enrollment could not be noted'),
      );
    });
  }

  return {
    noteRefusal,
    /** Undefined for a key that does not exist. @throws unauthorized for one that is not taken */
    async identify(value: string): Promise<{ kind: 'enroll'; orgId: string; keyId: string } | undefined> {
      const found = await enrollmentKeyStore(db).findByDigest(digestOf(value));
      if (!found) return undefined;
      const { orgId, keyId, refusal } = found;
      if (refusal === undefined) return { kind: 'enroll', orgId, keyId };
      noteRefusal(orgId, keyId, refusal);
      throw unauthorized(refusedMessage);
    },
  };
}
