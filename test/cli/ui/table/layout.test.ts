import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gap, layoutColumns, windowTop } from '../../../../cli/ui/table/layout.ts';

const columns = [
  { title: 'name', width: 20, least: 10, rank: 0, isFlexible: true },
  { title: 'state', width: 10, rank: 1 },
  { title: 'fleet', width: 16, least: 8, rank: 2 },
  { title: 'id', width: 36, rank: 3, isWide: true },
];
const laid = (available: number, isWide = false) =>
  layoutColumns(columns, available, isWide).map(({ column, width }) => [column.title, width]);

test('columns have their widths, and the flexible one what is left', () => {
  expect(laid(60)).toEqual([['name', 30], ['state', 10], ['fleet', 16]]); // prettier-ignore
});

test('columns shrink to their least before one goes, and the one of the highest rank goes first', () => {
  expect(laid(33)).toEqual([['name', 11], ['state', 10], ['fleet', 8]]); // prettier-ignore
  expect(laid(31)).toEqual([['name', 19], ['state', 10]]); // prettier-ignore
});

test('the column of rank 0 stays where there is room for nothing', () => {
  expect(laid(5)).toEqual([['name', 5]]);
});

test('all columns come where all are asked for', () => {
  expect(laid(100, true).map(([title]) => title)).toEqual(['name', 'state', 'fleet', 'id']);
});

test('where the usual columns leave room a wide one comes, the flexible one keeping more than it usually has', () => {
  // 30 + 10 + 16 + 36, and three gaps.
  expect(laid(97).map(([title]) => title)).toEqual(['name', 'state', 'fleet']);
  expect(laid(98)).toEqual([['name', 30], ['state', 10], ['fleet', 16], ['id', 36]]); // prettier-ignore
});

test('a line never gets longer than it may', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.boolean(), (available, isWide) => {
      const widths = layoutColumns(columns, available, isWide).map(({ width }) => width);
      expect(widths.reduce((sum, width) => sum + width + gap, -gap)).toBeLessThanOrEqual(available);
      expect(Math.min(...widths)).toBeGreaterThan(0);
    }),
  );
});

test('the cursor is always on the screen, and no room is left empty that a row could have', () => {
  const counts = fc.integer({ min: 1, max: 50 });
  fc.assert(
    fc.property(counts, fc.nat(), counts, fc.nat({ max: 60 }), (count, place, rows, before) => {
      const cursor = place % count;
      const top = windowTop(count, cursor, rows, before);
      expect(top).toBeLessThanOrEqual(cursor);
      expect(cursor).toBeLessThan(top + rows);
      expect(top + Math.min(rows, count)).toBeLessThanOrEqual(count);
    }),
  );
});
