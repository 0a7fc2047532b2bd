import { expect, test } from 'vitest';
import { measureAll, measureWithin, outcomeOf, toMeasure, type Measured } from './harness/measuring.ts';
import type { Row } from './harness/row.ts';

const rowOf = (id: string): Row => ({ id, work: 'a thing', against: 'another', run: async () => [] });
const lines = [{ measure: 'ms', ours: 1 }];
const { signal } = new AbortController();

/** A clock that only the processes of rows move: each takes its seconds, or what it is given if that is less. */
function simulated(seconds: Record<string, number>) {
  const order: string[] = [];
  let nowMs = 0;
  return {
    order,
    now: () => nowMs,
    once: async ({ row }: Measured, withinMs = Infinity) => {
      const takesMs = (seconds[row.id] ?? 0) * 1_000;
      order.push(row.id);
      nowMs += Math.min(takesMs, withinMs);
      return takesMs < withinMs ? { lines } : { failure: 'its process ended with SIGTERM' };
    },
  };
}

const within = async (budgetSeconds: number, seconds: Record<string, number>, processes = 3) => {
  const clock = simulated(seconds);
  const rows = Object.keys(seconds).map((id) => toMeasure(rowOf(id), processes));
  await measureWithin(rows, budgetSeconds * 1_000, clock.once, signal, clock.now);
  return { rows, order: clock.order, endedSeconds: clock.now() / 1_000 };
};
const runsOf = (rows: readonly Measured[]) => Object.fromEntries(rows.map(({ row, runs }) => [row.id, runs.length]));

test('within a time every row is measured once before one is measured twice', async () => {
  const { order, rows } = await within(100, { H1: 5, H2: 5, C1: 5 });
  expect(order.slice(0, 3).sort()).toEqual(['C1', 'H1', 'H2']);
  expect(order.slice(3, 6).sort()).toEqual(['C1', 'H1', 'H2']);
  expect(runsOf(rows)).toEqual({ H1: 3, H2: 3, C1: 3 });
});

test('the time is not exceeded: a row is measured again only where its longest run fits', async () => {
  const { rows, endedSeconds } = await within(60, { H1: 1, C1: 30 });
  expect(runsOf(rows)).toEqual({ H1: 3, C1: 1 });
  expect(endedSeconds).toBe(33);
});

test('a row that takes more than four times its even share is ended, so that the others have time', async () => {
  const { rows } = await within(100, { L4: 1_000, H1: 1, H2: 1, H3: 1, H4: 1, C1: 1, C2: 1, C3: 1 }, 1);
  const [slow, ...others] = rows.map(outcomeOf);
  expect(slow?.failure).toBe('took more than its 50 s');
  expect(others.map(({ failure, lines: merged }) => [failure, merged.length])).toEqual(
    others.map(() => [undefined, 1]),
  );
});

test('rows that no time is left for say so', async () => {
  const { rows, endedSeconds } = await within(10, { H1: 8, H2: 8 }, 1);
  expect(rows.map(({ failure }) => failure ?? 'measured').sort()).toEqual(['measured', 'took more than its 2 s']);
  expect(endedSeconds).toBe(10);
});

test('a row that failed is not measured again, and one with runs is measured only as often as it misses', async () => {
  const rows = [toMeasure(rowOf('H1'), 3), { ...toMeasure(rowOf('C1'), 3), runs: [lines] }];
  const order: string[] = [];
  await measureAll(
    rows,
    async ({ row }) => {
      order.push(row.id);
      return row.id === 'H1' ? { failure: 'it broke' } : { lines };
    },
    signal,
  );
  expect(order.sort()).toEqual(['C1', 'C1', 'H1']);
  expect(rows.map(outcomeOf).map(({ failure }) => failure)).toEqual(['it broke', undefined]);
});
