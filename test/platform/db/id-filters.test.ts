import { expect, test } from 'vitest';
import { addRobotRows, idOfRow, upTo } from '../../support/robot-rows.ts';
import { startWorld } from '../../support/world.ts';

const namesIn = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);

test('a list is narrowed to the IDs of a query, in its own order; unknown ones are left out', async () => {
  await using world = await startWorld();
  await addRobotRows(world, upTo(20));
  const asked = [idOfRow(7), idOfRow(3), idOfRow(0xffff)].join(',');
  expect(namesIn((await world.call('GET', `/api/robots?id=${asked}`)).body)).toEqual(['amr-3', 'amr-7']);
  const page = await world.call('GET', `/api/robots?id=${asked}&limit=1`);
  expect(namesIn(page.body)).toEqual(['amr-3']);
  const next = await world.call('GET', `/api/robots?id=${asked}&limit=1&cursor=${page.body.next_cursor}`);
  expect(next.body).toMatchObject({ items: [{ name: 'amr-7' }] });
  expect(next.body.next_cursor).toBeUndefined();
});

test('the IDs of another org select nothing', async () => {
  await using world = await startWorld();
  await addRobotRows(world, upTo(2));
  await using other = await startWorld();
  expect((await other.call('GET', `/api/robots?id=${idOfRow(1)}`)).body.items).toEqual([]);
  expect((await other.call('GET', '/api/robots?id_end=0001')).body.items).toEqual([]);
});

test('a list is narrowed to the last digits of an ID, together with its other filters', async () => {
  await using world = await startWorld();
  await addRobotRows(world, [...upTo(20), 0x1_000e, 0x1_000f, 0x1_0010]);
  const end = async (query: string) => namesIn((await world.call('GET', `/api/robots?id_end=${query}`)).body);
  expect(await end('000f&limit=10')).toEqual(['amr-15', 'amr-65551']);
  expect(await end('0001000f')).toEqual(['amr-65551']);
  expect(await end('00000000000f')).toEqual(['amr-15']);
  expect(await end('000f&name=amr-15')).toEqual(['amr-15']);
  expect(await end('abcdef012345')).toEqual([]);
});

test('every list of objects with IDs takes both filters', async () => {
  await using world = await startWorld();
  const lists = ['robots', 'sites', 'fleets', 'releases', 'configs', 'users', 'enrollment-keys', 'tokens'];
  const orders = ['deployments', 'configs/deployments', 'rollout-policies'];
  const others = ['shell-sessions', 'condition-rules', 'maintenance-windows'];
  for (const list of [...lists, ...orders, ...others]) {
    for (const filter of [`id=${idOfRow(1)}`, 'id_end=00000001']) {
      const { status, body } = await world.call('GET', `/api/${list}?${filter}&limit=2`);
      expect([list, status, body]).toEqual([list, 200, { items: [] }]);
    }
  }
});

test.each([
  ['id=amr-7', 'id'],
  [`id=${idOfRow(1)},`, 'id'],
  [`id=${Array.from({ length: 101 }, (_, index) => idOfRow(index)).join(',')}`, '1 to 100 IDs'],
  ['id_end=00f', '4 to 12'],
  ['id_end=000F', 'lower-case'],
])('the filter %s is refused', async (query, part) => {
  await using world = await startWorld();
  const { status, body } = await world.call('GET', `/api/sites?${query}`);
  expect(status).toBe(400);
  expect(body.error.message).toContain(part);
});
