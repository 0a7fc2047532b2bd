import { randomBytes, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { sendRing } from '../../../../cli/transport/shell/ring.ts';

test('what was sent is there until it is acknowledged, from any offset, and in pieces of any size', () => {
  const ring = sendRing();
  const bytes = randomBytes(300_000);
  let acked = 0;
  for (let sent = 0; sent < bytes.length;) {
    const size = randomInt(1, 20_000);
    ring.push(bytes.subarray(sent, sent + size));
    sent = Math.min(sent + size, bytes.length);
    acked = randomInt(acked, sent + 1);
    expect(ring.ackTo(acked)).toBe(true);
    const from = randomInt(acked, sent + 1);
    expect(Buffer.concat(ring.from(from).map((piece) => piece.bytes))).toEqual(bytes.subarray(from, sent));
    expect(ring.next(from, 10)?.bytes.length ?? 0).toBeLessThanOrEqual(10);
    expect([ring.sent, ring.acked]).toEqual([sent, acked]);
  }
  expect(ring.ackTo(0)).toBe(true);
  expect(ring.acked).toBe(acked);
  expect(ring.ackTo(ring.sent + 1)).toBe(false);
  expect(ring.ackTo(Number.NaN)).toBe(false);
  expect(() => ring.next(acked - 1, 1)).toThrow(RangeError);
  expect(() => ring.from(ring.sent + 1)).toThrow(RangeError);
});

test('pieces keep their mark, and those of one mark are joined', () => {
  const ring = sendRing();
  for (const [text, tag] of [
    ['a', 1],
    ['b', 1],
    ['c', 2],
    ['d', 1],
  ] as const)
    ring.push(Buffer.from(text), tag);
  const told = () => ring.from(ring.acked).map(({ bytes, tag }) => [Buffer.from(bytes).toString(), tag]);
  expect(told()).toEqual([
    ['ab', 1],
    ['c', 2],
    ['d', 1],
  ]);
  ring.ackTo(1);
  expect(told()[0]).toEqual(['b', 1]);
});

test('it is full before it holds more than it may, also of single bytes with another mark each', () => {
  for (const size of [1, 100, 65_536]) {
    const ring = sendRing(1024 * 1024);
    let tag = 0;
    while (!ring.isFull) ring.push(Buffer.alloc(size), (tag += 1));
    expect(ring.sent).toBeLessThanOrEqual(1024 * 1024);
    expect(tag).toBeLessThan(8_200);
    ring.ackTo(ring.sent);
    expect(ring.isFull).toBe(false);
  }
});
