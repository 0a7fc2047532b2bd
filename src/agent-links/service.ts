import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { HealthOmission } from '../../generated/frames.js';
import { closeCodes, limits as protocolLimits } from '../../generated/protocol.js';
import type { ConditionPort } from '../conditions/service.ts';
import type { OrderPort } from '../deployments/api/service.ts';
import { waitAtMost } from '../kernel/wait-at-most.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { socketServer } from '../platform/ws/socket-server.ts';
import { accessWatch, tokenService } from '../tokens/service.ts';
import { replicaMonitor } from './replica-monitor.ts';
import { delivery } from './delivery.ts';
import { replicaUrls } from './replica-urls.ts';
import { drainLinks } from './drain.ts';
import { healthStore } from './health-store.ts';
import { frameRouter, type HealthSink, type LogSink } from './frame-router.ts';
import { helloHandler } from './hello-handler.ts';
import { linkEndings } from './link-endings.ts';
import type { DatabaseClock } from '../platform/db/clock.ts';
import type { Tracing } from '../platform/tracing.ts';
import { linkRegistration } from './link-registration.ts';
import { AgentSocket, closeLink, drainBytes, newLink, sendFrame, type Link } from './link.ts';
import { defaultLimits, type LinkLimits } from './model.ts';
import { liveness } from './liveness.ts';
import { presence } from './presence.ts';
import { replicaStore } from './replica-store.ts';
import type { Repairs } from './report-repair.ts';
import { reports } from './reports.ts';
import { rotationRequests } from './rotation-requests.ts';
import { linkStore } from './store.ts';
import { timerWheel } from './timer-wheel.ts';

export { writeOmittedCounts } from './timeline-throttle.ts';
export type { HealthSink, LogSink } from './frame-router.ts';
export type { LinkLimits, LinkPlace } from './model.ts';

export interface LinkSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  tracing?: Tracing | undefined; // undefined: no traces
  replicaId: string; // of this process
  clock: DatabaseClock; // observed with each lease of the replica
  /** The cluster settings of this replica. */
  replica: {
    url: string | undefined;
    artifactsFolder: string | undefined;
    artifactsShared: boolean;
    readsLogObjects: boolean;
    version: string;
    secretMarks: readonly string[] | undefined;
  };
  logs: LogSink;
  metrics: HealthSink; // stopped with the links
  orderPort: OrderPort; // used until the links are stopped
  conditions: ConditionPort; // as well
  /** The agent of a robot refused to open a live stream. */
  onRefused(robotId: string, refused: { sessionId: string; reason: string; message: string | undefined }): void;
  onFrame(type: string): void;
  onRepairs(repairs: Repairs): void;
  onOmitted(parts: readonly HealthOmission[]): void;
  onFlush(seconds: number): void;
  onLogs(outcome: string, records: number, seconds: number): void;
  onDelivered(seconds: number): void;
  /** This many links were asked to move to another replica. */
  onRebalanced(links: number): void;
  limits?: Partial<LinkLimits>;
}

/** How long storing the last records may take when the service stops; agents keep the rest. */
const storeWithinMs = 1_000;

export type LinkService = ReturnType<typeof linkService>;
export type HealthService = ReturnType<typeof healthService>;

export const healthService = (db: Knex) => healthStore(db);

