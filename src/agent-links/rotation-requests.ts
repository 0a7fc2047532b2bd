import type { Bus } from '../platform/bus/bus.ts';
import { say, type Link } from './link.ts';

/**
 * Asks agents for a new value of their token, once per link for each rotation: its hint may arrive twice, by the replica itself and over the bus,
 * and the join may have read it already. A robot without a link hears of it with its next one.
 */
export function rotationRequests(bus: Bus, linkOf: (robotId: string) => Link | undefined) {
  /** `wantedAtMs`: when the rotation was wanted, by the clock of the database. */
  function ask(link: Link, wantedAtMs: number): void {
    if (link.rotationAskedMs === wantedAtMs) return;
    link.rotationAskedMs = wantedAtMs;
    say(link, JSON.stringify({ type: 'rotate' }));
  }

  bus.subscribe({
    hint(hint) {
      if (hint.topic !== 'rotation_wanted') return;
      const link = linkOf(hint.robotId);
      if (link) ask(link, hint.wantedAtMs);
    },
    reset() {}, // the next join reads it
  });

  return ask;
}
