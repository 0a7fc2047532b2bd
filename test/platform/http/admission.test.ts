import { expect, test } from 'vitest';
import { startAdmission } from './admission.ts';

test('requests of people leave two connections to agents, and reads one to changes', async () => {
  const { enter, granted } = startAdmission(6);
  for (const org of ['a', 'b', 'c', 'd', 'e']) await enter('reads', org);
  expect(granted.length).toBe(4);
  await enter('changes', 'a');
  await enter('changes', 'b');
  expect(granted.length).toBe(5);
  await enter('agents', 'a');
  expect(granted.map(({ name }) => name).slice(4)).toEqual(['changes a', 'agents a']);
});

test('one org gets three quarters of the slots, and another one finds a free one', async () => {
  const { enter, granted } = startAdmission(10);
  for (let request = 0; request < 20; request += 1) await enter('reads', 'a');
  expect(granted.length).toBe(6);
  await enter('reads', 'b');
  expect(granted.at(-1)?.name).toBe('reads b');
});

test('a free slot goes to agents, then to changes, then to reads', async () => {
  const { enter, end } = startAdmission(2);
  for (let request = 0; request < 2; request += 1) await enter('agents', 'a');
  await enter('reads', 'a');
  await enter('changes', 'a');
  await enter('agents', 'b');
  expect([await end(), await end(), await end(), await end()]).toEqual([
    'agents b',
    undefined, // the connection left to agents
    'changes a',
    'reads a',
  ]);
});

test('of eight slots that agents free while more of them wait, one goes to changes and one to reads', async () => {
  const { enter, keepBusy } = startAdmission(10);
  for (let request = 0; request < 10; request += 1) await enter('agents', 'a');
  for (const org of ['b', 'b', 'c', 'c']) await enter('reads', org);
  for (const org of ['d', 'd', 'e', 'e']) await enter('changes', org);
  const agents = Array.from({ length: 3 }, () => 'agents a');
  expect(await keepBusy('agents', 'a', 8)).toEqual([...agents, 'changes d', ...agents, 'reads b']);
  expect(await keepBusy('agents', 'a', 8)).toEqual([...agents, 'changes e', ...agents, 'reads c']);
});

test('reads are served while changes of two orgs use all slots of people, and more of them wait', async () => {
  const { enter, keepBusy } = startAdmission(10);
  for (const org of 'aaaaaabbb') await enter('changes', org);
  await enter('reads', 'c');
  expect([...(await keepBusy('changes', 'a', 4)), ...(await keepBusy('changes', 'b', 4))]).toContain('reads c');
});

test('reads are served while agents use nine of ten connections, and none of them waits', async () => {
  const { enter, end, names } = startAdmission(10);
  for (let request = 0; request < 9; request += 1) await enter('agents', 'a');
  await enter('reads', 'b');
  for (let request = 0; request < 8; request += 1) {
    await end('agents a');
    await enter('agents', 'a');
  }
  expect(names()).toContain('reads b');
});

test('the turn of reads is kept while their org has all its slots', async () => {
  const { enter, end, keepBusy } = startAdmission(10);
  for (const org of 'aaaaaabbb') await enter('changes', org);
  await enter('reads', 'a');
  await keepBusy('changes', 'b', 10);
  await enter('changes', 'b');
  expect(await end('changes a')).toBe('reads a');
});

test('orgs take turns, however many requests one of them has waiting', async () => {
  const { enter, end } = startAdmission(2);
  await enter('changes', 'a', 'first');
  for (let request = 0; request < 10; request += 1) await enter('changes', 'a', 'of a');
  await enter('changes', 'b', 'of b');
  await enter('changes', 'c', 'of c');
  const order: (string | undefined)[] = [];
  for (let slot = 0; slot < 4; slot += 1) order.push(await end());
  expect(order).toEqual(['of a', 'of b', 'of c', 'of a']);
});
