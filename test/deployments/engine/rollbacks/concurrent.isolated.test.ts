import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { rollbackService } from '../../../../src/deployments/api/rollbacks.ts';
import { inTransaction } from '../../../../src/platform/db/transaction.ts';
import { startIsolatedDeploymentWorld } from '../support.ts';
import { apply, reaches } from './support.ts';

/** Lets something happen before each statement that reads what was decided, but for the first. */
function interrupted(trx: Knex, happen: () => Promise<unknown>): Knex {
  let reads = 0;
  const raw = async (sql: string, bindings: Knex.ValueDict) => {
    if (sql.includes('from rollback_robots') && (reads += 1) > 1) await happen();
    return trx.raw<unknown>(sql, bindings);
  };
  return new Proxy(trx, {
    get: (target, name) => (name === 'raw' ? raw : (Reflect.get(target, name) as unknown)),
  });
}

test('a rollback that is requested again while it is decided counts each robot once', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { db, world } = it;
  const links = await it.robots(2);
  await apply(it, links, { fleet: it.fleetId });
  const { deployment: id } = await apply(it, links, { fleet: it.fleetId });
  const wish = { reason: 'robots lose their map', signatures: [] };
  const request = (trx: Knex) => rollbackService(trx).request(world.orgId, 'release', id, wish);
  const decideAt = (time: Knex.Value | Knex.Raw, on: Knex = db) =>
    on('deployments').where({ id }).update({ decide_at: time });
  await inTransaction(db, async (trx) => {
    await request(trx);
    await decideAt('2100-01-01', trx);
    return { result: undefined, closing: [] };
  });
  const decide = async () => {
    await decideAt(db.fn.now());
    await reaches(it, id, 1);
  };
  const { view } = await db.transaction((trx) => request(interrupted(trx, decide)));
  expect(view.returns.map(({ robots }) => robots)).toEqual([2]);
  await decide();
  const { view: decided } = await db.transaction(request);
  expect(decided.returns).toMatchObject([{ robots: 2, deployment_id: expect.any(String) as string }]);
});
