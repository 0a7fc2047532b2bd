import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { noCounts } from '../../src/log-stats/model.ts';
import { logStatService } from '../../src/log-stats/service.ts';
import { daysAgoMs } from '../support/log-counts.ts';
import { startIsolatedWorld } from '../support/world.ts';

test('an org whose counts cannot be moved holds up no other', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const stats = logStatService(db);
  const counts = { ...noCounts(), lines: 1, robotId: randomUUID(), fleetId: randomUUID(), source: 'nav' };
  const broken = '00000000-0000-4000-8000-000000000000'; // its turn is first
  for (const each of [broken, orgId]) await stats.add(each, [{ ...counts, slotAtMs: daysAgoMs(3) }]);
  const none = { fleet_ids: db.raw('array[null]::uuid[]') };
  await db('log_stats_pending').where({ org_id: broken }).update(none);
  await expect(stats.rollUp({ isAllDue: true })).rejects.toThrow('null value');
  expect(await db('log_stats').where({ org_id: orgId })).toHaveLength(2);
});
