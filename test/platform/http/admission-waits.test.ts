import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Overloaded } from '../../../src/platform/http/dispatch/admission.ts';
import { ClientDisconnected } from '../../../src/platform/http/reply/reply.ts';
import { startAdmission } from './admission.ts';

test('a request that would wait for more than a second is refused when it arrives, and asks for a retry in 1 to 5 s', async () => {
  const { enter, end, clock, refused, names, admission } = startAdmission(2);
  await enter('reads', 'a');
  for (let request = 0; request < 20; request += 1) await enter('reads', 'a');
  for (let slot = 0; slot < 4; slot += 1) {
    clock.ms += 100;
    await end();
  }
  expect(refused).toEqual([]);
  const refusal = await admission.enter('reads', 'a', new PassThrough()).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Overloaded);
  expect((refusal as Overloaded).status).toBe(429);
  expect(Number((refusal as Overloaded).headers['Retry-After'])).toSatisfy((wait: number) => wait >= 1 && wait <= 5);
  expect(refused).toEqual(['reads']);
  expect(() => admission.refuseIfFull('reads', 'a')).toThrow(Overloaded);
  // Another org waits for two turns, and agents do not wait.
  admission.refuseIfFull('reads', 'b');
  admission.refuseIfFull('reads');
  await enter('agents', 'a');
  expect(names().at(-1)).toBe('agents a');
});

test('a burst after a quiet time is not judged by how slow the service was before', async () => {
  const { enter, end, clock, refused, granted } = startAdmission(2);
  const burst = async () => {
    for (let request = 0; request < 5; request += 1) await enter('reads', 'a');
  };
  await burst();
  for (let request = 0; request < 2; request += 1) {
    clock.ms += 500;
    await end();
  }
  await enter('reads', 'a');
  expect(refused).toEqual(['reads']);
  while (granted.length > 0) await end();
  clock.ms += 1_000;
  await burst();
  expect(refused.length).toBe(1);
});

test('when nothing ends, requests are refused after three seconds', async () => {
  const { enter, clock, refused } = startAdmission(2);
  await enter('changes', 'a');
  await enter('changes', 'a');
  clock.ms += 3_001;
  await expect.poll(() => refused).toEqual(['changes']);
});

test('a list that has begun waits for its next page, and is never refused', async () => {
  const { enter, granted, clock, refused, end } = startAdmission(2);
  await enter('reads', 'a', 'list');
  const [list] = granted.splice(0, 1);
  await enter('changes', 'a', 'waiting');
  list?.slot.free();
  await turn();
  expect(granted.at(-1)?.name).toBe('waiting');
  let isBack = false;
  void list?.slot.takeAgain().then(() => (isBack = true));
  await enter('reads', 'b', 'new');
  clock.ms += 10_000;
  await expect.poll(() => refused).toEqual(['reads']); // the one of b
  expect(isBack).toBe(false);
  await end();
  expect(isBack).toBe(true);
});

test('of a first burst, only as many requests are accepted as a second is expected to serve', async () => {
  const { enter, refused } = startAdmission(2);
  for (let request = 0; request < 1_000; request += 1) void enter('reads', 'a');
  await turn();
  expect(refused.length).toBeGreaterThan(400);
  expect(refused.length).toBeLessThan(600);
});

test('an org that waits for one request counts as one, however many the org that asks has waiting', async () => {
  const { enter, end, clock, refused } = startAdmission(2);
  for (let request = 0; request < 8; request += 1) await enter('reads', 'a');
  for (let slot = 0; slot < 4; slot += 1) {
    clock.ms += 100;
    await end();
  }
  for (const org of ['b', 'c', 'd', 'e']) await enter('reads', org);
  await enter('reads', 'a'); // after three of its own and four of others
  expect(refused).toEqual([]);
});

test('a request whose response closes while it waits leaves the queue, and is not counted as refused', async () => {
  const { enter, end, refused, admission } = startAdmission(2);
  await enter('reads', 'a', 'first');
  const closing = await enter('reads', 'a', 'closed');
  await enter('reads', 'a', 'next');
  closing.destroy();
  await turn();
  expect(await end()).toBe('next');
  expect(refused).toEqual([]);
  const closed = new PassThrough().destroy();
  await expect(admission.enter('reads', 'b', closed)).rejects.toThrow(ClientDisconnected);
});

test('a list whose reader disconnects while it waits for its next page ends', async () => {
  const { admission, enter, end } = startAdmission(2);
  const response = new PassThrough();
  const list = await admission.enter('reads', 'a', response);
  await enter('changes', 'a', 'first');
  list.free();
  await turn();
  const again = list.takeAgain().catch((error: unknown) => error);
  await enter('reads', 'b', 'next');
  response.destroy();
  expect(await again).toBeInstanceOf(ClientDisconnected);
  expect(await end()).toBe('next');
});
