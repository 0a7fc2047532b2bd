import type { Bus } from '../platform/bus/bus.ts';
import { sendFrame, type Link } from './link.ts';

/**
 * Asks agents for a new value of their token, once per link and rotation. The hint may arrive twice, from this replica
 * and over the bus, and the join may already have read the request. A robot without a link is asked on its next one.
 */
export function rotationRequests(bus: Bus, linkOf: (robotId: string) => Link | undefined) {
  /** `wantedAtMs`: when the rotation was requested, by the database's clock. */
  function ask(link: Link, wantedAtMs: number): void {
    if (link.rotationAskedMs === wantedAtMs) return;
    link.rotationAskedMs = wantedAtMs;
    sendFrame(link, JSON.stringify({ type: 'rotate' }));
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
