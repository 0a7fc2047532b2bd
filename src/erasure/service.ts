import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { BlobStore } from '../artifacts/service.ts';
import { auditService } from '../audit/service.ts';
import { deploymentService } from '../deployments/api/service.ts';
import { conflict, notFound, Unavailable } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { orgService } from '../orgs/service.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { ObjectStore } from '../platform/s3/object-store.ts';
import { robotService } from '../robots/service.ts';
import { erasureClaims, type Claim } from './claims.ts';
import type { Erasure } from './model.ts';
import { eraseOrgOnce } from './org-pass.ts';
import { eraseRobotOnce, type PassResult } from './robot-pass.ts';
import { rowRemover } from './row-remover.ts';
import { erasureStore } from './store.ts';

export { keptOfRobot, rowsOfRobot, tablesOfOrg } from './model.ts';
export type { Erasure };

/** Requests. Replicas do the work, see `erasureWork`. */
export function erasureService(db: Knex) {
  const store = erasureStore(db);

  return {
    find: store.find,
    list: store.list,
    countUnfinished: store.countUnfinished,
    isServed: store.isServed,

    /** A robot of the org, or one that was removed from it. @throws conflict while it is connected */
    async beginRobot(orgId: string, robotId: string): Promise<Erasure> {
      if (await store.hasLink(orgId, robotId))
        throw conflict('the robot is connected: stop its agent, then erase the robot');
      return store.begin({ orgId, robotId });
    },

    /** Of any org. @throws not_found, conflict */
    async beginRobotOfAnyOrg(robotId: string): Promise<Erasure> {
      const orgId = isId(robotId) ? await store.findOrgOf(robotId) : undefined;
      if (orgId === undefined) throw notFound(`robot ${robotId}`);
      return this.beginRobot(orgId, robotId);
    },

    /** @throws not_found, conflict unless the org is suspended or pending */
    async beginOrg(id: string): Promise<Erasure> {
      return db.transaction(async (trx) => {
        if (isId(id)) await erasureStore(trx).holdOrg(id); // a resume waits, and then sees the erasure
        const org = await orgService(trx).get(id);
        if (org.status === 'approved')
          throw conflict(`the org is approved: suspend it first, by cli admin orgs suspend ${org.id}`);
        return erasureStore(trx).begin({ orgId: org.id, robotId: undefined });
      });
    },
  };
}

interface ErasureWork {
  log: Logger;
  blobs: BlobStore;
  objects: ObjectStore | undefined;
  bus: Pick<Bus, 'announcing'>;
}

/** Does what is requested, step by step. Every replica may run it at any time; each erasure is done by one of them. */
export function erasureWork(db: Knex, { log, blobs, objects, bus }: ErasureWork) {
  const [store, claims] = [erasureStore(db), erasureClaims(db)];

  /** As `deleteRobot`, if the robot is still there. */
  async function removeRobot({ id, orgId }: Erasure, robotId: string): Promise<void> {
    await inTransaction(db, async (trx) => {
      if (!(await robotService(trx).find(orgId, robotId))) return { result: undefined, closing: [] };
      await erasureStore(trx).settleAgain(id, orgId, robotId);
      const abandoned = await deploymentService(trx).abandon(orgId, robotId);
      await robotService(trx).delete(orgId, robotId);
      await rowRemover(trx, id).note('robots', 1);
      return { result: undefined, ...bus.announcing(trx, [{ topic: 'access_changed', orgId }, ...abandoned]) };
    });
  }

  async function pass(erasure: Erasure): Promise<PassResult> {
    const { id, orgId, robotId, waitsFor } = erasure;
    if (robotId === undefined) return eraseOrgOnce(db, { id, orgId, objects, blobs });
    await removeRobot(erasure, robotId);
    return eraseRobotOnce(db, { id, orgId, robotId, objects, waitedFor: waitsFor });
  }

  /** The entry has no personal data: it stays. The log of an org goes with the org. */
  async function finish({ id, orgId, robotId }: Erasure): Promise<void> {
    const finished = await db.transaction(async (trx) => {
      const found = await erasureStore(trx).finish(id);
      if (found && robotId !== undefined && (await erasureStore(trx).holdOrg(orgId)))
        await auditService(trx).record(orgId, {
          actor: { kind: 'system' },
          operation: 'eraseRobot',
          objectKind: 'robot',
          objectId: robotId,
          after: { erasure_id: id, removed: found.removed },
        });
      return found;
    });
    if (finished) log.info({ erasure: id, orgId, robotId, removed: finished.removed }, 'erased');
  }

  async function advance(claim: Claim, signal: AbortSignal | undefined): Promise<void> {
    let waitsFor: string[] = [];
    try {
      const erasure = await store.find(claim.id);
      if (!erasure) return;
      let result = await pass(erasure);
      while (result.removed > 0 && result.waitsFor.length === 0) {
        if (signal?.aborted) return;
        result = await pass(erasure);
      }
      ({ waitsFor } = result);
      if (waitsFor.length === 0) await finish(erasure);
    } catch (error) {
      waitsFor = [error instanceof Unavailable ? 'the object store' : 'an error: see the log of the service'];
      log.warn({ err: error, erasure: claim.id }, 'an erasure could not continue; retrying');
    } finally {
      await claim.release(waitsFor);
    }
  }

  return {
    /** `signal`: ends it after the current pass, for any replica to continue. */
    async run(signal?: AbortSignal): Promise<void> {
      const done: string[] = [];
      while (!signal?.aborted) {
        const claim = await claims.claim(done);
        if (!claim) return;
        await advance(claim, signal);
        done.push(claim.id);
      }
    },
  };
}
