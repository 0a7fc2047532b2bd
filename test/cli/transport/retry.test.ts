import { expect, test } from 'vitest';
import { refusalOf } from '../../../cli/agent/refusal.ts';
import { isRepeatable, retryClassOf, retryAfterSeconds, retryWaitMs } from '../../../cli/transport/retry.ts';

const tries = { attempt: 1, maxTries: 3, maxWaitSeconds: 10, isRepeatable: true };

test('a status passes by itself, may pass, or is final', () => {
  for (const status of [429, 502, 503, 504]) expect(retryClassOf(status, undefined), `${status}`).toBe('temporary');
  for (const status of [408, 500, 501]) expect(retryClassOf(status, undefined), `${status}`).toBe('unclear');
  for (const status of [400, 401, 403, 404, 409, 413])
    expect(retryClassOf(status, undefined), `${status}`).toBe('final');
  expect([401, 404, 409].map((status) => retryClassOf(status, 0))).toEqual(['unclear', 'unclear', 'temporary']);
});

test('Retry-After is read in seconds and as a date, by the clock of its sender', () => {
  const date = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toUTCString();
  expect(retryAfterSeconds('7', undefined)).toBe(7);
  expect(retryAfterSeconds(date(90), date(30))).toBe(60);
  expect(retryAfterSeconds(date(30), date(90))).toBe(0);
  const soon = retryAfterSeconds(new Date(Date.now() + 60_000).toUTCString(), null);
  expect(soon).toBeGreaterThan(50);
  expect(soon).toBeLessThanOrEqual(60);
  for (const text of ['soon', '1.5', '-1', '', '2026-01-01', null, undefined])
    expect(retryAfterSeconds(text, date(0)), String(text)).toBeUndefined();
});

test('only what is safe to repeat is repeated, and any call that was not begun', () => {
  const unsafe = { ...tries, isRepeatable: false };
  expect(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => isRepeatable(method, false))).toEqual([
    'GET',
    'HEAD',
  ]);
  expect(isRepeatable('POST', true)).toBe(true);
  expect(retryWaitMs('lost', unsafe)).toBeUndefined();
  expect(retryWaitMs({ status: 503, retryAfter: 0 }, unsafe)).toBeUndefined();
  expect(retryWaitMs({ status: 429, retryAfter: undefined }, unsafe)).toBeGreaterThan(0);
});

test('waits double and are spread, never come before Retry-After, and end', () => {
  const waits = (outcome: Parameters<typeof retryWaitMs>[0], attempt: number) =>
    Array.from({ length: 100 }, () => retryWaitMs(outcome, { ...tries, attempt, maxTries: 20 }) ?? 0);
  for (const [attempt, ceilingMs] of [
    [1, 500],
    [2, 1_000],
    [5, 8_000],
    [9, 8_000],
  ] as const) {
    const sorted = waits('lost', attempt).sort((a, b) => a - b);
    expect(sorted[0]).toBeGreaterThanOrEqual(ceilingMs / 2);
    expect(sorted.at(-1)).toBeLessThanOrEqual(ceilingMs);
    expect(sorted.at(-1)).toBeGreaterThan(sorted[0] ?? 0);
  }
  for (const waitMs of waits({ status: 503, retryAfter: 4 }, 1)) {
    expect(waitMs).toBeGreaterThanOrEqual(4_000);
    expect(waitMs).toBeLessThanOrEqual(5_000);
  }
  expect(retryWaitMs({ status: 503, retryAfter: 11 }, tries)).toBeUndefined();
  expect(retryWaitMs('lost', { ...tries, attempt: 3 })).toBeUndefined();
});

test('an agent asks again after all that may pass, five minutes later at most', () => {
  expect(refusalOf({ status: 404, headers: {} })).toEqual({ isFinal: true, minWaitMs: 0 });
  expect(refusalOf({ status: 500, headers: {} })).toEqual({ isFinal: false, minWaitMs: 0 });
  const suspended = { status: 401, headers: { 'retry-after': '60' } };
  expect(refusalOf(suspended)).toEqual({ isFinal: false, minWaitMs: 60_000 });
  expect(refusalOf({ status: 429, headers: { 'retry-after': '3600' } }).minWaitMs).toBe(300_000);
});
