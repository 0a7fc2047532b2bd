import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseSelector } from '../../src/kernel/label-selector.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { filterConditions } from '../../src/robots/filters.ts';
import { addRobotRows, idOfRow, upTo } from '../support/robot-rows.ts';
import { startIsolatedWorld } from '../support/world.ts';

test('few of many robots are found by an index, by health, condition, label or a part of the name', async () => {
  await using world = await startIsolatedWorld();
  await addRobotRows(world, upTo(5_000));
  const { db, orgId } = world;
  await db.raw(
    `update robot_status s set is_known = true, severity = 2, firing = array[c.id] from condition_rules c
      where c.org_id = s.org_id and c.name = 'emergency-stop' and s.robot_id = ?`,
    [idOfRow(7)],
  );
  await db.raw(`update robots set labels = '{"tier": "canary"}' where id = ?`, [idOfRow(8)]);
  await db.raw('vacuum analyze robots, robot_status');
  const planOf = async (filter: Parameters<typeof filterConditions>[2]) => {
    const literal = (value: unknown) => `'${String(value)}'`;
    const conditions = (await filterConditions(db, orgId, filter)).map((condition) => condition(literal));
    const where = [`org_id = '${orgId}'`, ...conditions].join(' and ');
    const { rows } = await db.raw<{ rows: { 'QUERY PLAN': string }[] }>(
      `explain select id from robots_now where ${where} order by created_at, id limit 101`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  for (const [filter, index] of [
    [{ healthStatus: 'unhealthy' }, 'robot_status_ill'],
    [{ condition: 'emergency-stop' }, 'robot_status_firing'],
    [{ selector: parseSelector('label', 'tier=canary,floor notin (1,2)') }, 'robots_by_label'],
    [{ nameContains: 'r-4999' }, 'robots_by_name_part'],
    [{ nameContains: 'NONSENSE' }, 'robots_by_name_part'],
  ] as const) {
    const plan = await planOf(filter);
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan on robots');
  }
});

test('a robot is found by any part of its name, however short, in any case and composition', async () => {
  await using world = await startIsolatedWorld();
  await addRobotRows(world, upTo(30));
  await world
    .db('robots')
    .where({ id: idOfRow(3) })
    .update({ name: 'Zürich_%\\ 7' });
  const found = async (text: string) => {
    const { body } = await world.call('GET', `/api/robots?q=${encodeURIComponent(text)}`);
    return body.items.map(({ name }: { name: string }) => name);
  };
  expect(await found('29')).toEqual(['amr-29']);
  expect(await found('R-30')).toEqual(['amr-30']);
  for (const text of ['z', 'ü', 'u\u0308', 'ZÜ', 'rich_', '%', '\\', 'Zürich_%\\ 7'])
    expect(await found(text)).toEqual(['Zürich_%\\ 7']);
  expect(await found('zx')).toEqual([]);
  expect(await found('amr-29 ')).toEqual([]);
});

test('the filter by health finds the robots that show it, in every combination of link, values and conditions', async () => {
  await using world = await startIsolatedWorld();
  const combinations = ['live', 'left', 'lapsed', 'none'].flatMap((link) =>
    // A robot that never had a link has sent no values.
    [0, 1, 2].flatMap((severity) =>
      (link === 'none' ? [false] : [true, false]).map((isKnown) => ({ link, severity, isKnown })),
    ),
  );
  await addRobotRows(world, upTo(combinations.length));
  const { db, orgId } = world;
  const lease = (offset: string) =>
    db('replicas')
      .insert({ id: randomUUID(), lease_until: db.raw(`now() + interval '${offset}'`) })
      .returning('id');
  const [live, lapsed] = [(await lease('1 hour'))[0]?.id as string, (await lease('-1 minute'))[0]?.id as string];
  for (const [index, { link, severity, isKnown }] of combinations.entries()) {
    const robot = { org_id: orgId, robot_id: idOfRow(index + 1) };
    await db('robot_status').where(robot).update({ severity, is_known: isKnown });
    if (link === 'none') continue;
    await db('robot_links').insert({
      ...{ ...robot, epoch: 1, agent_version: '1', boot_id: 'boot', instance: 'instance' },
      ...{ connected_at: new Date(), last_seen_at: new Date() },
      replica_id: link === 'live' ? live : link === 'lapsed' ? lapsed : null,
    });
  }
  const list = async (query: string) => {
    const { body } = await world.call('GET', `/api/robots${query}`);
    return body.items as { name: string; health_status: string }[];
  };
  const all = await list('');
  expect(all).toHaveLength(combinations.length);
  const seen = new Set<string>();
  for (const status of ['healthy', 'degraded', 'unhealthy', 'unknown']) {
    const found = await list(`?health_status=${status}`);
    expect(found.map(({ name }) => name)).toEqual(
      all.filter(({ health_status: shown }) => shown === status).map(({ name }) => name),
    );
    if (found.length > 0) seen.add(status);
  }
  expect(seen.size).toBe(4);
});

test('looking up the names in a selector takes one connection', async () => {
  await using world = await startIsolatedWorld();
  const db = openDatabase(world.connection);
  try {
    const { pool } = db.client as { pool: { on(event: 'acquireRequest' | 'release', listener: () => void): void } };
    let [wanted, most] = [0, 0];
    pool.on('acquireRequest', () => (most = Math.max(most, (wanted += 1))));
    pool.on('release', () => (wanted -= 1));
    const selector = parseSelector('label', '@site=Osaka,@site!=Kyoto,@fleet in (a,b),@release=nav-1,@release=nav-2');
    expect(await filterConditions(db, world.orgId, { selector })).toHaveLength(5);
    expect(most).toBe(1);
  } finally {
    await db.destroy();
  }
});
