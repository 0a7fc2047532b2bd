import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  createAdmission,
  Overloaded,
  type Priority,
  type Slot,
} from '../../../src/platform/http/dispatch/admission.ts';

/** An admission on a clock of the test, and what became of the requests that entered it, in the order of their grants. */
function startAdmission(connections: number) {
  const clock = { ms: 0 };
  const refused: Priority[] = [];
  const admission = createAdmission({
    connections,
    onRefused: (priority) => void refused.push(priority),
    nowMs: () => clock.ms,
  });
  const granted: { name: string; slot: Slot }[] = [];
  return {
    ...{ clock, refused, granted, admission },
    async enter(priority: Priority, org: string, name = `${priority} ${org}`): Promise<void> {
      void admission.enter(priority, org).then(
        (slot) => void granted.push({ name, slot }),
        () => undefined,
      );
      await turn();
    },
    /** Ends the oldest request in work; returns the name of the one that gets its slot. */
    async end(): Promise<string | undefined> {
      const [oldest] = granted.splice(0, 1);
      oldest?.slot.free();
      await turn();
      return granted.at(-1)?.name;
    },
  };
}

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

test('a free slot goes to agents, then to changes, then to reads, and one in eight to reads first', async () => {
  const { enter, end, granted } = startAdmission(3);
  await enter('agents', 'a');
  await enter('agents', 'a');
  await enter('agents', 'a');
  for (let request = 0; request < 4; request += 1) await enter('reads', 'a', 'read');
  for (let request = 0; request < 8; request += 1) await enter('changes', 'a', 'change');
  for (let request = 0; request < 4; request += 1) await enter('agents', 'a', 'agent');
  const order: string[] = [];
  while (granted.length > 0) {
    const before = granted.length;
    const name = await end();
    if (granted.length === before && name !== undefined) order.push(name);
  }
  const changes = Array.from({ length: 4 }, () => 'change');
  expect(order).toEqual([
    ...Array.from({ length: 4 }, () => 'agent'),
    ...changes,
    'read',
    ...changes,
    'read',
    'read',
    'read',
  ]);
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

test('a request that would wait for more than a second is refused when it arrives, and asks for a retry in 1 to 5 s', async () => {
  const { enter, end, clock, refused, granted, admission } = startAdmission(2);
  await enter('reads', 'a');
  for (let request = 0; request < 20; request += 1) await enter('reads', 'a');
  for (let slot = 0; slot < 4; slot += 1) {
    clock.ms += 100;
    await end();
  }
  expect(refused).toEqual([]);
  const refusal = await admission.enter('reads', 'a').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Overloaded);
  expect((refusal as Overloaded).status).toBe(429);
  expect(Number((refusal as Overloaded).headers['Retry-After'])).toSatisfy((wait: number) => wait >= 1 && wait <= 5);
  expect(refused).toEqual(['reads']);
  expect(() => admission.check('reads', 'a')).toThrow(Overloaded);
  // Another org waits for two turns, and agents do not wait.
  admission.check('reads', 'b');
  admission.check('reads');
  await enter('agents', 'a');
  expect(granted.at(-1)?.name).toBe('agents a');
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