/** The agent links of this process, from upgrade to end. */
export function linkService(settings: LinkSettings) {
  const { db, bus, log, tracing, replicaId, replica, logs, metrics, orderPort, conditions, limits: changed } = settings;
  const { onRefused, onFrame, onRepairs, onOmitted, onFlush, onLogs, onDelivered, onRebalanced } = settings;
  const limits = { ...defaultLimits, ...changed };
  const byRobot = new Map<string, Link>(); // those that are up
  // Each link is checked ten times per ping interval: nothing that is due waits longer than that.
  const lookEveryMs = limits.pingEveryMs / 10;
  const wheel = timerWheel<Link>(lookEveryMs, (link) => {
    drainBytes(link, lookEveryMs);
    look(link, wheel.nowMs);
  });
  const look = liveness(limits, beat);
  const replicas = replicaStore(db, replicaId, settings.clock);
  const otherReplicas = replicaMonitor({
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
    links: byRobot,
    onStale: (found) => found.forEach(([link, why]) => loseTo(link, why)),
    onFlush,
    onOthers: otherReplicas.look,
  });
  const endings = linkEndings({
    byRobot,
    wheel,
    onOver: ({ conditions: watch }) => watch && conditions.end(watch),
    note: linkPresence.end,
  });
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
    onDelivered,
  });
  const onStale = (link: Link) => void linkPresence.check(link);
  const reported = reports({ orderPort, onStale, onEnded: orders.makeDue, tracing });
  const { onMessage, onControl, takeEarly } = frameRouter({
    nowMs: () => wheel.nowMs,
    maxFramesPerSecond: limits.maxFramesPerSecond,
    logs,
    metrics,
    onFrame,
    onRepairs,
    onOmitted,
    onLogs,
    onHello: (link, hello) => greet(link, hello),
    onBeat(link, { desired_hash: desiredHash, health }) {
      beat(link);
      if (link.conditions) conditions.beat(link.conditions, health);
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
    // A robot whose org is suspended reconnects by itself once the org is resumed; others stay away.
    onRevoked: (link, loss) =>
      loss === 'suspended'
        ? closeLink(link, closeCodes.tryLater, 'the org is suspended', 'unauthorized')
        : closeLink(link, closeCodes.unauthorized, 'the token is no longer valid', 'unauthorized'),
  });
  bus.subscribe({
    hint(hint) {
      if (hint.topic !== 'link_changed') return;
      const link = byRobot.get(hint.robotId);
      if (link && link.epoch < hint.epoch) loseTo(link, 'replaced');
    },
    reset() {}, // signs of life find out what a lost hint would have stated
  });
  const requestRotation = rotationRequests(bus, (robotId) => byRobot.get(robotId));
  const greet = helloHandler({
    log,
    join: linkRegistration(db, bus, replicaId, linkPresence.flushEndings),
    byRobot,
    endings,
    nowMs: () => wheel.nowMs,
    databaseMs: settings.clock.nowMs,
    onUp(link, { rotationWantedAt }, { capabilities, holding = [] }) {
      link.conditions = conditions.watch(link);
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
    /** After this time, in ms, a replica whose lease is still valid has renewed it. */
    lapseMs: limits.leaseMs + limits.renewEveryMs,
    /** Missing settings that several replicas need, one sentence each. */
    get warnings(): readonly string[] {
      return otherReplicas.warnings;
    },
    /** Number of live replicas, this one included. */
    get replicas() {
      return otherReplicas.living + 1;
    },
    /** The URL of a replica; null if it has none, undefined if it is not alive. */
    urlOf: replicaUrls(replicas.findUrls),
    /** Number of links, including those without a hello. */
    get count() {
      return wheel.size;
    },
    /** Whether new links are accepted: the database responds. */
    get available() {
      return linkPresence.available;
    },

    /** Takes over a socket of `server` for a known robot; `address` is the agent's. */
    open(socket: WebSocket, who: { orgId: string; robotId: string; tokenId: string }, address: string): void {
      const link = newLink(socket, who, address, wheel.nowMs, 2 * limits.maxFramesPerSecond);
      wheel.add(link);
      access.added(link);
      socket.on('message', onMessage).on('ping', onControl).on('pong', onControl);
      socket.on('error', endings.onError).on('close', endings.onClose);
    },

    /** Sends a frame of a live stream to a robot's agent. False if its link is not here. */
    tell(robotId: string, frame: object): boolean {
      const link = byRobot.get(robotId);
      if (!link) return false;
      link.streamFrameMs = wheel.nowMs;
      sendFrame(link, JSON.stringify(frame));
      return true;
    },

    /** Drains all links, writes what they left, and signs this replica off. */
    async stop(): Promise<void> {
      await orders.stop();
      await drainLinks(wheel.items(), {
        withinMs: Math.min(limits.drainMaxMs, Math.ceil((wheel.size * 1_000) / limits.drainPerSecond)),
        reason: 'the service is stopping',
        endReason: 'service_stopped',
      });
      await Promise.all([waitAtMost(storeWithinMs, logs.close()), metrics.stop()]);
      access.stop();
      wheel.stop();
      await linkPresence.stop();
    },
  };
}
