import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseSelector } from '../../src/kernel/label-selector.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { rowsOf } from '../../src/platform/db/page.ts';
import { filterConditions } from '../../src/robots/filters.ts';
import type { RobotFilter } from '../../src/robots/model.ts';
import { unknownCondition } from '../../src/robots/unknown-robots.ts';
import { addRobotRows, idOfRow, upTo } from '../support/robot-rows.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

/** The plan of the first page of robots. */
async function planOf({ db, orgId }: World, filter: RobotFilter): Promise<string> {
  const literal = (value: unknown) => `'${String(value)}'`;
  const { isRetired, fleetId } = filter;
  const equal = { org_id: orgId, fleet_id: fleetId };
  const listing = { table: 'robots_now', columns: ['id'], also: await filterConditions(db, orgId, filter) };
  const page = { limit: 101 };
  if (filter.healthStatus === 'unknown')
    listing.also.push(await unknownCondition(db, { listing, filter: equal, isRetired }, page));
  const { where, by } = rowsOf(listing, equal, page, literal);
  const { rows } = await db.raw<{ rows: { 'QUERY PLAN': string }[] }>(
    `explain select id from robots_now where ${where} order by ${by} limit ${page.limit}`,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** Retires robots without another look at their conditions. */
const retire = ({ db }: World, ids: readonly string[]) =>
  db.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    await trx('robots')
      .whereIn('id', ids)
      .update({ replaced_by: idOfRow(1), retired_at: new Date() });
  });

test('few of many robots are found by an index, by health, condition, label or a part of the name', async () => {
  await using world = await startIsolatedWorld();
  await addRobotRows(world, upTo(5_000));
  const { db } = world;
  await db.raw(
    `update robot_status s set is_known = true, severity = 2, firing = array[c.id] from condition_rules c
      where c.org_id = s.org_id and c.name = 'emergency-stop' and s.robot_id = ?`,
    [idOfRow(7)],
  );
  await db.raw(`update robots set labels = '{"tier": "canary"}' where id = ?`, [idOfRow(8)]);
  await db.raw('vacuum analyze robots, robot_status');
  for (const [filter, index] of [
    [{ healthStatus: 'unhealthy' }, 'robot_status_ill'],
    [{ condition: 'emergency-stop' }, 'robot_status_firing'],
    [{ selector: parseSelector('label', 'tier=canary,floor notin (1,2)') }, 'robots_by_label'],
    [{ nameContains: 'r-4999' }, 'robots_by_name_part'],
    [{ nameContains: 'NONSENSE' }, 'robots_by_name_part'],
  ] as const) {
    const plan = await planOf(world, filter);
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan on robots');
  }
});

/** In the plan of a page: unknown robots are looked up, or found on the way through the list. */
const lookedUp = 'id = ANY ((InitPlan';
const inOrder = 'using robots_in_order';

test('few unknown robots are looked up, however many are offline and unhealthy, or retired', async () => {
  await using world = await startIsolatedWorld();
  await addRobotRows(world, upTo(10_000));
  await world.db.raw('vacuum analyze robots, robot_status');
  const filter = { healthStatus: 'unknown', isRetired: false } as const;
  expect(await planOf(world, filter)).not.toContain(lookedUp);
  const others = upTo(9_000).map(idOfRow);
  await world.db('robot_status').whereIn('robot_id', others).update({ severity: 2 });
  expect(await planOf(world, filter)).toContain(lookedUp);
  await world.db('robot_status').whereIn('robot_id', others).update({ severity: 0 });
  await retire(world, others);
  expect(await planOf(world, filter)).toContain(lookedUp);
});

test('many unknown robots are found in the order of the list, and looked up if none of them is near', async () => {
  await using world = await startIsolatedWorld();
  await addRobotRows(world, upTo(10_000));
  const { db, orgId } = world;
  const setKnown = async (isKnown: string) => {
    await db.raw(`update robot_status s set is_known = ${isKnown} from robots r
      where r.id = s.robot_id and r.org_id = '${orgId}'`);
    await db.raw('vacuum analyze robots, robot_status, robot_links');
  };
  await db('replicas').insert({ id: idOfRow(1), lease_until: db.raw(`now() + interval '1 hour'`) });
  await db.raw(
    `insert into robot_links (org_id, robot_id, epoch, replica_id, connected_at, last_seen_at, agent_version, boot_id, instance)
     select org_id, id, 1, ?, now(), now(), '1', 'boot', 'instance' from robots`,
    [idOfRow(1)],
  );
  const filter = { healthStatus: 'unknown' } as const;

  await setKnown(`substring(r.name from 5)::integer % 4 > 0`);
  const spread = await planOf(world, filter);
  expect(spread).toContain(inOrder);
  expect(spread).not.toMatch(/Hash|Sort/);

  await setKnown(`substring(r.name from 5)::integer <= 6000`);
  const atTheEnd = await planOf(world, filter);
  expect(atTheEnd).toContain(lookedUp);
  expect(atTheEnd).not.toContain(inOrder);
  expect(await planOf(world, { ...filter, nameContains: 'r-777' })).not.toContain(lookedUp);
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
      (link === 'none' ? [false] : [true, false]).flatMap((isKnown) =>
        [false, true].map((isRetired) => ({ link, severity, isKnown, isRetired })),
      ),
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
      ...robot,
      epoch: 1,
      agent_version: '1',
      boot_id: 'boot',
      instance: 'instance',
      connected_at: new Date(),
      last_seen_at: new Date(),
      replica_id: link === 'live' ? live : link === 'lapsed' ? lapsed : null,
    });
  }
  await retire(
    world,
    combinations.flatMap(({ isRetired }, index) => (isRetired ? [idOfRow(index + 1)] : [])),
  );
  const list = async (query: string) => {
    const { body } = await world.call('GET', `/api/robots?${query}`);
    return body.items as { name: string; health_status: string }[];
  };
  const everyId = `id=${upTo(combinations.length).map(idOfRow).join(',')}`;
  for (const [query, count] of [
    ['retired=false', combinations.length / 2],
    ['retired=true', combinations.length / 2],
    [everyId, combinations.length],
  ] as const) {
    const all = await list(query);
    expect(all).toHaveLength(count);
    const seen = new Set<string>();
    for (const status of ['healthy', 'degraded', 'unhealthy', 'unknown']) {
      const found = await list(`${query}&health_status=${status}`);
      expect(found.map(({ name }) => name)).toEqual(
        all.filter(({ health_status: shown }) => shown === status).map(({ name }) => name),
      );
      if (found.length > 0) seen.add(status);
    }
    expect(seen.size).toBe(4);
  }
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
