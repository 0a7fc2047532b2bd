import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { startWorld, type World } from '../support/world.ts';

const set = (world: World, body: object | string, token?: string) =>
  world.call('POST', '/api/configs', { body, token });

test('a key that is set is listed with its value, and each set makes a revision', async () => {
  await using world = await startWorld();
  const first = await set(world, { key: 'nav.max_speed', value: 1.2 });
  expect(first.status).toBe(200);
  expect(first.body.data).toMatchObject({ namespace: 'default', key: 'nav.max_speed', value: 1.2, revision: 1 });
  const again = await set(world, { key: 'nav.max_speed', value: 1.2 });
  expect(again.body.data).toMatchObject({ id: first.body.data.id, revision: 2 });
  const other = await set(world, { key: 'nav.max_speed', namespace: 'warehouse', value: null });
  expect(other.body.data).toMatchObject({ revision: 1, value: null });
  expect((await world.call('GET', '/api/configs')).body.items).toEqual([again.body.data, other.body.data]);
  expect((await world.call('GET', '/api/configs?namespace=warehouse')).body.items).toEqual([other.body.data]);
  expect((await world.call('GET', '/api/configs?key=nav.speed')).body.items).toEqual([]);
  const { items } = (await world.call('GET', `/api/config-revisions?config_id=${first.body.data.id}`)).body;
  expect(items.map(({ revision }: { revision: number }) => revision)).toEqual([1, 2]);
});

const values: Record<string, unknown> = {
  null: null,
  false: false,
  'an empty text': '',
  'a text with every kind of character': '"\\/\b\f\n\r\t\u2028\u{1f916}é\u007f',
  zero: 0,
  'the largest integer': 2 ** 53 - 1,
  'a small fraction': 5e-324,
  'a fraction with all its digits': 0.1 + 0.2,
  'an empty object': {},
  'a nested object': { a: [1, { b: [null, true] }], '': 0, 'a b': 'c', toString: 1, '10': 1, '2': 2 },
  'a list of lists': [[[[]]], []],
};

test('every kind of value comes back as it was set, in every list', async () => {
  await using world = await startWorld();
  for (const [name, value] of Object.entries(values)) {
    const { data } = (await set(world, { key: name, value })).body;
    expect(data.value, name).toEqual(value);
    const { items } = (await world.call('GET', `/api/config-revisions?config_id=${data.id}`)).body;
    expect(items[0].value, name).toEqual(value);
  }
  const { items } = (await world.call('GET', '/api/configs')).body;
  expect(items.map(({ value }: { value: unknown }) => value)).toEqual(Object.values(values));
});

test('lists give the text of a value as it is kept, numbers beyond a double included', async () => {
  await using world = await startWorld();
  await factories(world).config();
  await world
    .db('configs')
    .where({ org_id: world.orgId })
    .update({ value: '{"a": 1e400, "b":1152921504606846977,"b":1.10}' });
  expect((await world.call('GET', '/api/configs')).text).toContain(
    '"value":{"a": 1e400, "b":1152921504606846977,"b":1.10}',
  );
});

const refused: [what: string, body: object | string, message: string][] = [
  ['a reserved namespace', { key: 'k', namespace: 'agent', value: 1 }, 'body.namespace: "agent" is reserved'],
  ['the other reserved namespace', { key: 'k', namespace: 'system', value: 1 }, 'body.namespace: "system" is reserved'],
  ['no value', { key: 'k' }, 'body: "value" is required'],
  ['a value over 64 KiB', { key: 'k', value: 'x'.repeat(65_535) }, 'body.value: larger than 65536 bytes as JSON'],
  [
    'a value over 64 KiB in UTF-8',
    { key: 'k', value: 'é'.repeat(32_768) },
    'body.value: larger than 65536 bytes as JSON',
  ],
  ['a name of JavaScript', '{"key":"k","value":{"__proto__":1}}', 'body: the name "__proto__" is not allowed'],
  [
    'an integer beyond 2^53',
    '{"key":"k","value":[9007199254740993]}',
    'body: the number 9007199254740993 is beyond 2^53',
  ],
  ['a number beyond a double', '{"key":"k","value":-1e400}', 'body: the number -1e400 is beyond 2^53'],
  [
    'an integer of 9,999 digits',
    `{"key":"k","value":${'9'.repeat(9999)}}`,
    `body: the number ${'9'.repeat(40)}… is beyond 2^53`,
  ],
  ...[
    '1.00000000000000000001',
    '0.1234567890123456789',
    '1e-400',
    '1.2345678e-320',
    '4503599627370497.3',
    '3.14159265358979324',
  ].map((number): [string, string, string] => [
    `a number with more digits than a double has, ${number}`,
    `{"key":"k","value":{"a":[${number}]}}`,
    `body: the number ${number} has more digits than can be stored; send it as a string`,
  ]),
  ['a name given twice', '{"key":"k","value":{"a":1,"b":{"a":2},"\\u0061":3}}', 'body: the name "a" occurs twice'],
  ['a field given twice', '{"key":"k","value":1, "key" :"l"}', 'body: the name "key" occurs twice'],
  [
    'a key of no text',
    { key: ' k', value: 1 },
    'body.key: must not begin or end with white space, nor hold control characters',
  ],
  [
    'a namespace in capitals',
    { key: 'k', namespace: 'Nav', value: 1 },
    'body.namespace: must be 1 to 64 of `a-z 0-9 . _ -`, the first a letter or a digit',
  ],
  ['half a surrogate pair', '{"key":"k","value":"\\ud800"}', 'body: a string contains half of a surrogate pair'],
];

