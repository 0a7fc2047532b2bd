import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Stopped, StepFailed } from '../../../../cli/agent/orders/handler.ts';
import type { OrderRecord } from '../../../../cli/agent/orders/journal.ts';
import { timed } from '../../../../cli/agent/orders/step-times.ts';
import { releaseOrder } from '../../../support/orders.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const recordOf = (changes: object): Pick<OrderRecord, 'order' | 'steps'> => ({
  order: { ...releaseOrder('file', 'v1'), ...changes },
});

test('the steps of a traced order are measured, with those that fail, and without one that the exit of the agent ends', async () => {
  const record = recordOf({ traceparent });
  const before = Date.now();
  expect(await timed(record, 'download', () => sleep(20, 'done'))).toBe('done');
  await expect(timed(record, 'install', () => Promise.reject(new StepFailed('no_space', 'full')))).rejects.toThrow(
    'full',
  );
  await expect(timed(record, 'restart', () => Promise.reject(new Stopped()))).rejects.toBeInstanceOf(Stopped);
  expect(record.steps).toMatchObject([{ step: 'download' }, { step: 'install', failed: true }]);
  const [download] = record.steps ?? [];
  expect(download?.duration_ms).toBeGreaterThan(15);
  expect(Date.parse(download?.started_at ?? '')).toBeGreaterThanOrEqual(before);
  expect(download).not.toHaveProperty('failed');
});

test('an order without a trace context is not measured', async () => {
  const record = recordOf({});
  await timed(record, 'download', async () => undefined);
  expect(record).not.toHaveProperty('steps');
});

test('an order whose steps are repeated has no more of them than a report may have', async () => {
  const record = recordOf({ traceparent });
  for (let count = 0; count < 40; count += 1) await timed(record, 'activate', async () => undefined);
  expect(record.steps).toHaveLength(32);
});
