import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { closeCodes, limits } from '../../generated/protocol.js';
import { actorOf, auditService } from '../audit/service.ts';
import { newId } from '../kernel/ids.ts';
import { digestOf } from '../kernel/tokens.ts';
import type { Viewers } from '../viewers/service.ts';
import type { Refusal, StreamWish } from './model.ts';
import { pipe, type Passed } from './pipe.ts';

export type { StreamWish };

interface RelaySettings {
  db: Knex;
  log: Logger;
  viewers: Viewers;
  /** Sends a frame to a robot's agent. False where this process does not hold its link. */
  tellAgent(robotId: string, frame: object): boolean;
  openWithinMs?: number; // default: what the protocol says
}

/**
 * A stream between a viewer and an agent. States: opening (the agent was asked) → joined (it dialled back) → over; over from each of them.
 */
interface Session {
  id: string;
  wish: StreamWish;
  secretDigest: Buffer;
  viewer: WebSocket;
  expiry: NodeJS.Timeout;
  beganMs: number;
}

export type Relay = ReturnType<typeof createRelay>;

/** What a viewer that leaves may still get of what was on its way. */
const closeOf: Record<string, [code: number, reason: string]> = {
  forbidden: [closeCodes.forbidden, 'the robot does not allow it'],
  unsupported: [closeCodes.forbidden, 'the agent does not know how'],
  busy: [closeCodes.busy, 'the robot has no place for one more'],
};

/** Live streams that agents dial back for: asked for here, joined here. */
export function createRelay({ db, log, viewers, tellAgent, openWithinMs = limits.openWithinMs }: RelaySettings) {
  const opening = new Map<string, Session>();

  function open(viewer: WebSocket, wish: StreamWish): void {
    const { robotId, kind, protocol, parameters } = wish;
    const id = newId();
    const secret = randomBytes(32).toString('hex');
    const session: Session = {
      id,
      wish,
      secretDigest: digestOf(secret),
      viewer,
      beganMs: performance.now(),
      expiry: setTimeout(
        () => fail(session, closeCodes.agentOffline, 'the robot did not open the stream in time'),
        openWithinMs,
      ),
    };
    opening.set(id, session);
    viewers.add(viewer, wish);
    viewer.pause(); // what is typed meanwhile waits in its socket
    viewer.on('close', () => leave(session));
    const asked = tellAgent(robotId, {
      type: 'open',
      session_id: id,
      kind,
      path: `/agent/streams/${id}`,
      secret,
      expires_at: new Date(Date.now() + openWithinMs).toISOString(),
      ...(protocol !== undefined && { protocol }),
      opened_by: openedBy(wish),
      parameters,
    });
    if (!asked) fail(session, closeCodes.agentOffline, 'agent offline');
  }

  /** The viewer left before the agent came. */
  function leave(session: Session): void {
    clearTimeout(session.expiry);
    if (opening.delete(session.id)) tellAgent(session.wish.robotId, { type: 'close', session_id: session.id });
  }

  function fail(session: Session, code: number, reason: string): void {
    clearTimeout(session.expiry);
    opening.delete(session.id);
    session.viewer.resume(); // a paused socket would never read the other side's close
    session.viewer.close(code, reason);
  }

  function join(session: Session, robot: WebSocket): void {
    const { viewer, wish } = session;
    note(session, 'open', {});
    const passed = pipe(viewer, robot);
    viewer.resume();
    robot.on('error', () => undefined); // its close follows
    robot.on('close', (code, reason) => end(viewer, code, reason));
    viewer.on('close', (code) => {
      end(robot, code, '');
      note(session, 'close', { ...tellOf(session, passed), code });
    });
    log.debug({ orgId: wish.orgId, robotId: wish.robotId, session: session.id }, 'a stream was joined');
  }

  /** Who watched what, for how long; the end of one that a crash cut is missing, its begin is not. */
  function note({ id, wish }: Session, what: 'open' | 'close', facts: object): void {
    const { orgId, robotId, kind, caller, requestId } = wish;
    auditService(db)
      .record(orgId, {
        actor: actorOf(caller),
        requestId,
        operation: `${what}${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)}`,
        objectKind: 'robot',
        objectId: robotId,
        after: { session_id: id, ...facts },
      })
      .catch((error: unknown) =>
        log.error({ err: error, orgId, robotId }, 'a stream could not be written into the audit log'),
      );
  }

  return {
    open,

    /** The session that a dial-back is for; undefined for one that is unknown, over or joined, and for a wrong secret. */
    find(sessionId: string, secret: string): { orgId: string; robotId: string; sessionId: string } | undefined {
      const session = opening.get(sessionId);
      if (!session || !timingSafeEqual(session.secretDigest, digestOf(secret))) return undefined;
      const { orgId, robotId } = session.wish;
      return { orgId, robotId, sessionId };
    },

    /** Takes the session that was found: its secret is good once. Undefined where another dial-back came first. */
    claim(sessionId: string): ((robot: WebSocket) => void) | undefined {
      const session = opening.get(sessionId);
      if (!session) return undefined;
      opening.delete(sessionId);
      clearTimeout(session.expiry);
      return (robot) => join(session, robot);
    },

    /** The agent does not open it. */
    refuse(robotId: string, { sessionId, reason, message }: Refusal): void {
      const session = opening.get(sessionId);
      if (session?.wish.robotId !== robotId) return;
      const [code, usual] = closeOf[reason] ?? [closeCodes.serverError, 'the robot could not open the stream'];
      fail(session, code, (message ?? usual).slice(0, 40));
    },
  };
}

/** Who goes on with a shell must be who began it: the person, or the token where there is none. */
const openedBy = ({ caller, tokenId }: StreamWish) =>
  caller.kind === 'user' ? `user:${caller.userId}` : `token:${tokenId}`;

const tellOf = ({ beganMs }: Session, { fromViewer, toViewer }: Passed) => ({
  seconds: Math.round((performance.now() - beganMs) / 100) / 10,
  bytes_from_viewer: fromViewer,
  bytes_to_viewer: toViewer,
});

/** Passes the end of one side on to the other; 1005 and 1006 never stand in a frame. */
function end(socket: WebSocket, code: number, reason: Buffer | string): void {
  if (code === 1006) socket.close(closeCodes.agentOffline, 'the connection to the robot was lost');
  else socket.close(code === 1005 ? closeCodes.ended : code, reason);
}
