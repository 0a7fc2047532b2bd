import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../support/arbitraries.ts';
import { records, startLogWorld, type LogWorld } from './support.ts';

/** What is read of a record that was sent as this. */
async function roundTrip(logs: LogWorld, sent: readonly object[]): Promise<Record<string, unknown>[]> {
  const link = await logs.robot();
  const outcome = await logs.send(
    link,
    sent.map((each, index) => ({ ...each, seq: index + 1 })),
  );
  expect(outcome).toEqual({ kind: 'stored', spool: 'spool', seq: sent.length });
  const items = await logs.all(link.robotId);
  const ours = ['seq', 'robot_id', 'received_at'];
  return items.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => !ours.includes(name))));
}

const plain = { level: 'info', source: 'journal', message: 'm' };

test('an odd record is kept as well as it can be', async () => {
  await using logs = await startLogWorld();
  const cases: [sent: object, kept: object][] = [
    [{}, { level: 'info', source: 'unknown', message: '' }],
    [{ ...plain, level: 'LOUD' }, plain],
    [
      { ...plain, level: 'FATAL' },
      { ...plain, level: 'fatal' },
    ],
    [
      { ...plain, level: 'Warning' },
      { ...plain, level: 'warn' },
    ],
    [{ ...plain, level: 'constructor' }, plain],
    [{ ...plain, level: ['error'] }, plain],
    [
      { ...plain, source: '' },
      { ...plain, source: 'unknown' },
    ],
    [
      { ...plain, source: '🤖'.repeat(200) },
      { ...plain, source: '🤖'.repeat(128) },
    ],
    [
      { ...plain, message: { a: [1, null] } },
      { ...plain, message: '{"a":[1,null]}' },
    ],
    [
      { ...plain, message: 7 },
      { ...plain, message: '7' },
    ],
    [
      { ...plain, message: null },
      { ...plain, message: 'null' },
    ],
    [
      { ...plain, message: 'a\0b\ud800c\\u0000\udc00' },
      { ...plain, message: 'a\ufffdb\ufffdc\\u0000\ufffd' },
    ],
    [
      { ...plain, message: 'line\nline\r\u2028\u001b[31m' },
      { ...plain, message: 'line\nline\r\u2028\u001b[31m' },
    ],
    [
      { ...plain, type: 'gap', dropped: 132, reason: 'quota' },
      { ...plain, type: 'gap', dropped: 132, reason: 'quota' },
    ],
    [{ ...plain, type: 'other', dropped: -1, reason: 3, unit: 5, pid: 1.5, node: [] }, plain],
    [
      { ...plain, unit: 'u', pid: 0, node: '/nav', truncated: true },
      { ...plain, unit: 'u', pid: 0, node: '/nav', truncated: true },
    ],
    [
      { ...plain, fields: { 'a\0': '\udfff', __proto: 1 } },
      { ...plain, fields: { 'a\ufffd': '\ufffd', __proto: 1 } },
    ],
    [
      { ...plain, fields: 'text' },
      { ...plain, fields_dropped: true },
    ],
    [
      { ...plain, fields: [1] },
      { ...plain, fields_dropped: true },
    ],
    [
      { ...plain, fields: { a: 'é'.repeat(5_000) } },
      { ...plain, fields_dropped: true },
    ],
    [
      { ...plain, fields: deep(33) },
      { ...plain, fields_dropped: true },
    ],
    [
      { ...plain, fields: deep(31) },
      { ...plain, fields: deep(31) },
    ],
    [{ ...plain, boot_id: 'b', constructor: { prototype: 1 }, robot_id: 'mine', received_at: 'never' }, plain],
  ];
  const kept = await roundTrip(
    logs,
    cases.map(([sent]) => sent),
  );
  kept.forEach((each, index) => expect([index, each]).toEqual([index, cases[index]?.[1]]));
});

const deep = (depth: number): object => (depth === 0 ? {} : { a: deep(depth - 1) });

