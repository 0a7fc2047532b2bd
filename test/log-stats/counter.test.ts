import fc from 'fast-check';
import { expect, test } from 'vitest';
import { levels, type KeptRecord } from '../../src/logs/model.ts';
import { createLogCounter } from '../../src/log-stats/counter.ts';
import { noCounts, type SlotCounts } from '../../src/log-stats/model.ts';
import { lineOf } from '../support/log-counts.ts';

const slotMs = 600_000;
const inOrder = (counts: readonly SlotCounts[]) =>
  counts.map(({ robotId, fleetId, source, slotAtMs, lines }) => [robotId, fleetId, source, slotAtMs, lines]);

test('lines are counted by robot, fleet, source and ten minutes, in whatever order they come', () => {
  const counter = createLogCounter();
  counter.add('amr-1', 'pickers', 5 * slotMs, lineOf({}));
  counter.add('amr-2', 'pickers', 5 * slotMs, lineOf({}));
  counter.add('amr-1', 'pickers', 6 * slotMs - 1, lineOf({}));
  counter.add('amr-1', 'pickers', 6 * slotMs - 1, lineOf({ source: 'jour' }));
  counter.add('amr-1', 'pickers', 6 * slotMs - 1, lineOf({ source: 'journals' }));
  counter.add('amr-1', 'pickers', 6 * slotMs, lineOf({}));
  counter.add('amr-1', 'packers', 6 * slotMs, lineOf({}));
  counter.add('amr-1', 'pickers', 5 * slotMs, lineOf({}));
  expect(inOrder([...counter.counts()])).toEqual([
    ['amr-1', 'pickers', 'journal', 5 * slotMs, 3],
    ['amr-1', 'pickers', 'jour', 5 * slotMs, 1],
    ['amr-1', 'pickers', 'journals', 5 * slotMs, 1],
    ['amr-1', 'pickers', 'journal', 6 * slotMs, 1],
    ['amr-1', 'packers', 'journal', 6 * slotMs, 1],
    ['amr-2', 'pickers', 'journal', 5 * slotMs, 1],
  ]);
});

test('whatever a record says, its counts are those of the parsed record', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"level":"fatal"', 'x","source":"y', '\\', '\\"', 'ä', '日本', '🤖', 'journal'),
  );
  const kept: fc.Arbitrary<KeptRecord> = fc.record(
    {
      type: fc.constant('gap' as const),
      ts: fc.constantFrom('2026-11-21T09:00:00Z', '2026-11-21T09:00:00.123456+02:00'),
      level: fc.constantFrom(...levels),
      source: text.filter((source) => source !== ''),
      message: text,
      unit: text,
    },
    { requiredKeys: ['level', 'source', 'message'] },
  );
  // The members of a record are in this order.
  const ordered = ({ type, ts, level, source, ...more }: KeptRecord): KeptRecord => ({
    ...(type && { type }),
    ...(ts !== undefined && { ts }),
    level,
    source,
    ...more,
  });
  fc.assert(
    fc.property(fc.array(kept, { maxLength: 6 }), (records) => {
      const counter = createLogCounter();
      const expected = new Map<string, ReturnType<typeof noCounts>>();
      for (const record of records.map(ordered)) {
        const line = JSON.stringify(record);
        counter.add('amr-1', 'pickers', 0, line);
        const counts = expected.get(record.source) ?? noCounts();
        expected.set(record.source, counts);
        counts.lines += 1;
        counts.bytes += Buffer.byteLength(line);
        counts.levels[record.level] += 1;
      }
      const counted = [...counter.counts()].map(({ source, lines, bytes, levels: each }) => [
        source,
        { lines, bytes, levels: each },
      ]);
      expect(counted).toEqual([...expected]);
    }),
    { numRuns: 40 },
  );
});

test('a robot that invents sources has 32 names in ten minutes, and one count for all others', () => {
  const counter = createLogCounter();
  for (let index = 0; index < 1_000; index += 1)
    counter.add('amr-1', 'pickers', 0, lineOf({ source: `source ${index}` }));
  counter.add('amr-1', 'pickers', 0, lineOf({ source: 'source 7' }));
  counter.add('amr-1', 'pickers', slotMs, lineOf({ source: 'source 999' }));
  const counts = [...counter.counts()];
  expect(counts).toHaveLength(34);
  expect(counts.find(({ source }) => source === '')).toMatchObject({ lines: 968, slotAtMs: 0 });
  expect(counts.find(({ source }) => source === 'source 7')).toMatchObject({ lines: 2 });
  expect(counts.at(-1)).toMatchObject({ source: 'source 999', lines: 1, slotAtMs: slotMs });
});
