import type { DeploymentPlan } from '../api/api.ts';
import { clock, localMinute } from './time.ts';
import { span } from './units.ts';

type Forecast = NonNullable<DeploymentPlan['waves'][number]['forecast']>;

const reasons: Readonly<Record<string, string>> = {
  approval: 'after approval',
  paused: 'after a resume',
  robots_offline: 'when robots that are offline connect',
  frozen: 'after the freeze',
  deployment: 'after older deployments',
  window: 'never: no window opens',
};

/** `begins about 14:10, ends about 14:25`; `after approval, takes about 15m`. Times are local. */
export function forecastText(forecast: Forecast | undefined, now: Date = new Date()): string {
  if (!forecast) return '';
  const { starts_at: start, ends_at: end, duration_seconds: seconds, reason } = forecast;
  const why = reason === undefined ? '' : (reasons[reason] ?? reason.replaceAll('_', ' '));
  const parts = [
    start === undefined ? why : `begins about ${timeText(start, now)}`,
    end === undefined ? '' : `ends about ${timeText(end, now)}`,
    start === undefined && seconds !== undefined ? `takes about ${span(seconds)}` : '',
    start !== undefined && why !== '' ? endText(end, reason, why) : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const endText = (end: string | undefined, reason: string | undefined, why: string): string =>
  end !== undefined && reason === 'robots_offline' ? 'offline robots later' : `the rest ${why}`;

/** `measured with 240 robots: half took 1m 4s, 90 % took 2m 31s`. */
export function basisText({ forecast }: DeploymentPlan): string {
  if (!forecast) return '';
  const { kind, robots, median_seconds: half, p90_seconds: most } = forecast.basis;
  const how =
    kind === 'measured' ? `measured with ${robots} ${robots === 1 ? 'robot' : 'robots'}` : 'nothing was measured yet';
  return `${how}: half take ${span(half)}, 90 % take ${span(most)}`;
}

/** `14:10`, with the date on another day. */
function timeText(instant: string, now: Date): string {
  const at = new Date(instant);
  return at.toDateString() === now.toDateString() ? clock(at) : localMinute(instant, now);
}
