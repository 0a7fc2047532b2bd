import { setTimeout as sleep } from 'node:timers/promises';
import { closeCodes } from '../../generated/protocol.js';
import { closeLink, type Link } from './link.ts';
import type { EndReason } from './model.ts';

const stepMs = 50;
/** How long the last agents may take to reply to the close. */
const graceMs = 2_000;

interface Drain {
  withinMs: number;
  reason: string; // of the close
  endReason: EndReason;
}

/**
 * Drains links. Agents are notified and leave by themselves within `withinMs`. The others are closed one after the
 * other, so that other replicas are not flooded. Without links, there is no wait.
 */
export async function drainLinks(links: Iterable<Link>, { withinMs, reason, endReason }: Drain): Promise<void> {
  const all = [...links];
  const notice = JSON.stringify({ type: 'drain', within_ms: withinMs });
  for (const link of all) {
    link.leaving = endReason;
    if (link.state === 'up') link.socket.send(notice);
  }
  const startedAt = performance.now();
  for (let closed = 0; closed < all.length;) {
    const due = Math.ceil((all.length * (performance.now() - startedAt)) / withinMs);
    for (const link of all.slice(closed, due)) closeLink(link, closeCodes.restarting, reason, endReason);
    closed = Math.max(closed, due);
    if (closed < all.length) await sleep(Math.min(stepMs, withinMs));
  }
  const isOpen = ({ state }: Link) => state !== 'over';
  for (const deadline = performance.now() + graceMs; all.some(isOpen) && performance.now() < deadline;) await sleep(10);
  for (const { socket } of all.filter(isOpen)) socket.terminate();
}
