import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { artifactStorage } from '../../src/artifacts/service.ts';
import { readConfig } from '../../src/config.ts';
import { logPartitions } from '../../src/logs/partitions.ts';
import { maintenance } from '../../src/maintenance.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { timePartitions } from '../../src/platform/db/time-partitions.ts';
import { daysAgoMs } from '../support/log-counts.ts';
import { startIsolatedWorld } from '../support/world.ts';

test('while a clock is wrong by more than a day, partitions are created and nothing old is deleted', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId, dataDir, lines } = world;
  const at = new Date(daysAgoMs(500));
  const robotId = randomUUID();
  await db('timeline').insert({ org_id: orgId, robot_id: robotId, id: randomUUID(), seq: 1, at, kind: 'k' });
  await db('idempotency_keys').insert({
    org_id: orgId,
    operation: 'createSite',
    key: 'k',
    fingerprint: Buffer.from(''),
    created_at: at,
  });
  const ages = async () => [
    await world.count('timeline'),
    await world.count('idempotency_keys'),
    await logPartitions(db).list(),
    await timePartitions(db, 'robot_metric_blocks').list(),
  ];
  await logPartitions(db).drop(await logPartitions(db).list());
  await logPartitions(db).make([at.getTime()]);
  await timePartitions(db, 'robot_metric_blocks').make([at.getTime()]);
  const ahead = [0, -1, -2].map(daysAgoMs);

  let aheadMs = 0;
  const { run } = maintenance({
    db,
    log: createLogger('warn', [], (line) => void lines.push(line)),
    artifacts: await artifactStorage({ dataDir, s3: undefined }),
    config: readConfig({}),
    nowMs: () => Date.now() + aheadMs,
  });
  const warnings = () => lines.filter((line) => line.includes('clocks of the database and of this machine differ'));
  for (aheadMs of [-27e9, 90_000_000]) {
    await run();
    expect(await ages()).toEqual([1, 1, [at.getTime(), ...ahead], [at.getTime(), ...ahead]]);
  }
  expect(warnings()).toHaveLength(1);
  aheadMs = 80_000_000;
  await run();
  expect(await ages()).toEqual([0, 0, ahead, ahead]);
  aheadMs = 90_000_000;
  await run();
  expect(warnings()).toHaveLength(2);
});
