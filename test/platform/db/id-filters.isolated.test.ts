import { expect, test } from 'vitest';
import { addRobotRows, upTo } from '../../support/robot-rows.ts';
import { startIsolatedWorld } from '../../support/world.ts';

test('both filters read rows by an index, however small the page', async () => {
  await using world = await startIsolatedWorld();
  await addRobotRows(world, upTo(5_000));
  await world.db.raw('analyze robots');
  const { rows } = await world.db.raw<{ rows: { 'QUERY PLAN': string }[] }>(
    `explain select id from robots_now where org_id = ? and id = any(array(select id from robots_now where org_id = ?
       and (reverse(id::text) collate "C") >= 'f000' and (reverse(id::text) collate "C") < 'f000g' limit 1001))
     order by created_at, id limit 3`,
    [world.orgId, world.orgId],
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('robots_by_id_end');
  expect(plan).toMatch(/robots_pkey|robots_in_order/);
  expect(plan).not.toContain('Seq Scan on robots');
});
