import { expect, test } from 'vitest';
import { allowedBy, spend, type PaceTokens } from '../../../../src/deployments/engine/admission/pace.ts';
import { readRollout, type RolloutPace } from '../../../../src/rollout-policies/service.ts';

const facts = { nowMs: 1_000_000, applied: 0, inFlight: 0, before: undefined };
const second = 1_000;

/** Robots that are sent it within `seconds`, if it is looked at every `everyMs`, by second. */
function sentWithin(pace: RolloutPace, seconds: number, everyMs = 250): number[] {
  const sent: number[] = [];
  let before: PaceTokens | undefined;
  for (let ms = 0; ms < seconds * second; ms += everyMs) {
    const applied = sent.reduce((sum, count) => sum + count, 0);
    const { rate, tokens } = allowedBy(pace, { nowMs: ms, applied, inFlight: 0, before });
    before = tokens && spend(tokens, rate);
    const at = Math.floor(ms / second);
    sent[at] = (sent[at] ?? 0) + rate;
  }
  return sent;
}
const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

test('without a limit any number of robots may be sent it', () => {
  expect(allowedBy({}, facts)).toMatchObject({ inFlight: Infinity, rate: Infinity });
});

test('robots that work on it take room until they have ended', () => {
  expect(allowedBy({ max_in_flight: 5 }, { ...facts, inFlight: 3 }).inFlight).toBe(2);
  expect(allowedBy({ max_in_flight: 5 }, { ...facts, inFlight: 7 }).inFlight).toBe(0);
});

test('a rate is kept over any time, with what 10 seconds allow at once', () => {
  const sent = sentWithin({ per_minute: 60 }, 120);
  expect(sent.slice(0, 12)).toEqual([10, ...Array<number>(11).fill(1)].map((count, at) => (at === 0 ? count : 1)));
  expect(sum(sent)).toBe(10 + 119);
  expect(sum(sentWithin({ per_minute: 7 }, 600))).toBeLessThanOrEqual(71);
  expect(sum(sentWithin({ per_minute: 7 }, 600))).toBeGreaterThanOrEqual(69);
});

test('a rate below one robot in ten seconds sends one at once and then waits for the time of each', () => {
  const first = allowedBy({ per_minute: 2 }, facts);
  expect(first.rate).toBe(1);
  const before = first.tokens && spend(first.tokens, 1);
  const next = allowedBy({ per_minute: 2 }, { ...facts, nowMs: facts.nowMs + 5 * second, before });
  expect(next).toMatchObject({ rate: 0 });
  expect(next.nextMs).toBeCloseTo(25 * second, 3);
  expect(allowedBy({ per_minute: 2 }, { ...facts, nowMs: facts.nowMs + 30 * second, before }).rate).toBe(1);
});

test('a rate is not caught up after a pause', () => {
  const before = { count: 0, atMs: facts.nowMs - 3_600 * second };
  expect(allowedBy({ per_minute: 60 }, { ...facts, before }).rate).toBe(10);
});

test('a clock that is set back neither gives nor takes room', () => {
  const before = { count: 0.4, atMs: facts.nowMs + 60 * second };
  expect(allowedBy({ per_minute: 60 }, { ...facts, before })).toMatchObject({ rate: 0, tokens: { count: 0.4 } });
});

test('a rate grows with what was applied, up to its limit', () => {
  const growth = { factor: 2, after_applied: 10, up_to: 600 };
  const rateAt = (applied: number) => allowedBy({ per_minute: 60, growth }, { ...facts, applied }).rate;
  expect([0, 9, 10, 19, 20, 30, 40, 5_000].map(rateAt)).toEqual([10, 10, 20, 20, 40, 80, 100, 100]);
});

test('a rate that grows without a limit stays a number', () => {
  const growth = { factor: 100, after_applied: 1 };
  expect(allowedBy({ per_minute: 60, growth }, { ...facts, applied: 200_000 }).rate).toBe(33_333);
});

test.each([
  [{ growth: { factor: 2, after_applied: 1 } }, 'pace.growth: needs per_minute'],
  [{ per_minute: 10, growth: { factor: 2, after_applied: 1, up_to: 5 } }, 'up_to: must be at least per_minute, 10'],
])('the pace %j is refused', (pace, message) => {
  expect(() => readRollout('rollout', { waves: [{ count: 1 }], pace })).toThrow(message);
});
