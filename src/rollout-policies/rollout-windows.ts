import { parseCron } from '../kernel/calendar/cron.ts';
import type { CalendarWindow } from '../kernel/calendar/windows.ts';
import { dayOf, isZone } from '../kernel/calendar/zone.ts';
import { parseDuration } from '../kernel/duration.ts';
import { badRequest } from '../kernel/errors.ts';
import { checkDuration } from './duration.ts';

/** How a rollout treats gates of robots, with all defaults. */
export interface RolloutGates {
  max_wait: string;
  required: boolean;
}

interface Window {
  cron: string;
  duration: string;
}

/** When robots may be reached, with all defaults; at least one of `download` and `activate`. */
export interface RolloutWindows {
  download?: Window[];
  activate?: Window[];
  blackouts?: { from: string; to: string }[];
  zone: string;
  expected_duration: string;
  at_end: 'finish' | 'cancel';
}

/** The `activate` windows as an order carries them. */
export type OrderWindow = CalendarWindow & Pick<RolloutWindows, 'at_end'>;

/** @throws bad_request, naming the field */
export function readGates(field: string, { max_wait = '1h', required = false }: Partial<RolloutGates>): RolloutGates {
  checkDuration(`${field}.max_wait`, max_wait, 60);
  return { max_wait, required };
}

/** @throws bad_request, naming the field */
export function readWindows(field: string, sent: Partial<RolloutWindows>): RolloutWindows {
  const { download, activate, blackouts, zone = 'robot', expected_duration = '10m', at_end = 'finish' } = sent;
  if (!download && !activate) throw badRequest(`${field}: needs download or activate`);
  if (zone !== 'robot' && !isZone(zone))
    throw badRequest(`${field}.zone: takes a time zone such as Europe/Berlin, or robot, not "${zone}"`);
  checkDuration(`${field}.expected_duration`, expected_duration, 60);
  const least = { text: expected_duration, seconds: parseDuration(expected_duration) ?? 0 };
  download?.forEach((window, index) => checkWindow(`${field}.download.${index}`, window, least));
  activate?.forEach((window, index) => checkWindow(`${field}.activate.${index}`, window, least));
  blackouts?.forEach(({ from, to }, index) => {
    const days = [from, to].map(dayOf) as [number | undefined, number | undefined];
    if (days[0] === undefined || days[1] === undefined)
      throw badRequest(`${field}.blackouts.${index}: takes dates such as 2026-12-24`);
    if (days[0] > days[1]) throw badRequest(`${field}.blackouts.${index}: from is after to`);
  });
  return {
    ...(download && { download }),
    ...(activate && { activate }),
    ...(blackouts && { blackouts }),
    zone,
    expected_duration,
    at_end,
  };
}

function checkWindow(field: string, { cron, duration }: Window, least: { text: string; seconds: number }): void {
  const parsed = parseCron(cron);
  if ('fault' in parsed) throw badRequest(`${field}.cron: ${parsed.fault}`);
  checkDuration(`${field}.duration`, duration, 60);
  if ((parseDuration(duration) ?? 0) < least.seconds)
    throw badRequest(
      `${field}.duration: ${duration} is shorter than the expected duration of an update, ${least.text}`,
    );
}

/** The windows of a rollout for one purpose; undefined if it has none for that. */
export function windowFor(purpose: 'download' | 'activate', windows: RolloutWindows): OrderWindow | undefined {
  const { blackouts, zone, at_end } = windows;
  const openings = windows[purpose]?.map(({ cron, duration }) => ({
    cron,
    duration_s: Math.round(parseDuration(duration) ?? 0),
  }));
  return openings && { openings, zone, ...(blackouts && { blackouts }), at_end };
}
