import { closeCodes } from '../../generated/protocol.js';
import { connectionOf } from '../platform/ws/connection.ts';
import { AgentSocket, closeLink, type Link } from './link.ts';
import type { LinkLimits } from './model.ts';

/**
 * A little longer than most heartbeat intervals: an agent that was heard needs no ping, and the wheel checks at
 * intervals.
 */
const pingAfter = 1.2;

type LivenessLimits = Pick<LinkLimits, 'helloWithinMs' | 'deadAfterMs' | 'pingEveryMs'>;

/**
 * Ends links that are silent for too long, and pings those that may be. `beat`: a link that is up was heard.
 *
 * Bytes after the first ping of a silence are a sign of life too: on a slow uplink, a frame of logs takes minutes, and
 * pongs wait behind it. They are counted only where a link would be ended, and spare the agent no pings: it may hear
 * nothing else until its frame has arrived.
 */
export const liveness =
  (limits: LivenessLimits, beat: (link: Link) => void) =>
  (link: Link, nowMs: number): void => {
    if (link.state === 'greeting' && nowMs - link.openedMs >= limits.helloWithinMs)
      return closeLink(link, closeCodes.helloTimeout, 'hello did not arrive in time', 'refused');
    if (link.paused) link.heardMs = nowMs;
    if (nowMs - link.heardMs >= limits.deadAfterMs) {
      if (connectionOf(link.socket).bytesRead === link.readBytes) {
        link.endReason ??= 'timeout';
        return link.socket.terminate();
      }
      link.heardMs = nowMs;
    }
    // Pings and pongs count as signs of life of an agent whose heartbeats are rare.
    if (link.state === 'up' && link.heardMs > link.beatMs && nowMs - link.beatMs > 1.5 * limits.pingEveryMs) beat(link);
    const lastMs = Math.max(link.pingedMs, link.heardMs);
    if (nowMs - lastMs < pingAfter * limits.pingEveryMs || link.socket.readyState !== AgentSocket.OPEN) return;
    if (link.pingedMs <= link.heardMs) link.readBytes = connectionOf(link.socket).bytesRead;
    link.pingedMs = nowMs;
    link.socket.ping();
  };
