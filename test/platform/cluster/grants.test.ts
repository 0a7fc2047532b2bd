import { expect, test, vi } from 'vitest';
import { clusterGrants } from '../../../src/platform/cluster/grants.ts';

test('used grants are forgotten once they have expired, also after the clock was decades ahead', () => {
  let nowMs = Date.UTC(2100, 0);
  const grants = clusterGrants('me', ['secret'], () => nowMs);
  const use = () => grants.check(grants.sign('me', '/', {}), '/');
  expect(use()).toEqual({});
  nowMs = Date.UTC(2026, 0);
  using forget = vi.spyOn(Map.prototype, 'delete');
  expect(use()).toEqual({});
  expect(forget).toHaveBeenCalledTimes(1);
  nowMs += 31_000;
  expect(use()).toEqual({});
  expect(forget).toHaveBeenCalledTimes(2);
});
