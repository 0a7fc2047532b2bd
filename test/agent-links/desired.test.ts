import { expect, test } from 'vitest';
import { serverFrames, type Desired } from '../../generated/frames.js';
import type { OpenOrder } from '../../src/deployments/api/service.ts';
import { desiredWriter } from '../../src/agent-links/desired.ts';

const order = (sequence: number, changes: Partial<OpenOrder> = {}): OpenOrder => ({
  orderId: `order-${sequence}`,
  lane: `release:${sequence}`,
  sequence,
  deployments: ['d-1'],
  digest: `${sequence}`,
  payload: '{}',
  cancel: false,
  signature: undefined,
  keyId: undefined,
  terms: {},
  ...changes,
});

function written(orders: OpenOrder[]): Desired & { bytes: number } {
  const { hash, text } = desiredWriter().write(orders);
  const frame = JSON.parse(text) as Desired;
  expect(serverFrames.desired(frame)).toBe(true);
  expect(frame.hash).toBe(hash);
  return { ...frame, bytes: Buffer.byteLength(text) };
}

test('the hash of a list tells orders, their order, what they carry and whether they are cancelled, and nothing else', () => {
  const { hash } = written([order(1), order(2)]);
  expect(hash).toMatch(/^[0-9a-f]{16}$/);
  const same = [order(1, { payload: undefined, deployments: ['d-2'] }), order(2, { signature: 'x', keyId: 'y' })];
  expect(written(same).hash).toBe(hash);
  const others = [
    [order(2), order(1)],
    [order(1)],
    [order(1, { cancel: true }), order(2)],
    [order(1, { digest: 'x' }), order(2)],
    [order(1, { orderId: 'x' }), order(2)],
  ];
  expect(new Set([hash, ...others.map((each) => written(each).hash)]).size).toBe(6);
});

test('a list is never larger than 192 KiB: payloads are left out first, then the orders that come last', () => {
  const large = '"é\u0000'.repeat(5_000); // twice as long once it is escaped
  const payloads = Array.from({ length: 100 }, (_, index) => order(index + 1, { payload: large }));
  const few = written(payloads);
  expect(few.items).toHaveLength(100);
  expect(few.items[0]?.payload).toBe(large);
  expect(few.items.at(-1)?.payload).toBeUndefined();
  expect(few.bytes).toBeLessThanOrEqual(196_608);
  expect(few.bytes).toBeGreaterThan(130_000);

  const many = Array.from({ length: 1_000 }, (_, index) => `deployment-of-a-robot-${index}`);
  const heads = written(Array.from({ length: 100 }, (_, index) => order(index + 1, { deployments: many })));
  expect(heads.items.length).toBeGreaterThan(4);
  expect(heads.items.length).toBeLessThan(10);
  expect(heads.items[0]?.sequence).toBe(1);
  expect(heads.bytes).toBeLessThanOrEqual(196_608);
});
