import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { closeCodes } from '../../../generated/protocol.js';
import { conflict, Unavailable } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { digestOf } from '../../kernel/tokens.ts';
import type { Peers } from '../../platform/cluster/peers.ts';
import { keepAlive, type KeepAliveTimes } from '../../platform/ws/keep-alive.ts';
import type { LinkPlace, LinkService } from '../../agent-links/service.ts';
import { agentRequests, type AgentRequest } from './agent-requests.ts';
import { closeNow, closeOfRefusal } from './close-codes.ts';
import { replicaProxy } from './replica-proxy.ts';
import type { AuthenticatedDialBack, DialBackRequest, DialBackOutcome, OpenFrame, Refusal } from './model.ts';

interface DialBackSettings {
  log: Logger;
  links: Pick<LinkService, 'replicaId' | 'tell' | 'placeOf' | 'isReturning' | 'urlOf'>;
  peers: Peers | undefined; // without them both ends must be on one replica
  openWithinMs: number; // how long an agent may take to dial back
  liveness: KeepAliveTimes;
}

/** States: waiting (the agent was asked) → claimed (the agent dials back) → over. Each state may change to over. */
interface Waiting {
  state: 'waiting' | 'claimed' | 'over';
  request: DialBackRequest;
  outcome: DialBackOutcome;
  secretDigest: Buffer;
  asked: AgentRequest | undefined;
  expiry: NodeJS.Timeout;
}

export type DialBacks = ReturnType<typeof createDialBacks>;

/** How often a link that moves between replicas is looked up. */
const lookEveryMs = 250;

const notConfigured =
  'the robot is connected to another replica of the service, and the replicas cannot reach each other: set SERVICE_REPLICA_URL and SERVICE_CLUSTER_SECRET';

/**
 * Asks agents, wherever they are linked, for sockets. The agents dial back to any replica, and the caller gets the
 * socket.
 */
