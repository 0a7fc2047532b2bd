import { expect, test } from 'vitest';
import { setImmediate as turn } from 'node:timers/promises';
import { allowedUnavailable, disruptionBudgetService } from '../../src/disruption-budgets/service.ts';
import { factories } from '../support/factories.ts';
import { startWorld } from '../support/world.ts';

const path = '/api/disruption-budgets';

test('a budget is created, listed, read, changed and deleted', async () => {
  await using world = await startWorld();
  await factories(world).site('Osaka');
  const settings = { selector: '@site=Osaka', group_by: ['@fleet', 'hall'], max_unavailable: { percent: 10 } };
  const created = await world.call('POST', path, { body: { name: 'pickers', ...settings } });
  const budget = created.body.data;
  expect([created.status, budget]).toEqual([
    201,
    {
      id: expect.any(String),
      name: 'pickers',
      ...settings,
      created_at: expect.any(String),
      updated_at: budget.created_at,
    },
  ]);
  const other = await factories(world).budget({ min_available: { count: 3 }, max_unavailable: undefined });
  expect(other).toMatchObject({ group_by: [], min_available: { count: 3 } });
  expect((await world.call('GET', path)).body).toEqual({ items: [budget, other] });
  const own = `${path}/${budget.id}`;
  expect((await world.call('GET', own)).body.data).toEqual(budget);
  const changed = (await world.call('PATCH', own, { body: { min_available: { count: 1 }, selector: '' } })).body.data;
  const { id, name, group_by, created_at } = budget;
  const least = { min_available: { count: 1 } };
  expect(changed).toEqual({ id, name, group_by, created_at, ...least, updated_at: expect.any(String) });
  expect((await world.call('PATCH', own, { body: { name: 'all' } })).body.data).toMatchObject({
    name: 'all',
    min_available: { count: 1 },
  });
  expect((await world.call('DELETE', own)).status).toBe(200);
  expect(await world.call('GET', own)).toMatchObject({
    status: 404,
    body: { error: { message: 'disruption budget not found' } },
  });
  const { items } = (await world.call('GET', '/api/audit?limit=10')).body;
  expect(items.filter((entry: { object_kind: string }) => entry.object_kind === 'disruption_budget')).toHaveLength(5);
});

test.each([
  [{}, 'body: "max_unavailable" or "min_available" is required'],
  [{ max_unavailable: {} }, 'body.max_unavailable: needs either count or percent'],
  [{ max_unavailable: { count: 1, percent: 1 } }, 'body.max_unavailable: needs either count or percent'],
  [
    { max_unavailable: { count: 1 }, min_available: { count: 1 } },
    'body: max_unavailable and min_available exclude each other',
  ],
  [
    { max_unavailable: { count: 1 }, group_by: ['@release'] },
    'body.group_by: takes @site, @fleet and label keys such as zone, not "@release"',
  ],
  [{ max_unavailable: { count: 1 }, group_by: ['@site', 'Zone'] }, 'not "Zone"'],
  [{ max_unavailable: { count: 1 }, group_by: ['hall '] }, 'not "hall "'],
  [{ max_unavailable: { count: 1 }, group_by: ['a=b'] }, 'not "a=b"'],
  [{ max_unavailable: { count: 1 }, selector: '@site=Oskaa' }, 'body.selector: site "Oskaa" not found'],
  [{ max_unavailable: { count: 1 }, selector: 'a in (' }, 'body.selector'],
])('the budget %j is refused', async (settings, message) => {
  await using world = await startWorld();
  const refused = await world.call('POST', path, { body: { name: 'b', ...settings } });
  expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request']);
  expect(refused.body.error.message).toContain(message);
});

test('a budget of an earlier release whose key no label can have can be changed', async () => {
  await using world = await startWorld();
  const { id } = await factories(world).budget();
  await world
    .db('disruption_budgets')
    .where({ id })
    .update({ group_by: JSON.stringify(['Zone']) });
  const change = async (body: object) => (await world.call('PATCH', `${path}/${id}`, { body })).status;
  expect(await change({ max_unavailable: { count: 2 } })).toBe(200);
  expect(await change({ group_by: ['Zone'] })).toBe(400);
});

test('budgets whose selectors have names are read over one connection', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const { name } = await make.site();
  for (let count = 0; count < 20; count += 1) await make.budget({ selector: `@site=${name}` });
  const { pool } = world.db.client as { pool: { numUsed(): number } };
  let [most, isOver] = [0, false];
  const all = disruptionBudgetService(world.db)
    .all(world.orgId)
    .finally(() => (isOver = true));
  for (; !isOver; await turn()) most = Math.max(most, pool.numUsed());
  expect(await all).toHaveLength(20);
  expect(most).toBeLessThan(6); // others have some at times
});

test('an org has at most 20 budgets, and no two of one name', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const first = await make.budget({ name: 'One' });
  const body = { name: 'one', max_unavailable: { count: 1 } };
  expect(await world.call('POST', path, { body })).toMatchObject({
    status: 409,
    body: { error: { message: 'the org already has a disruption budget with this name' } },
  });
  for (let count = 1; count < 20; count += 1) await make.budget();
  const refused = await world.call('POST', path, { body: { ...body, name: 'two' } });
  expect(refused.body.error.message).toBe('the org has 20 disruption budgets; delete one first');
  expect((await world.call('DELETE', `${path}/${first.id}`)).status).toBe(200);
  expect((await world.call('POST', path, { body: { ...body, name: 'two' } })).status).toBe(201);
});

test('percentages are rounded up, so that a few of many robots may always be unavailable, and all of one', () => {
  const most = (max_unavailable: object, total: number) =>
    allowedUnavailable({ name: '', group_by: [], max_unavailable }, total);
  const least = (min_available: object, total: number) =>
    allowedUnavailable({ name: '', group_by: [], min_available }, total);
  expect([most({ percent: 10 }, 5), most({ percent: 10 }, 30), most({ percent: 0 }, 30)]).toEqual([1, 3, 0]);
  expect([most({ count: 2 }, 5), most({ count: 9 }, 5)]).toEqual([2, 5]);
  expect([least({ percent: 90 }, 5), least({ percent: 90 }, 30), least({ percent: 100 }, 3)]).toEqual([0, 3, 0]);
  expect([least({ count: 2 }, 5), least({ count: 9 }, 5)]).toEqual([3, 0]);
});
