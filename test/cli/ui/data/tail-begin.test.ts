import { expect, test } from 'vitest';
import type { LogRecord } from '../../../../cli/api/api.ts';
import { liveTail } from '../../../../cli/ui/data/tail.ts';

test('stored lines that come after somebody signed in are not shown twice, and long ones are cut', async () => {
  const record: LogRecord = {
    seq: 1,
    robot_id: 'r1',
    source: 'agent',
    ts: '2026-11-21T09:00:00.000Z',
    received_at: '2026-11-21T09:00:00.000Z',
    level: 'info',
    message: 'x'.repeat(20_000),
  };
  const asked: ((records: LogRecord[]) => void)[] = [];
  const tail = liveTail({
    robotIds: ['r1'],
    monitor: { free: () => Promise.resolve(), learn: () => undefined },
    stored: () => new Promise((resolve) => asked.push(resolve)),
    connector: { silentSeconds: 30, open: () => new Promise(() => undefined) },
    now: () => performance.now(),
  });
  tail.want();
  await expect.poll(() => asked.length).toBe(1);
  tail.renew(true);
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.([record]);
  await expect.poll(() => tail.get().lines.length).toBe(1);
  asked[0]?.([record]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(tail.get().total).toBe(1);
  expect(tail.get().lines).toMatchObject([{ record: { message: `${'x'.repeat(8_192)}…` } }]);
  tail.end();
});
