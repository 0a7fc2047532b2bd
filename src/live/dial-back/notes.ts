import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { actorOf, auditService } from '../../audit/service.ts';
import type { Caller } from '../../kernel/caller.ts';
import { newId } from '../../kernel/ids.ts';
import { patientWrites } from '../../kernel/patient-writes.ts';

/** A stream, and who opened it. */
interface NotedStream {
  orgId: string;
  robotId: string;
  kind: string;
  caller: Caller;
  requestId: string;
}

export type StreamNotes = ReturnType<typeof streamAudit>;

/**
 * Audit entries of streams: who watched what, for how long, and who was refused. After a crash the end of a stream is
 * missing, its start is not.
 */
export function streamAudit({ db, log }: { db: Knex; log: Logger }) {
  const entries = patientWrites();
  return {
    write(sessionId: string, stream: NotedStream, what: 'open' | 'close' | 'fail', facts: object): void {
      const { orgId, robotId, kind, caller, requestId } = stream;
      const [id, notedMs] = [newId(), performance.now()];
      const record = () =>
        auditService(db).record(orgId, {
          id,
          ageMs: performance.now() - notedMs,
          actor: actorOf(caller),
          requestId,
          operation: `${what}${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)}`,
          objectKind: 'robot',
          objectId: robotId,
          after: { session_id: sessionId, ...facts },
        });
      entries.add(
        entries
          .retry(record)
          .catch((error: unknown) =>
            log.error({ err: error, orgId, robotId }, 'a stream could not be written to the audit log'),
          ),
      );
    },

    /** Resolves when the entries of ended streams are in the audit log, or cannot be written. */
    written: entries.written,
  };
}
