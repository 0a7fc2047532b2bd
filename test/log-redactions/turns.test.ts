import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { orgTurns } from '../../src/log-redactions/turns.ts';

/** `task`: one that takes so long. `done`: the orgs of tasks that have ended, in this order. */
function startTurns() {
  const turns = orgTurns();
  const done: string[] = [];
  const task = (orgId: string, ms = 0) =>
    turns.take(orgId, async () => {
      if (ms > 0) await sleep(ms);
      done.push(orgId);
    });
  return { turns, done, task };
}

test('an org waits for one slow task of another org, and then has as much time as that one took', async () => {
  const { done, task } = startTurns();
  const orgs = ['slow', 'slow', 'slow', 'quick', 'quick', 'quick'];
  await Promise.all(orgs.map((orgId) => task(orgId, orgId === 'slow' ? 200 : 0)));
  expect(done).toEqual(['slow', 'quick', 'quick', 'quick', 'slow', 'slow']);
});

test('an org that had no tasks before does not have its turns at the cost of one that had', async () => {
  const { turns, done, task } = startTurns();
  const early = [50, 50, 50].map((ms) => task('early', ms));
  let late: Promise<void>[] = [];
  const arrival = turns.take('early', async () => void (late = [50, 50, 50].map((ms) => task('late', ms))));
  const last = task('early', 50);
  await Promise.all([...early, arrival]);
  await Promise.all([...late, last]);
  expect(done.slice(0, 4)).toEqual(['early', 'early', 'early', 'late']);
  expect(done.at(-1)).toBe('late');
});

test('a task that fails holds up none', async () => {
  const { turns, done, task } = startTurns();
  const failed = turns.take('org', () => Promise.reject(new Error('no')));
  const next = [task('org'), task('other')];
  await expect(failed).rejects.toThrow('no');
  await Promise.all(next);
  expect(done.sort()).toEqual(['org', 'other']);
});