export function createDialBacks({ log, links, peers, openWithinMs, liveness }: DialBackSettings) {
  const { replicaId, tell: tellAgent } = links;
  const waiting = new Map<string, Waiting>(); // by session
  const agents = agentRequests({ replicaId, peers, log, tellAgent, forgetAfterMs: 2 * openWithinMs });
  const forwards = peers && replicaProxy({ peers, liveness });

  const frameOf = (request: DialBackRequest, secret: string): OpenFrame => ({
    type: 'open',
    session_id: request.sessionId,
    kind: request.kind,
    path: `/agent/streams/${replicaId}/${request.sessionId}`,
    secret,
    expires_at: new Date(Date.now() + openWithinMs).toISOString(),
    ...(request.protocol !== undefined && { protocol: request.protocol }),
    ...(request.openedBy !== undefined && { opened_by: request.openedBy }),
    ...(request.recorded !== undefined && { recorded: request.recorded }),
    parameters: request.parameters,
  });

  /** Returns the state before. */
  function end(entry: Waiting): Waiting['state'] {
    const { state } = entry;
    entry.state = 'over';
    waiting.delete(entry.request.sessionId);
    clearTimeout(entry.expiry);
    return state;
  }

  function cancel(entry: Waiting): void {
    if (end(entry) === 'waiting') entry.asked?.cancel();
  }

  function fail(entry: Waiting, code: number, reason: string | Buffer): void {
    if (end(entry) !== 'over') entry.outcome.failed(code, reason);
  }

  /**
   * Asks again wherever the link is now, until the agent dials back or the request expires. If the robot is offline and
   * not expected back, the request fails with `why`.
   */
  async function askAgain(entry: Waiting, frame: OpenFrame, why: [code: number, reason: string]): Promise<void> {
    const { orgId, robotId } = entry.request;
    const isWanted = () => entry.state === 'waiting'; // the agent may dial back meanwhile, or the viewer leave
    await sleep(lookEveryMs);
    if (!isWanted()) return;
    const place = await links.placeOf(orgId, robotId);
    const isExpected = place !== undefined || (await links.isReturning(orgId, robotId));
    if (!isWanted()) return;
    if (place) ask(place, entry, frame);
    else if (isExpected) await askAgain(entry, frame, why);
    else fail(entry, ...why);
  }

  function ask(place: Pick<LinkPlace, 'replicaId' | 'url'>, entry: Waiting, frame: OpenFrame): void {
    const { robotId } = entry.request;
    entry.asked = agents.ask(place, robotId, frame, {
      refused: (refusal) => refuse(robotId, refusal),
      failed: (code, reason) => fail(entry, code, reason),
      moved: (...why) =>
        void askAgain(entry, frame, why).catch((error: unknown) => {
          log.warn({ err: error, robotId }, 'the link of a robot could not be read');
          if (entry.state === 'waiting') fail(entry, ...why);
        }),
    });
  }

  function refuse(robotId: string, refusal: Refusal): void {
    const found = waiting.get(refusal.sessionId);
    if (!found) return agents.pass(robotId, refusal);
    if (found.request.robotId !== robotId) return;
    found.asked?.settle();
    fail(found, ...closeOfRefusal(refusal.reason, refusal.message));
  }

  /** The session of a dial-back. Undefined if it is unknown, over or joined, or if the secret is wrong. */
  function find(sessionId: string, secret: string): AuthenticatedDialBack | undefined {
    const found = waiting.get(sessionId);
    if (!found || !timingSafeEqual(found.secretDigest, digestOf(secret))) return undefined;
    const { orgId, kind } = found.request;
    return {
      orgId,
      sessionId,
      kind,
      claim() {
        if (found.state !== 'waiting') return undefined;
        found.state = 'claimed';
        waiting.delete(sessionId); // its secret is valid once
        found.asked?.settle();
        return (robot) => {
          keepAlive(robot, liveness);
          robot.on('error', () => undefined); // its close follows
          if (end(found) === 'over') closeNow(robot, [closeCodes.ended, '']);
          else found.outcome.joined(robot);
        };
      },
      drop: () => undefined, // the request expires unless it is joined
    };
  }

  return {
    replicaId,

    /**
     * Where to ask the agent of a robot. Waits for a robot whose replica has just stopped.
     * @throws conflict for an offline robot, Unavailable for one that cannot be asked from here
     */
    async placeOf(orgId: string, robotId: string): Promise<LinkPlace> {
      let place = await links.placeOf(orgId, robotId);
      for (let hasWaited = false; !place; hasWaited = true) {
        if (!(await links.isReturning(orgId, robotId)))
          throw conflict('agent offline', hasWaited ? { retryAfterSeconds: 1 } : undefined);
        await sleep(lookEveryMs);
        place = await links.placeOf(orgId, robotId);
      }
      if (place.replicaId === replicaId || (peers && place.url !== undefined)) return place;
      log.warn({ orgId, robotId, replica: place.replicaId }, notConfigured);
      throw new Unavailable(notConfigured, { retryAfterSeconds: 1 });
    },

    /** Sends the request. The returned function cancels it, and does nothing once there is an outcome. */
    begin(place: Pick<LinkPlace, 'replicaId' | 'url'>, request: DialBackRequest, outcome: DialBackOutcome): () => void {
      const { sessionId } = request;
      const secret = randomBytes(32).toString('hex');
      const expiry = setTimeout(() => {
        if (entry.state === 'waiting') entry.asked?.cancel();
        fail(entry, closeCodes.agentOffline, 'the robot did not open the stream in time');
      }, openWithinMs);
      const secretDigest = digestOf(secret);
      const entry: Waiting = { state: 'waiting', request, outcome, secretDigest, asked: undefined, expiry };
      waiting.set(sessionId, entry);
      ask(place, entry, frameOf(request, secret));
      return () => cancel(entry);
    },

    find,

    /** Like `find`, for a session that another replica may hold. @throws Unavailable if that replica cannot be asked */
    async findAnywhere(
      holderId: string,
      sessionId: string,
      secret: string,
    ): Promise<AuthenticatedDialBack | undefined> {
      if (holderId === replicaId) return find(sessionId, secret);
      if (!isId(holderId) || !isId(sessionId)) return undefined;
      const url = await links.urlOf(holderId);
      if (url === undefined) return undefined;
      if (url !== null && forwards) return forwards.reach({ replicaId: holderId, url }, sessionId, secret);
      log.warn({ replica: holderId }, notConfigured);
      throw new Unavailable(notConfigured, { retryAfterSeconds: 1 });
    },

    /** The agent of a robot linked here refuses a stream. */
    refuse,

    /** Handles the socket by which another replica asks for an agent linked here. */
    answer: agents.answer,

    /** The facts that another replica signed for this path. */
    check: (grant: string, path: string, request: IncomingMessage) => peers?.check(grant, path, request),

    /** Ends what this replica forwards for other replicas. */
    stop(): void {
      agents.stop();
      forwards?.stop();
    },
  };
}
