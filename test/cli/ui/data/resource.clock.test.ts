import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cacheByKey } from '../../../../cli/ui/data/cache.ts';
import { polled } from '../../../../cli/ui/data/resource.ts';

// The clock is the only fake here: periods are seconds, and a wish lingers for ten.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const monitor = { free: () => Promise.resolve(), blockingFailure: () => undefined };
const now = () => Date.now();

/** A resource whose calls a test answers one by one. */
function desk(everyMs = 2_000) {
  const calls: { give(value: string, workMs?: number): void; fail(message: string): void }[] = [];
  const resource = polled<string>({
    everyMs,
    monitor,
    now,
    fetch: () =>
      new Promise((resolve, reject) => {
        calls.push({
          give: (value, workMs = 0) => resolve({ value, workMs }),
          fail: (message) => reject(new Error(message)),
        });
      }),
  });
  const answer = async (value: string, workMs?: number) => {
    calls.at(-1)?.give(value, workMs);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { resource, calls, answer };
}

test('it asks while anybody wants it and for ten seconds more, one call at a time', async () => {
  const { resource, calls, answer } = desk();
  expect(calls).toHaveLength(0);
  const [first, second] = [resource.want(), resource.want()];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(1);
  await answer('one');
  expect(resource.get()).toMatchObject({ value: 'one', freshness: { kind: 'live' } });
  await vi.advanceTimersByTimeAsync(1_999);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toHaveLength(2);
  await answer('two');

  first();
  first();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(calls).toHaveLength(3);
  await answer('three');
  second();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(calls).toHaveLength(4);
  await answer('four');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(4);
  // Nobody asked for a minute: what is here does not pass for live to who comes back.
  expect(resource.get()).toEqual({ value: 'four', freshness: { kind: 'loading', atMs: now() - 60_000 } });
  resource.want();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(5);
  expect(resource.get()).toMatchObject({ value: 'four', freshness: { kind: 'loading' } });
  resource.end();
});

test('who comes back while it lingers, or while it is asked, brings no second call', async () => {
  const { resource, calls, answer } = desk();
  resource.want()();
  resource.want();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(calls).toHaveLength(1);
  await answer('one');
  resource.end();

  const other = desk();
  other.resource.want()();
  await vi.advanceTimersByTimeAsync(11_000);
  other.resource.want();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(other.calls).toHaveLength(1);
  await other.answer('one');
  expect(other.resource.get()).toMatchObject({ value: 'one', freshness: { kind: 'live' } });
  other.resource.end();
});

test('a change while it is asked is asked for once more, at once', async () => {
  const { resource, calls, answer } = desk();
  resource.want();
  await vi.advanceTimersByTimeAsync(0);
  resource.refresh();
  resource.refresh();
  expect(calls).toHaveLength(1);
  await answer('before the change');
  expect(calls).toHaveLength(2);
  await answer('after it');
  expect(resource.get().value).toBe('after it');
  expect(calls).toHaveLength(2);
  resource.refresh();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(3);
  resource.end();
});

test('what did not change wakes nobody, and its time moves on', async () => {
  const { resource, answer } = desk();
  resource.want();
  await vi.advanceTimersByTimeAsync(0);
  await answer('same');
  const before = resource.get();
  let told = 0;
  resource.subscribe(() => (told += 1));
  const [atMs] = [before.freshness].flatMap((freshness) => (freshness.kind === 'live' ? [freshness.atMs] : []));
  await vi.advanceTimersByTimeAsync(2_000);
  await answer('same');
  expect(told).toBe(0);
  expect(resource.get()).toBe(before);
  expect(before.freshness).toEqual({ kind: 'live', atMs: (atMs ?? 0) + 2_000, restMs: 2_000 });
  await vi.advanceTimersByTimeAsync(2_000);
  await answer('other');
  expect(told).toBe(1);
  resource.end();
});

test('a value stays while asking fails, with its time and why, and it is asked more and more seldom', async () => {
  const { resource, calls, answer } = desk();
  resource.want();
  await vi.advanceTimersByTimeAsync(0);
  await answer('one');
  const atMs = now();
  const waits: number[] = [];
  for (let count = calls.length; count < 9; count = calls.length) {
    const beganMs = now();
    while (calls.length === count) await vi.advanceTimersByTimeAsync(500);
    waits.push(now() - beganMs);
    calls.at(-1)?.fail('it broke');
    await vi.advanceTimersByTimeAsync(0);
    expect(resource.get()).toEqual({
      value: 'one',
      freshness: { kind: 'stale', atMs, failure: { message: 'it broke', code: 'internal_server_error' } },
    });
  }
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(2_000);
  expect(waits.at(-1)).toBeGreaterThanOrEqual(15_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(30_500);
  resource.end();
});

test('asking takes at most a twentieth of the time', async () => {
  const { resource, calls, answer } = desk();
  resource.want();
  await vi.advanceTimersByTimeAsync(0);
  await answer('one', 500);
  // Who draws it knows that it is to be so old.
  expect(resource.get().freshness).toMatchObject({ kind: 'live', restMs: 9_500 });
  await vi.advanceTimersByTimeAsync(9_400);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(calls).toHaveLength(2);
  resource.end();
});

test('what was asked before it was forgotten, or ended, changes nothing any more', async () => {
  const { resource, calls, answer } = desk();
  resource.want();
  await vi.advanceTimersByTimeAsync(0);
  const [first] = calls;
  resource.reset();
  first?.give('of another org');
  await vi.advanceTimersByTimeAsync(0);
  expect(resource.get().value).toBeUndefined();
  expect(calls).toHaveLength(2);
  await answer('ours');
  expect(resource.get().value).toBe('ours');
  resource.refresh();
  await vi.advanceTimersByTimeAsync(0);
  resource.end();
  await answer('too late');
  expect(resource.get().value).toBe('ours');
  resource.want();
  resource.refresh();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(3);
});

test('the same words give the same resource, until nobody wanted it for a minute', async () => {
  const kept = cacheByKey<{ idleSinceMs(): number | undefined }>(now);
  const idle: { sinceMs: number | undefined } = { sinceMs: undefined };
  const make = () => ({ idleSinceMs: () => idle.sinceMs });
  const first = kept.by(['health', 'r1'], make);
  await vi.advanceTimersByTimeAsync(3_600_000);
  kept.by(['health', 'r2'], make);
  expect(kept.by(['health', 'r1'], make)).toBe(first);
  idle.sinceMs = now();
  await vi.advanceTimersByTimeAsync(60_000);
  kept.by(['health', 'r3'], make);
  expect(kept.by(['health', 'r1'], make)).toBe(first);
  await vi.advanceTimersByTimeAsync(1);
  kept.by(['health', 'r4'], make);
  expect([...kept.all()]).toHaveLength(1);
});
