import { expect, test } from 'vitest';
import { waitOf } from '../../../cli/output/deployment-format.ts';

const nowMs = Date.parse('2026-11-21T09:03:00Z');
const since = '2026-11-21T09:00:00Z';

test('a wait is printed with what the service says of it, and for how long', () => {
  const detail = 'budget pickers: 2 of 10 robots are unavailable, at most 2 may be';
  expect(waitOf({ code: 'budget', since, detail }, nowMs)).toBe(
    'a disruption budget: budget pickers: 2 of 10 robots are unavailable, at most 2 may be, for 3m',
  );
  expect(waitOf({ code: 'pace', detail: 'at most 50 robots at the same time' }, nowMs)).toBe(
    'the pace of the rollout: at most 50 robots at the same time',
  );
  expect(waitOf({ code: 'pace', since }, nowMs)).toBe('the pace of the rollout, for 3m');
});
