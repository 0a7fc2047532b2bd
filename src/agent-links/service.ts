import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { closeCodes, limits as protocolLimits } from '../../generated/protocol.js';
import type { OrderPort } from '../deployments/api/service.ts';
import { withinMs } from '../kernel/within.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { socketServer } from '../platform/ws/socket-server.ts';
import { accessWatch, tokenService } from '../tokens/service.ts';
import { cluster } from './cluster.ts';
import { delivery } from './delivery.ts';
import { replicaUrls } from './replica-urls.ts';
import { drainLinks } from './drain.ts';
import { healthStore } from './health-store.ts';
import { frameRouter, type LogSink } from './frame-router.ts';
import { greeting } from './greeting.ts';
import { linkEndings } from './link-endings.ts';
import { linkRegistration } from './link-registration.ts';
import { AgentSocket, closeLink, newLink, say, type Link } from './link.ts';
import { defaultLimits, type LinkLimits } from './model.ts';
import { liveness } from './liveness.ts';
import { presence } from './presence.ts';
import { replicaStore } from './replica-store.ts';
import type { Repairs } from './report-repair.ts';
import { reports } from './reports.ts';
import { rotationRequests } from './rotation-requests.ts';
import { linkStore } from './store.ts';
import { timerWheel } from './timer-wheel.ts';

export { noteLeftOut } from './timeline-throttle.ts';
export type { LogSink } from './frame-router.ts';
export type { LinkLimits, LinkPlace } from './model.ts';

export interface LinkSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  replicaId: string; // of this process
  /** How this replica is set up beside others. */
  replica: { url: string | undefined; artifactsFolder: string | undefined; artifactsShared: boolean };
  logs: LogSink;
  orderPort: OrderPort; // used until the links are stopped
  /** The agent of a robot does not open a live stream. */
  onRefused(robotId: string, refused: { sessionId: string; reason: string; message: string | undefined }): void;
  onFrame(type: string): void;
  onRepairs(repairs: Repairs): void;
  onFlush(seconds: number): void;
  /** This many links were asked to move to another replica. */
  onRebalanced(links: number): void;
  limits?: Partial<LinkLimits>;
}

/** How long the records that came last may take to be stored when the service stops; agents keep what is not. */
const storeWithinMs = 1_000;

export type LinkService = ReturnType<typeof linkService>;
export type HealthService = ReturnType<typeof healthService>;

export const healthService = (db: Knex) => healthStore(db);

