import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { actorOf, auditService } from '../../audit/service.ts';
import type { Caller } from '../../kernel/caller.ts';
import { waitAtMost } from '../../kernel/wait-at-most.ts';

/** How long a stop waits for unwritten entries. */
const stopWithinMs = 5_000;

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
  const writing = new Set<Promise<void>>();
  return {
    write(sessionId: string, stream: NotedStream, what: 'open' | 'close' | 'fail', facts: object): void {
      const { orgId, robotId, kind, caller, requestId } = stream;
      const written = (async () => {
        await auditService(db).record(orgId, {
          actor: actorOf(caller),
          requestId,
          operation: `${what}${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)}`,
          objectKind: 'robot',
          objectId: robotId,
          after: { session_id: sessionId, ...facts },
        });
      })().catch((error: unknown) =>
        log.error({ err: error, orgId, robotId }, 'a stream could not be written to the audit log'),
      );
      writing.add(written);
      void written.finally(() => writing.delete(written));
    },

    /** Resolves when the entries of ended streams are in the audit log, or cannot be written. */
    written: (): Promise<void> => waitAtMost(stopWithinMs, Promise.all(writing)),
  };
}
