import { expect, onTestFinished, test, vi } from 'vitest';
import { grantCache } from '../../src/tokens/grants.ts';
import type { TokenGrant } from '../../src/tokens/model.ts';
import { silentBus } from '../bench/harness/silent-bus.ts';

/** Looks a token up again and again; `reads` counts how often that was in the database. */
function lookUps(expiresAt: Date | undefined) {
  const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01';
  const caller = { kind: 'org', orgId: id, tokenId: id, role: 'admin' } as TokenGrant['caller'];
  const cache = grantCache(silentBus);
  let reads = 0;
  const read = async () => {
    reads += 1;
    return [{ caller, expiresAt, orgSuspended: false }];
  };
  return async () => {
    await cache(Buffer.from('digest'), read);
    return reads;
  };
}

test.each([
  ['a token without end', 60_000, undefined],
  ['a token that expires', 20_000, 20_000],
])('a clock that is set back does not let the grants of %s live longer', async (_token, livesMs, expiresInMs) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const reads = lookUps(expiresInMs === undefined ? undefined : new Date(Date.now() + expiresInMs));
  expect(await reads()).toBe(1);
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(livesMs - 1);
  expect(await reads()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await reads()).toBe(2);
});
