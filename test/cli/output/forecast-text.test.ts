import { expect, test } from 'vitest';
import { basisText, forecastText } from '../../../cli/output/forecast-text.ts';
import type { DeploymentPlan } from '../../../cli/api/api.ts';
import { clock, localMinute } from '../../../cli/output/time.ts';

const now = new Date('2026-11-21T12:00:00Z');
const [soon, later] = ['2026-11-21T12:10:00.000Z', '2026-11-21T12:25:00.000Z'];
const at = (instant: string) => clock(new Date(instant));

test('a forecast says when it begins and ends, with the date on another day', () => {
  const forecast = { starts_at: soon, ends_at: later, duration_seconds: 900 };
  expect(forecastText(forecast, now)).toBe(`begins about ${at(soon)}, ends about ${at(later)}`);
  const day = '2026-11-23T12:10:00.000Z';
  expect(forecastText({ ...forecast, ends_at: day }, now)).toBe(
    `begins about ${at(soon)}, ends about ${localMinute(day, now)}`,
  );
  expect(forecastText(undefined, now)).toBe('');
});

test('what is unknown has its reason, and how long it takes', () => {
  expect(forecastText({ reason: 'approval', duration_seconds: 900 }, now)).toBe('after approval, takes about 15m');
  expect(forecastText({ reason: 'window' }, now)).toBe('never: no window opens');
  expect(forecastText({ starts_at: soon, reason: 'paused' }, now)).toBe(
    `begins about ${at(soon)}, the rest after a resume`,
  );
  expect(forecastText({ starts_at: soon, ends_at: later, reason: 'robots_offline' }, now)).toBe(
    `begins about ${at(soon)}, ends about ${at(later)}, offline robots later`,
  );
  expect(forecastText({ reason: 'full_moon' }, now)).toBe('full moon');
});

test('the basis says how many robots were measured', () => {
  const basis = { kind: 'measured', robots: 240, median_seconds: 64.2, p90_seconds: 151 };
  const text = (forecast: DeploymentPlan['forecast']) => basisText({ forecast } as DeploymentPlan);
  expect(text({ basis })).toBe('measured with 240 robots: half take 1m 4s, 90 % take 2m 31s');
  expect(text({ basis: { ...basis, kind: 'default', robots: 0 } })).toMatch(/^nothing was measured yet: half take 1m/);
});
