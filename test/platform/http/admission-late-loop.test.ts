import { expect, test } from 'vitest';
import { startAdmission } from './admission.ts';

/** Ten requests for reads, each of another org. */
async function enterReads({ enter }: ReturnType<typeof startAdmission>): Promise<void> {
  for (const org of 'abcdefghij') await enter('reads', org);
}

test('each time the event loop is late, people get one slot fewer', async () => {
  const admission = startAdmission(10);
  await admission.late(31, 3);
  await enterReads(admission);
  expect(admission.granted.length).toBe(6);
});

test('while several orgs send requests, slots are taken at a smaller delay, and given back at a smaller one', async () => {
  const alone = startAdmission(10);
  await alone.enter('reads', 'a');
  await alone.late(9, 3);
  await enterReads(alone);
  expect(alone.granted.length).toBe(8);
  const shared = startAdmission(10);
  for (const org of 'ab') await shared.enter('reads', org);
  await shared.late(9, 3);
  await enterReads(shared);
  expect(shared.granted.length).toBe(6);
  await shared.late(5, 3); // neither late nor early
  expect(shared.granted.length).toBe(6);
});

test('however late the event loop is, people keep two slots', async () => {
  const admission = startAdmission(10);
  await admission.late(1_000, 50);
  await enterReads(admission);
  expect(admission.granted.length).toBe(2);
});

test('each time the event loop is early again, people get one slot more, and a waiting request gets it at once', async () => {
  const admission = startAdmission(10);
  await admission.late(1_000, 50);
  await enterReads(admission);
  admission.clock.ms = 1_000; // as if of one org by now
  await admission.late(20, 5); // neither late nor early
  expect(admission.granted.length).toBe(2);
  await admission.late(10, 1);
  expect(admission.granted.length).toBe(3);
  await admission.late(0, 50);
  expect(admission.granted.length).toBe(8);
});

test('while the event loop is late, another org finds a free slot', async () => {
  const { enter, late, names } = startAdmission(10);
  await late(1_000, 50);
  for (let request = 0; request < 10; request += 1) await enter('reads', 'a');
  await enter('reads', 'b');
  expect(names()).toEqual(['reads a', 'reads b']);
});

test('requests of agents take no slots from people while the event loop is late', async () => {
  const { enter, late, names } = startAdmission(10);
  for (let request = 0; request < 6; request += 1) await enter('agents', 'a');
  await late(1_000, 50);
  await enter('reads', 'a');
  await enter('changes', 'b');
  expect(names().slice(6)).toEqual(['reads a', 'changes b']);
});
