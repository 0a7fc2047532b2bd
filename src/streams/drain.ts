import { setTimeout as sleep } from 'node:timers/promises';
import { closeCodes } from '../../generated/protocol.js';
import { closeLink, type Link } from './link.ts';
import type { LinkLimits } from './model.ts';

const stepMs = 50;
/** How long the last agents may take to answer the close. */
const graceMs = 2_000;

/**
 * Ends all links as the service stops: agents are told and leave by themselves in that time, those that do not are closed one after the other,
 * so that the other replicas are not stormed. No links, no wait.
 */
export async function drainLinks(
  links: () => Iterable<Link>,
  { drainPerSecond, drainMaxMs }: Pick<LinkLimits, 'drainPerSecond' | 'drainMaxMs'>,
): Promise<void> {
  const all = [...links()];
  const withinMs = Math.min(drainMaxMs, Math.ceil((all.length * 1_000) / drainPerSecond));
  const notice = JSON.stringify({ type: 'drain', within_ms: withinMs });
  for (const { state, socket } of all) if (state === 'up') socket.send(notice);
  const startedAt = performance.now();
  for (let closed = 0; closed < all.length;) {
    const due = Math.ceil((all.length * (performance.now() - startedAt)) / withinMs);
    for (const link of all.slice(closed, due))
      closeLink(link, closeCodes.restarting, 'the service is stopping', 'service_stopped');
    closed = Math.max(closed, due);
    if (closed < all.length) await sleep(Math.min(stepMs, withinMs));
  }
  const isOpen = ({ state }: Link) => state !== 'over';
  for (const deadline = performance.now() + graceMs; all.some(isOpen) && performance.now() < deadline;) await sleep(10);
  for (const { socket } of all.filter(isOpen)) socket.terminate();
}
