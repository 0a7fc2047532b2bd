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
