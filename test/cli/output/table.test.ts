import { expect, test } from 'vitest';
import { listTable } from '../../../cli/output/table.ts';
import type { Column } from '../../../cli/output/view.ts';

const fields = ['id', 'name', 'status', 'fleet', 'release', 'labels', 'enrolled', 'seen', 'note', 'other'] as const;
type Item = Record<(typeof fields)[number], string>;

const item: Item = {
  id: '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61',
  name: 'forklift-in-hall-07',
  status: 'unhealthy: estop, disk-full',
  fleet: 'forklifts of the night shift',
  release: 'nav-1.8.2',
  labels: 'tier=canary floor=2',
  enrolled: '3d ago',
  seen: '10s ago',
  note: 'in repair since Monday',
  other: 'value',
};

const columns: Column<Item>[] = fields.map((field) => ({ field, shown: 'table', whole: field === 'seen' }));
const linesAt = (width: number, all = columns) => listTable(all, width, (text) => text).lines([item]);

test('a table is never wider than the terminal, and shows the name whole and the id short while half of it is enough', () => {
  for (let width = 40; width <= 220; width += 1) {
    const [head = '', row = ''] = linesAt(width);
    expect([width, Math.max(head.length, row.length) <= width]).toEqual([width, true]);
    expect(row).toMatch(/^2f0d9c61 {2}forklift-in-hall-07/);
  }
});

test('columns with a number are omitted first, the lowest first; others only where cutting is not enough, from the right', () => {
  const ranked = columns.map((column): Column<Item> =>
    column.field === 'fleet' ? { ...column, dropped: 2 } : column.field === 'seen' ? { ...column, dropped: 1 } : column,
  );
  const heads = (width: number) =>
    linesAt(width, ranked)[0]
      ?.toLowerCase()
      .match(/[a-z]+/g);
  expect(heads(220)).toEqual([...fields]);
  expect(heads(132)).toEqual(fields.filter((field) => field !== 'seen'));
  expect(heads(120)).toEqual(fields.filter((field) => field !== 'seen' && field !== 'fleet'));
  expect(heads(80)).toEqual(['id', 'name', 'status', 'release', 'labels', 'enrolled', 'note']);
  expect(heads(50)).toEqual(['id', 'name', 'status', 'release']);
});
