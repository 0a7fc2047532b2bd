import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { closeCodes } from '../../generated/protocol.js';
import { actorOf, auditService } from '../audit/service.ts';
import { Unavailable } from '../kernel/errors.ts';
import { isId, newId } from '../kernel/ids.ts';
import { digestOf } from '../kernel/tokens.ts';
import type { Peers } from '../platform/cluster/peers.ts';
import { brakesOf } from '../platform/ws/brakes.ts';
import { keepAlive } from '../platform/ws/keep-alive.ts';
import type { Fault, ShellSessions } from '../sessions/service.ts';
import type { LinkPlace, LinkService } from '../streams/service.ts';
import type { Viewers } from '../viewers/service.ts';
import { asking, type Asked } from './asking.ts';
import { closeForRobot, closeNow, closeOfRefusal, endAfterRobot } from './closing.ts';
import { forwarding } from './forwarding.ts';
import type { Arrival, OpenFrame, Refusal, StreamWish } from './model.ts';
import { hold, pipe, type Frame, type Passed } from './pipe.ts';

export type { Arrival, StreamWish };

interface RelaySettings {
  db: Knex;
  log: Logger;
  viewers: Viewers;
  sessions: ShellSessions;
  links: Pick<LinkService, 'replicaId' | 'tell' | 'placeOf' | 'urlOf'>;
  peers: Peers | undefined; // without them ends must meet on one replica
}

/**
 * A stream between a viewer and an agent, held where the viewer is. States: opening (the agent was asked) → joined (it dialled back) → over; over
 * from each of them.
 */
interface Session {
  id: string;
  wish: StreamWish;
  secretDigest: Buffer;
  viewer: WebSocket;
  early(): Frame[]; // what the viewer sent while the agent was waited for
  asked: Asked | undefined;
  robot: WebSocket | undefined; // once it is joined
  joinedMs: number;
  expiry: NodeJS.Timeout;
}

export type Relay = ReturnType<typeof createRelay>;

const notConfigured =
  'the robot is connected to another replica of the service, and replicas do not reach each other: set SERVICE_REPLICA_URL and SERVICE_CLUSTER_SECRET';

