import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { overloadReport } from '../../src/platform/overload-report.ts';

test('each overload is logged once in ten seconds, with the number of refused requests by priority', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: unknown[] = [];
  const counted: string[] = [];
  const log = pino(
    {},
    { write: (line: string) => void lines.push((JSON.parse(line) as { refused: unknown }).refused) },
  );
  const refuse = overloadReport({ log, onRefused: (priority) => void counted.push(priority) });
  for (const priority of ['reads', 'reads', 'changes']) refuse(priority);
  vi.advanceTimersByTime(10_000);
  expect(lines).toEqual([{ reads: 2, changes: 1 }]);
  vi.advanceTimersByTime(60_000);
  expect(lines.length).toBe(1);
  refuse('agents');
  vi.advanceTimersByTime(10_000);
  expect(lines.slice(1)).toEqual([{ agents: 1 }]);
  expect(counted).toEqual(['reads', 'reads', 'changes', 'agents']);
});
