import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeEntries, encodeEntries, type BlockChunk } from '../../src/logs/objects/entries.ts';

const startsAtMs = 1_790_000_000_000;

/** The chunks of a robot: each has what it adds to the one before. */
const chunksOf = (robotId: string) =>
  fc
    .array(
      fc.record({
        ms: fc.nat(86_400_000),
        duration: fc.nat(600_000),
        gap: fc.integer({ min: -5, max: 1_000_000 }),
        records: fc.nat(5_000),
        bytes: fc.nat(1_048_576),
        maxLevel: fc.integer({ min: 1, max: 5 }),
        place: fc.nat(1_000_000),
        length: fc.nat(40_000),
        filterPlace: fc.nat(1_000_000),
        filterLength: fc.constantFrom(64, 128, 2_048),
      }),
      { minLength: 1, maxLength: 5 },
    )
    .map((steps) => {
      const chunks: BlockChunk[] = [];
      for (const { ms, duration, gap, records, bytes, maxLevel, length, filterLength, ...step } of steps) {
        const before = chunks.at(-1);
        const receivedAtMs = (before?.receivedAtMs ?? startsAtMs) + ms;
        const firstSeq = Math.max(1, (before?.lastSeq ?? 0) + 1 + gap);
        chunks.push({
          robotId,
          receivedAtMs,
          firstSeq,
          bytes,
          maxLevel,
          length,
          filterLength,
          firstAtMs: receivedAtMs - duration,
          lastSeq: firstSeq + records,
          place: (before?.place ?? 0) + (before?.length ?? 0) + step.place,
          filterPlace: (before?.filterPlace ?? 0) + (before?.filterLength ?? 0) + step.filterPlace,
        });
      }
      return chunks;
    });

const blocks = fc
  .uniqueArray(fc.uuid(), { minLength: 1, maxLength: 4 })
  .chain((robotIds) => fc.tuple(...robotIds.map(chunksOf)))
  .map((robots) => ({ bodiesLength: 123_456, filtersLength: 0, chunks: robots.flat() }));

test('the entries of any block are read as they were written, of all robots and of each', () => {
  fc.assert(
    fc.property(blocks, (block) => {
      const { robotIds, entries } = encodeEntries(block, startsAtMs);
      expect(decodeEntries(entries, { startsAtMs, robotIds })).toEqual(block);
      for (const only of robotIds)
        expect(decodeEntries(entries, { startsAtMs, robotIds, only }).chunks).toEqual(
          block.chunks.filter(({ robotId }) => robotId === only),
        );
    }),
  );
});

test('a chunk of a robot with a line each 5 s takes 22 bytes', () => {
  const chunks = Array.from({ length: 100 }, (_each, index): BlockChunk => ({
    robotId: '00000000-0000-4000-8000-000000000000',
    firstAtMs: startsAtMs + index * 600_000,
    receivedAtMs: startsAtMs + index * 600_000 + 595_000,
    firstSeq: 5_000_001 + index * 120,
    lastSeq: 5_000_120 + index * 120,
    bytes: 14_000,
    maxLevel: 2,
    length: 2_900,
    filterLength: 1_024,
    place: index * 2_900_000, // beside those of 1,000 robots
    filterPlace: index * 1_024_000,
  }));
  const { entries } = encodeEntries({ bodiesLength: 1, filtersLength: 1, chunks }, startsAtMs);
  expect(entries.length / chunks.length).toBeLessThan(23);
});