/** Live streams that agents dial back for: asked for here, joined here. */
export function createRelay({ db, log, viewers, sessions, links, peers }: RelaySettings) {
  const { openWithinMs } = viewers.limits;
  const { replicaId, tell: tellAgent } = links;
  const opening = new Map<string, Session>();
  const notes = new Set<Promise<void>>(); // that are being written
  const agents = asking({ replicaId, peers, log, tellAgent, forgetAfterMs: 2 * openWithinMs });
  const forwards = peers && forwarding({ peers, liveness: viewers.limits });

  /** Takes a viewer's socket over and asks the agent for the other end. */
  function open(viewer: WebSocket, wish: StreamWish, place: LinkPlace): void {
    const id = newId();
    const secret = randomBytes(32).toString('hex');
    const session: Session = {
      id,
      wish,
      secretDigest: digestOf(secret),
      viewer,
      early: hold(viewer),
      asked: undefined,
      robot: undefined,
      joinedMs: NaN,
      expiry: setTimeout(() => {
        opening.delete(id);
        session.asked?.cancel();
        closeNow(viewer, [closeCodes.agentOffline, 'the robot did not open the stream in time']);
      }, openWithinMs),
    };
    opening.set(id, session);
    viewer.on('close', () => leave(session));
    viewers.add(viewer, wish, (code) => session.robot && closeNow(session.robot, closeForRobot(code)));
    if (viewer.readyState !== viewer.OPEN) return;
    session.asked = agents.ask(place, wish.robotId, frameOf(session, secret), {
      refused: (refusal) => refuse(wish.robotId, refusal),
      failed: (code, reason) => fail(session, code, reason),
    });
  }

  const frameOf = ({ id, wish }: Session, secret: string): OpenFrame => ({
    type: 'open',
    session_id: id,
    kind: wish.kind,
    path: `/agent/streams/${replicaId}/${id}`,
    secret,
    expires_at: new Date(Date.now() + openWithinMs).toISOString(),
    ...(wish.protocol !== undefined && { protocol: wish.protocol }),
    opened_by: openedBy(wish),
    recorded: wish.recorded,
    parameters: wish.parameters,
  });

  /** The viewer left; also before the agent came. */
  function leave({ id, expiry, asked }: Session): void {
    clearTimeout(expiry);
    if (opening.delete(id)) asked?.cancel();
  }

  /** The agent will not come. */
  function fail({ id, expiry, viewer }: Session, code: number, reason: string | Buffer): void {
    if (!opening.delete(id)) return;
    clearTimeout(expiry);
    closeNow(viewer, [code, reason]);
  }

  function refuse(robotId: string, refusal: Refusal): void {
    const session = opening.get(refusal.sessionId);
    if (!session) return agents.pass(robotId, refusal);
    if (session.wish.robotId !== robotId) return;
    session.asked?.settle();
    fail(session, ...closeOfRefusal(refusal.reason, refusal.message));
  }

  function join(session: Session, robot: WebSocket): void {
    const { viewer } = session;
    clearTimeout(session.expiry);
    session.robot = robot;
    session.joinedMs = performance.now();
    keepAlive(robot, viewers.limits);
    endAfterRobot(viewer, robot);
    if (viewer.readyState !== viewer.OPEN) return closeNow(robot, closeForRobot(closeCodes.ended));
    note(session, 'open', { recorded: session.wish.recorded });
    const early = session.early();
    const { protocol, parameters } = session.wish;
    const onFault = (fault: Fault) => {
      const [code, reason] = faults[fault];
      closeNow(viewer, [code, reason]);
      closeNow(robot, closeForRobot(code));
    };
    const brake = brakesOf(robot);
    const ends = { viewer, robot, brake: brake(), early, protocol, parameters, onFault };
    const noteEnd = sessions.begin(factsOf(session), ends);
    const passed = pipe(viewer, robot, { early, brake: brake() });
    viewer.on('close', (code) => {
      closeNow(robot, closeForRobot(code));
      const told = tellOf(session, passed);
      note(session, 'close', { ...told, code });
      noteEnd({
        seconds: told.seconds,
        bytesFromViewer: passed.fromViewer,
        bytesToViewer: passed.toViewer,
        closeCode: code,
      });
    });
  }

  /** Who watched what, for how long; the end of one that a crash cut is missing, its begin is not. */
  function note({ id, wish }: Session, what: 'open' | 'close', facts: object): void {
    const { orgId, robotId, kind, caller, requestId } = wish;
    const written = (async () => {
      await auditService(db).record(orgId, {
        actor: actorOf(caller),
        requestId,
        operation: `${what}${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)}`,
        objectKind: 'robot',
        objectId: robotId,
        after: { session_id: id, ...facts },
      });
    })().catch((error: unknown) =>
      log.error({ err: error, orgId, robotId }, 'a stream could not be written into the audit log'),
    );
    notes.add(written);
    void written.finally(() => notes.delete(written));
  }

  /** The session that a dial-back is for; undefined for one that is unknown, over or joined, and for a wrong secret. */
  function find(sessionId: string, secret: string): Arrival | undefined {
    const session = opening.get(sessionId);
    if (!session || !timingSafeEqual(session.secretDigest, digestOf(secret))) return undefined;
    return {
      orgId: session.wish.orgId,
      sessionId,
      claim() {
        if (!opening.delete(sessionId)) return undefined; // its secret is good once
        session.asked?.settle();
        return (robot) => join(session, robot);
      },
      drop: () => undefined, // its time runs on until it is joined
    };
  }

  return {
    open,

    /** Where the agent of a robot is to be asked; undefined for one that is offline. @throws Unavailable for one that cannot be asked from here */
    async placeOf(orgId: string, robotId: string): Promise<LinkPlace | undefined> {
      const place = await links.placeOf(orgId, robotId);
      if (!place || place.replicaId === replicaId || (peers && place.url !== undefined)) return place;
      log.warn({ orgId, robotId, replica: place.replicaId }, notConfigured);
      throw new Unavailable(notConfigured, { retryAfterSeconds: 1 });
    },

    find,

    /** As `find`, for a session that another replica may hold. @throws Unavailable where that cannot be asked */
    async findAnywhere(holderId: string, sessionId: string, secret: string): Promise<Arrival | undefined> {
      if (holderId === replicaId) return find(sessionId, secret);
      if (!isId(holderId) || !isId(sessionId)) return undefined;
      const url = await links.urlOf(holderId);
      if (url === undefined) return undefined;
      if (url !== null && forwards) return forwards.reach({ replicaId: holderId, url }, sessionId, secret);
      log.warn({ replica: holderId }, notConfigured);
      throw new Unavailable(notConfigured, { retryAfterSeconds: 1 });
    },

    /** The agent of a robot that is linked here does not open it. */
    refuse,

    /** Takes the socket by which another replica asks for an agent that is linked here. */
    answer: agents.answer,

    /** What another replica signed, for the path that it asks for. */
    check: (grant: string, path: string) => peers?.check(grant, path),

    /** Ends what passes through for other replicas. */
    stop(): void {
      agents.stop();
      forwards?.stop();
    },

    /** Resolves when what is known of streams that are over is in the audit log. */
    async written(): Promise<void> {
      await Promise.all(notes);
    },
  };
}

/** Who goes on with a shell must be who began it: the person, or the token where there is none. */
const openedBy = ({ caller, tokenId }: StreamWish) =>
  caller.kind === 'user' ? `user:${caller.userId}` : `token:${tokenId}`;

const factsOf = ({ id, wish: { orgId, robotId, tokenId, caller, recorded } }: Session) => {
  const userId = caller.kind === 'user' ? caller.userId : undefined;
  return { id, orgId, robotId, tokenId, userId, recorded };
};

/** A recording that is full ends the shell; where it was only not written, another one may go on with it. */
const faults: Record<Fault, [code: number, reason: string]> = {
  full: [closeCodes.forbidden, 'the recording of this shell is full'],
  not_written: [closeCodes.tryLater, 'this shell cannot be recorded now'],
};

const tellOf = ({ joinedMs }: Session, { fromViewer, toViewer }: Passed) => ({
  seconds: Math.round((performance.now() - joinedMs) / 100) / 10,
  bytes_from_viewer: fromViewer,
  bytes_to_viewer: toViewer,
});