/** The links of agents that this process holds, from the upgrade to the end. */
export function linkService(settings: LinkSettings) {
  const { db, bus, log, replicaId, replica, logs, orderPort, limits: changed } = settings;
  const { onRefused, onFrame, onRepairs, onFlush, onRebalanced } = settings;
  const limits = { ...defaultLimits, ...changed };
  const byRobot = new Map<string, Link>(); // those that are up
  // Ten looks at each link in the time between two pings: what is due is at most that late.
  const wheel = timerWheel<Link>(limits.pingEveryMs / 10, (link) => look(link, wheel.nowMs));
  const look = liveness(limits, beat);
  const replicas = replicaStore(db, replicaId);
  const otherReplicas = cluster({
    own: replica,
    log,
    limits: limits.rebalance,
    nowMs: () => wheel.nowMs,
    links: byRobot,
    onRebalanced,
  });
  const linkPresence = presence({
    store: linkStore(db, replicaId),
    replicas,
    facts: () => ({ ...replica, links: byRobot.size }),
    log,
    limits,
    links: () => byRobot.values(),
    onStale: (found) => found.forEach(([link, why]) => loseTo(link, why)),
    onFlush,
    onOthers: otherReplicas.look,
  });
  const endings = linkEndings({ byRobot, wheel, note: linkPresence.end });
  const { loseTo } = endings;
  const orders = delivery({
    orderPort,
    bus,
    log,
    replicaId,
    limits,
    nowMs: () => wheel.nowMs,
    links: () => byRobot.values(),
    linkOf: (robotId) => byRobot.get(robotId),
  });
  const onStale = (link: Link) => void linkPresence.check(link);
  const reported = reports({ orderPort, onStale, onEnded: orders.makeDue });
  const { onMessage, onControl, takeEarly } = frameRouter({
    nowMs: () => wheel.nowMs,
    maxFramesPerSecond: limits.maxFramesPerSecond,
    logs,
    onFrame,
    onRepairs,
    onHello: (link, hello) => greet(link, hello),
    onBeat(link, desiredHash) {
      beat(link);
      if (desiredHash !== undefined) orders.compare(link, desiredHash);
    },
    onReport: reported.take,
    onRunning: reported.takeRunning,
    onRefused: ({ robotId }, { session_id: sessionId, reason, message }) =>
      onRefused(robotId, { sessionId, reason, message }),
    onStale,
  });
  const access = accessWatch({
    bus,
    log,
    pollMs: limits.accessPollMs,
    sockets: wheel.items,
    findBad: (asked) => tokenService(db).findBad(asked),
    // A robot whose org is suspended comes back by itself once it is resumed; another one stays away.
    onRevoked: (link, loss) =>
      loss === 'suspended'
        ? closeLink(link, closeCodes.tryLater, 'the org is suspended', 'unauthorized')
        : closeLink(link, closeCodes.unauthorized, 'the token is no longer good', 'unauthorized'),
  });
  bus.subscribe({
    hint(hint) {
      if (hint.topic !== 'link_changed') return;
      const link = byRobot.get(hint.robotId);
      if (link && link.epoch < hint.epoch) loseTo(link, 'replaced');
    },
    reset() {}, // signs of life find out what a lost hint would have said
  });
  const requestRotation = rotationRequests(bus, (robotId) => byRobot.get(robotId));
  const greet = greeting({
    log,
    join: linkRegistration(db, bus, replicaId, linkPresence.flushEndings),
    byRobot,
    endings,
    nowMs: () => wheel.nowMs,
    onUp(link, { rotationWantedAt }, { capabilities, holding = [] }) {
      if (rotationWantedAt) requestRotation(link, rotationWantedAt.getTime());
      reported.takeAll(link, holding, () => {
        link.takesOrders = capabilities?.orders === true;
        orders.makeDue(link);
      });
      takeEarly(link);
    },
  });

  function beat(link: Link): void {
    link.beatMs = wheel.nowMs;
    linkPresence.beat(link);
  }

  return {
    server: socketServer({ maxFrameBytes: protocolLimits.maxFrameBytes, socketClass: AgentSocket }),
    replicaId,
    start: linkPresence.start,
    placeOf: replicas.findPlace,
    isReturning: replicas.isReturning,
    findEarlier: replicas.findEarlier,
    /** After this time, in ms, a replica whose lease has not run out has renewed it. */
    lapseMs: limits.leaseMs + limits.renewEveryMs,
    /** What is not set as several replicas need it, a sentence each. */
    get warnings(): readonly string[] {
      return otherReplicas.warnings;
    },
    /** Where a replica is reached; null for one that does not say, undefined for one that is not alive. */
    urlOf: replicaUrls(replicas.findUrls),
    /** How many there are, greeting ones included. */
    get count() {
      return wheel.size;
    },
    /** Whether new links have a chance: the database answers. */
    get available() {
      return linkPresence.available;
    },

    /** Takes a socket of `server` whose robot is known; `address` is the agent's. */
    open(socket: WebSocket, who: { orgId: string; robotId: string; tokenId: string }, address: string): void {
      const link = newLink(socket, who, address, wheel.nowMs, 2 * limits.maxFramesPerSecond);
      wheel.add(link);
      socket.on('message', onMessage).on('ping', onControl).on('pong', onControl);
      socket.on('error', endings.onError).on('close', endings.onClose);
    },

    /** Sends a frame of a live stream to a robot's agent. False where its link is not here. */
    tell(robotId: string, frame: object): boolean {
      const link = byRobot.get(robotId);
      if (!link) return false;
      link.streamFrameMs = wheel.nowMs;
      say(link, JSON.stringify(frame));
      return true;
    },

    /** Ends all links in order; what they left is written, and this replica signs off. */
    async stop(): Promise<void> {
      await orders.stop();
      await drainLinks(wheel.items(), {
        withinMs: Math.min(limits.drainMaxMs, Math.ceil((wheel.size * 1_000) / limits.drainPerSecond)),
        reason: 'the service is stopping',
        endReason: 'service_stopped',
      });
      await withinMs(storeWithinMs, logs.close());
      access.stop();
      wheel.stop();
      await linkPresence.stop();
    },
  };
}