test('what is no value, no name of a namespace or no JSON of ours is refused with a sentence, and nothing is set', async () => {
  await using world = await startWorld();
  for (const [what, body, message] of refused) {
    const answer = await set(world, body);
    expect([answer.status, answer.body.error], what).toEqual([400, { code: 'bad_request', message }]);
  }
  expect(await world.count('configs')).toBe(0);
});

test('numbers that a double keeps are taken however they are written, and names that only look alike', async () => {
  await using world = await startWorld();
  const taken = [
    '1.20',
    '-1.0',
    '0.10000000000000001',
    '0.30000000000000004',
    '9007199254740991',
    '-9007199254740991.0',
    '5e-324',
    '1E+2',
    '2.2250738585072014e-308',
    '0e999',
    '4.9406564584124654e-324',
    '0.000000000000000000000000001',
    '1000000.000000000000000000000',
  ];
  const names = JSON.stringify([
    { a: { a: 1 }, A: ['a', 'a'], '': 0, '\\': 1, '\\"': 2, '\\\\"': 3 },
    { a: 1 },
    { a: 1 },
  ]);
  const value = `[${taken.join(', ')}, ${names}]`;
  const { status, body } = await set(world, `{"key":"k","value":${value}}`);
  expect([status, body.error]).toEqual([200, undefined]);
  expect(body.data.value).toEqual(JSON.parse(value));
});

test('a value of exactly 64 KiB is taken', async () => {
  await using world = await startWorld();
  expect((await set(world, { key: 'k', value: 'x'.repeat(65_534) })).status).toBe(200);
});

test('fifty callers that set one key at once make fifty revisions, each with the value of its caller', async () => {
  await using world = await startWorld();
  const answers = await Promise.all(Array.from({ length: 50 }, (_, value) => set(world, { key: 'k', value })));
  const made = answers.map(({ body }) => body.data as { id: string; revision: number; value: number });
  expect(made.map(({ revision }) => revision).sort((one, other) => one - other)).toEqual(
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
  const { items } = (await world.call('GET', `/api/config-revisions?config_id=${made[0]?.id ?? ''}`)).body;
  const byRevision = made.sort((one, other) => one.revision - other.revision);
  expect(items.map(({ value }: { value: number }) => value)).toEqual(byRevision.map(({ value }) => value));
  expect((await world.call('GET', '/api/configs')).body.items).toEqual([
    expect.objectContaining({ revision: 50, value: byRevision[49]?.value }),
  ]);
});

test('pages of revisions join in their order, and take no cursor of another list', async () => {
  await using world = await startWorld();
  const ids = [];
  for (let value = 1; value <= 12; value += 1) ids.push((await set(world, { key: 'k', value })).body.data.id);
  const path = `/api/config-revisions?config_id=${ids[0]}&limit=5`;
  const seen: number[] = [];
  let cursor = '';
  do {
    const { items, next_cursor: next = '' } = (await world.call('GET', `${path}${cursor && `&cursor=${cursor}`}`)).body;
    seen.push(...items.map(({ revision }: { revision: number }) => revision));
    cursor = next;
  } while (cursor !== '');
  expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));

  await set(world, { key: 'other', value: 1 });
  const foreign = (await world.call('GET', '/api/configs?limit=1')).body.next_cursor as string;
  const own = (await world.call('GET', path)).body.next_cursor as string;
  for (const address of [`${path}&cursor=${foreign}`, `/api/configs?limit=1&cursor=${own}`])
    expect((await world.call('GET', address)).body.error).toEqual({
      code: 'bad_request',
      message: 'cursor: not a next_cursor of this list',
    });
});

test('pages of large values are cut at 8 MiB, and join without loss', async () => {
  await using world = await startWorld();
  const { id } = (await set(world, { key: 'k0', value: 1 })).body.data as { id: string };
  const large = `to_json(repeat('x', 65534))::text`; // 64 KiB
  await world.db.raw(
    `insert into configs (org_id, id, namespace, key, revision, value, created_at)
       select ?, gen_random_uuid(), 'default', 'k' || n, 1, ${large}, now() + n * interval '1 ms' from generate_series(1, 149) n`,
    [world.orgId],
  );
  await world.db.raw(
    `insert into config_revisions (org_id, config_id, revision, id, value)
       select ?, ?, n, gen_random_uuid(), ${large} from generate_series(2, 150) n`,
    [world.orgId, id],
  );
  const keys = Array.from({ length: 150 }, (_, n) => `k${n}`);
  const revisions = keys.map((_, n) => n + 1);
  for (const [path, field, expected] of [
    ['/api/configs?', 'key', keys],
    [`/api/config-revisions?config_id=${id}&`, 'revision', revisions],
  ] as const) {
    const pages: unknown[][] = [];
    let cursor = '';
    do {
      const { text, body } = await world.call('GET', `${path}limit=1000${cursor && `&cursor=${cursor}`}`);
      expect(text.length).toBeLessThan(9_000_000);
      pages.push(body.items.map((item: Record<string, unknown>) => item[field]));
      cursor = body.next_cursor ?? '';
    } while (cursor !== '');
    // 8 MiB are 128 values of 64 KiB; the first page also has the small one.
    expect(pages.map(({ length }) => length)).toEqual([128, 22]);
    expect(pages.flat()).toEqual(expected);
    const { items } = (await world.call('GET', path.slice(0, -1))).body;
    expect(items.map((item: Record<string, unknown>) => item[field])).toEqual(expected);
  }
});

test('the audit log tells who set which revision, and not the value', async () => {
  await using world = await startWorld();
  await set(world, { key: 'k', value: 'a secret of the robots' });
  const { text, body } = await world.call('GET', '/api/audit?operation=setConfig');
  expect(body.items[0]).toMatchObject({
    object_kind: 'config',
    after: { namespace: 'default', key: 'k', revision: 1 },
  });
  expect(text).not.toContain('a secret');
});