test('the clock of the robot is data: 1970, 2038 and 2100 are kept as they were said, and what is no instant is left out', async () => {
  await using logs = await startLogWorld();
  const said = [
    '1970-01-01T00:00:00Z',
    '2038-01-19T03:14:08.000001Z',
    '2100-01-01T00:00:00Z',
    '9999-12-31T23:59:59+14:00',
  ];
  const wrong = ['yesterday', '2026-11-21 09:00:00', 1_763_716_800, null, '1969-12-31T23:59:59Z', '2'.repeat(1_000)];
  const kept = await roundTrip(
    logs,
    [...said, ...wrong].map((ts) => ({ ...plain, ts })),
  );
  expect(kept.map(({ ts }) => ts)).toEqual([...said, ...wrong.map(() => undefined)]);
});

test('a message over 16 KiB is cut between two characters, and marked', async () => {
  await using logs = await startLogWorld();
  const texts = [
    'a'.repeat(16_384),
    'a'.repeat(16_385),
    'é'.repeat(9_000),
    `a${'🤖'.repeat(5_000)}`,
    '\ud800'.repeat(6_000),
    'b'.repeat(1_048_576),
  ];
  const kept = await roundTrip(
    logs,
    texts.map((message) => ({ ...plain, message })),
  );
  expect(kept.map(({ truncated }) => truncated)).toEqual([undefined, true, true, true, true, true]);
  expect(kept.map(({ message }) => Buffer.byteLength(message as string))).toEqual([
    16_384, 16_384, 16_384, 16_381, 16_383, 16_384,
  ]);
  expect(kept[3]?.['message']).toBe(`a${'🤖'.repeat(4_095)}`);
});

test('nothing a robot sends can be refused, or keep the records behind it from being stored', async () => {
  await using logs = await startLogWorld();
  const odd = fc.record(
    Object.fromEntries(
      [
        'type',
        'ts',
        'level',
        'source',
        'message',
        'truncated',
        'unit',
        'pid',
        'node',
        'fields',
        'dropped',
        'reason',
        'x',
      ].map((name) => [name, fc.oneof(fc.jsonValue(), fc.string({ unit: anyCharacter }), fc.constant('\ud800\0'))]),
    ),
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(odd, { minLength: 1, maxLength: 50 }), async (sent) => {
      const kept = await roundTrip(logs, sent); // which holds every reply against the contract
      expect(kept).toHaveLength(sent.length);
      expect(JSON.stringify(kept)).not.toMatch(/[^\\](\\\\)*\\u(0000|d[89a-f])/);
    }),
    { numRuns: 50 },
  );
});

test('what is nested too deep to be written is let go', async () => {
  await using logs = await startLogWorld();
  const nested = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  expect(await roundTrip(logs, [{ ...plain, message: nested, fields: { nested } }])).toEqual([
    { ...plain, message: '', fields_dropped: true },
  ]);
});

test('of a message and of fields, 32 levels are kept', async () => {
  await using logs = await startLogWorld();
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
  const [kept, deeper] = [nested(32), nested(33)];
  const fields = { nested: nested(31) };
  expect(
    await roundTrip(logs, [
      { ...plain, message: kept, fields },
      { ...plain, message: deeper, fields: { nested: kept } },
    ]),
  ).toEqual([
    { ...plain, message: JSON.stringify(kept), fields },
    { ...plain, message: '', fields_dropped: true },
  ]);
});

test('full chunks of long lines and of many are read back line by line', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  const long = records(1, 12, { message: `${'🤖 "quoted" \n'.repeat(900)}end` });
  await Promise.all([logs.send(link, long), logs.send(link, records(13, 512)), logs.send(link, records(513, 1_012))]);
  const items = await logs.all(link.robotId);
  expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 1_012 }, (_each, index) => index + 1));
  expect(items[11]?.['message']).toBe(long[11]?.message);
  expect(items[1_011]?.['message']).toBe('line 1012');
});
