import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bounds, measure, seriesNames, type Row } from '../../src/robot-metrics/model.ts';
import { packBuckets, packSamples, unpackBuckets, unpackSamples } from '../../src/robot-metrics/packing.ts';

const rowOf = (index: number, length: number): fc.Arbitrary<Row> => {
  const { low, high, step } = bounds[seriesNames[index] ?? 'cpu'];
  const value = fc.integer({ min: low / step, max: high / step }).map((steps) => Math.round(steps * step * 10) / 10);
  return fc.oneof(
    fc.constant(new Array<number | undefined>(length).fill(undefined)),
    fc.array(fc.option(value, { nil: undefined }), { minLength: length, maxLength: length }),
  );
};
const rowsOf = (length: number) => fc.tuple(...seriesNames.map((_name, index) => rowOf(index, length)));

test('samples are unpacked as they were packed, gaps included', () => {
  fc.assert(
    fc.property(rowsOf(20), (rows) => {
      expect(unpackSamples(packSamples(rows), 20)).toEqual(rows);
    }),
  );
});

test('buckets are unpacked as they were packed', () => {
  fc.assert(
    fc.property(rowsOf(48), rowsOf(48), rowsOf(48), (min, avg, max) => {
      const known = (rows: readonly Row[]) =>
        rows.map((row, index) => row.map((value, at) => (avg[index]?.[at] === undefined ? undefined : value)));
      const buckets = { min: known(min), avg, max: known(max) };
      expect(unpackBuckets(packBuckets(buckets), 48)).toEqual(buckets);
    }),
  );
});

test('six calm series of ten minutes take less than 150 bytes', () => {
  const calm = seriesNames.map((_name, index) => Array.from({ length: 20 }, (_each, at) => 40 + index + (at % 5)));
  expect(packSamples(calm).length).toBeLessThan(150);
});

test('whatever a robot sends, each measurement is finite, rounded and within its bounds', () => {
  const number = fc.oneof(fc.double({ noNaN: true }), fc.integer());
  const snapshot = fc.record(
    {
      battery: fc.record({ percent: number }),
      cpu: fc.record({ percent: number }),
      memory: fc.record({ total_bytes: number, available_bytes: number }),
      disk: fc.array(fc.record({ total_bytes: number, free_bytes: number })),
      temperature: fc.array(fc.record({ celsius: number })),
      link: fc.record({ rtt_ms: number }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(snapshot, (sent) => {
      for (const [name, value] of Object.entries(measure(sent as Parameters<typeof measure>[0]))) {
        if (value === undefined) continue;
        const { low, high } = bounds[name as keyof typeof bounds];
        expect(value).toBeGreaterThanOrEqual(low);
        expect(value).toBeLessThanOrEqual(high);
        expect(Math.round(value * 10) / 10).toBe(value);
      }
    }),
  );
});

test('the fullest disk and the hottest zone count', () => {
  const { disk, temperature } = measure({
    disk: [
      { path: '/', total_bytes: 100, free_bytes: 60 },
      { path: '/data', total_bytes: 100, free_bytes: 5 },
      { path: '/empty', total_bytes: 0, free_bytes: 0 },
    ],
    temperature: [{ zone: 'a', celsius: 41 }, { zone: 'b' }, { zone: 'c', celsius: 77.77 }],
  });
  expect({ disk, temperature }).toEqual({ disk: 95, temperature: 77.8 });
});
