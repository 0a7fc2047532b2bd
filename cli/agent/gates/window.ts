import type { OrderWait, OrderWindow } from '../../../generated/frames.js';
import { windowState, zoneOf } from '../../../src/kernel/calendar/windows.ts';
import { isZone, wallOf } from '../../../src/kernel/calendar/zone.ts';

/** The time zone of this machine; undefined if it is unknown. */
export const ownZone = (): string | undefined => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The same zone, or that of this machine if Intl does not know it. */
export const knownZone = (zone: string | undefined): string | undefined =>
  zone !== undefined && isZone(zone) ? zone : ownZone();

/** What an order waits for outside of its window; undefined within it. By the clock of the robot. */
export function closedWindow(
  window: OrderWindow,
  robotZone: string | undefined,
  now = new Date(),
): OrderWait | undefined {
  const state = windowState(window, now, robotZone);
  if (state.isOpen) return undefined;
  if (!state.opensAt) return { holder: 'window', reason: 'never opens again' };
  const zone = zoneOf(window, robotZone);
  const opens = new Date(wallOf(state.opensAt.getTime(), zone)).toISOString().slice(0, 16).replace('T', ' ');
  return { holder: 'window', reason: `opens ${opens} ${zone}` };
}
