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
 * Finds the enrollment key of a request, and records refused keys in the org's audit log. The record is written after
 * the request that caused it: that request may be in a transaction which is about to be rolled back. A record is only a
 * hint: pending ones are lost with the process.
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

  // The database enforces once a minute across all replicas; this cache saves the query while a robot retries in a
  // loop.
  const notedUntilMs = new Map<string, number>(); // by performance.now()

  function noteRefusal(orgId: string, keyId: string, refusal: Refusal): void {
    if ((notedUntilMs.get(keyId) ?? 0) > performance.now()) return;
    if (notedUntilMs.size >= maxNoted) notedUntilMs.clear();
    notedUntilMs.set(keyId, performance.now() + 60_000);
    setImmediate(() => {
      write(orgId, keyId, refusal).catch((error: unknown) =>
        log.warn({ err: error, orgId, keyId, refusal }, 'a refused enrollment could not be recorded'),
      );
    });
  }

  return {
    noteRefusal,
    /** Undefined for an unknown key. @throws unauthorized for a refused one */
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
