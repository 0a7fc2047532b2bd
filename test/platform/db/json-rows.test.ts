import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { jsonRows } from '../../../src/platform/db/json-rows.ts';
import { startWorld } from '../../support/world.ts';

test('a robot of a list is the robot that its own address gives, whatever its name, labels and instant', async () => {
  await using world = await startWorld();
  const id = randomUUID();
  await world.db('sites').insert({ org_id: world.orgId, id, name: 'site' });
  await world.db('fleets').insert({ org_id: world.orgId, id, site_id: id, name: 'fleet' });
  const names = ['plain', 'a "quoted" \\ one', 'line\nfeed\ttab \u0001', 'é 日本 🤖', '{}', "it's"];
  const fractions = ['', '.1', '.12', '.123', '.04', '.005'];
  await world.db('robots').insert(
    names.map((name, index) => ({
      org_id: world.orgId,
      id: randomUUID(),
      name,
      site_id: id,
      fleet_id: id,
      enrollment_key_id: id,
      labels: JSON.stringify(index % 2 === 0 ? {} : { [name]: name }),
      created_at: `2026-11-21 09:00:0${index}${fractions[index]}+00`,
    })),
  );
  const page = await world.call('GET', '/api/robots?limit=5');
  const whole = await world.call('GET', '/api/robots');
  expect(whole.body.items.map((robot: { name: string }) => robot.name)).toEqual(names);
  expect(page.body.items).toEqual(whole.body.items.slice(0, 5));
  for (const robot of whole.body.items)
    expect((await world.call('GET', `/api/robots/${robot.id}`)).body.data).toEqual(robot);
  const rest = await world.call('GET', `/api/robots?limit=5&cursor=${page.body.next_cursor}`);
  expect(rest.body).toEqual({ items: whole.body.items.slice(5) });
});

test('every type of column has its JSON, null is left out, and a type without JSON fails the statement', async () => {
  await using world = await startWorld();
  const read = (fields: string) => jsonRows(world.db, { sql: `select ${fields} where $1 = 1`, bindings: [1] });
  const { objects } = await read(
    `'${world.orgId}'::uuid as id, 'a"b'::text as name, null::text as missing, true as yes, false as no, 7::int2 as small,
     8::int4 as middle, 9007199254740991::int8 as large, '{"a": [1, null]}'::jsonb as tree, timestamptz '2026-11-21 09:00:00.5+00' as at`,
  );
  expect(objects.map((object) => JSON.parse(object) as unknown)).toEqual([
    {
      id: world.orgId,
      name: 'a"b',
      yes: true,
      no: false,
      small: 7,
      middle: 8,
      large: 9007199254740991,
      tree: { a: [1, null] },
      at: '2026-11-21T09:00:00.500Z',
    },
  ]);
  await expect(read("'1.5'::numeric as odd")).rejects.toThrow('no JSON for a column of type 1700');
  expect((await read('1 as one')).objects).toEqual(['{"one":1}']); // the connection is as good as before
});
