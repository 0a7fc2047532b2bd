import type { WebSocket } from 'ws';
import { closeCodes } from '../../generated/protocol.js';
import { closeLink, linkOf, type Link } from './link.ts';
import type { Ending, EndReason, Staleness } from './model.ts';
import type { Wheel } from './timer-wheel.ts';

interface EndingSettings {
  /** The links that are up; those that end are removed. */
  byRobot: Map<string, Link>;
  wheel: Wheel<Link>;
  /** The socket of a link has closed, for any reason. */
  onOver(link: Link): void;
  /** Called with each end that is recorded. */
  note(link: Link, ending: Ending): void;
}

/** How a link ends: by its socket, by another link of its robot, or by a decision made elsewhere. */
export function linkEndings({ byRobot, wheel, onOver, note }: EndingSettings) {
  /** Another party ended this link; it writes nothing any more. */
  function loseTo(link: Link, why: Staleness): void {
    link.stale = true;
    if (byRobot.get(link.robotId) === link) byRobot.delete(link.robotId);
    if (why === 'replaced') closeLink(link, closeCodes.replaced, 'a newer link of this robot took over', 'replaced');
    else if (why === 'gone') closeLink(link, closeCodes.unauthorized, 'the robot was removed', 'unauthorized');
    else closeLink(link, closeCodes.restarting, 'another replica ended the link', 'service_lost');
  }

  function onError(this: WebSocket, error: Error & { code?: string }): void {
    // What ws refuses by itself: too large, not UTF-8, a broken frame. The close event follows.
    if (!error.code?.startsWith('WS_ERR')) return;
    const link = linkOf(this);
    link.endReason ??= 'refused';
  }

  function onClose(this: WebSocket, code: number): void {
    const link = linkOf(this);
    const { state } = link;
    link.state = 'over';
    wheel.delete(link);
    onOver(link);
    if (byRobot.get(link.robotId) === link) byRobot.delete(link.robotId);
    if (state === 'greeting' && link.endReason === 'refused') return end(link, 'refused', undefined);
    if (state !== 'up' || link.stale) return;
    // 1006 means that the connection broke without a close.
    if (code === 1006) end(link, 'lost', undefined);
    else end(link, 'ended', code);
  }

  /** What the agent did counts only if the service did not end the link itself. */
  function end(link: Link, otherwise: EndReason, code: number | undefined): void {
    const { orgId, robotId, epoch, endReason, endCode, closeReason, leaving } = link;
    const reason = endReason ?? leaving ?? otherwise;
    note(link, { orgId, robotId, epoch, reason, code: endReason ? endCode : code, closeReason });
  }

  return { loseTo, end, onError, onClose };
}
