import type { Knex } from 'knex';
import { auditService } from '../audit/service.ts';
import type { Bus, Hint } from '../platform/bus/bus.ts';
import { batchCalls } from '../platform/db/batch-calls.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { JoinOutcome, JoinRequest } from './model.ts';
import { linkStore } from './store.ts';

const maxJoins = 500;

/**
 * Creates links in the database, concurrent ones in one statement, and notifies replicas whose links were replaced.
 * `before` runs first: an agent that reconnects at once must find its old link ended, not replaced.
 */
export function linkRegistration(db: Knex, bus: Bus, replicaId: string, before: () => Promise<void>) {
  return batchCalls<JoinRequest, JoinOutcome>(
    maxJoins,
    ({ robotId }) => robotId,
    async (requests) => {
      await before();
      return inTransaction(db, async (trx) => {
        const result = await linkStore(trx, replicaId).join(requests);
        const hints: Hint[] = [];
        const notes: Knex.Raw[] = [];
        requests.forEach(({ orgId, robotId }, index) => {
          const joined = result[index];
          if (joined?.kind !== 'joined') return;
          if (joined.replaced !== undefined && joined.replaced !== replicaId)
            hints.push({ topic: 'link_changed', orgId, robotId, epoch: joined.epoch });
          if (joined.isDuplicate) notes.push(auditService(trx).record(orgId, duplicateNote(robotId)));
        });
        const announced = bus.announcing(trx, hints);
        return { result, ...announced, closing: [...notes, ...announced.closing] };
      });
    },
  );
}

const duplicateNote = (robotId: string) => ({
  actor: { kind: 'system' as const },
  operation: 'flagDuplicateAgent',
  objectKind: 'robot',
  objectId: robotId,
});
