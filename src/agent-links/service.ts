import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import type { Hello } from '../../generated/frames.js';
import { closeCodes, limits as protocolLimits, protocol } from '../../generated/protocol.js';
import type { OrderPort } from '../deployments/api/service.ts';
import { withinMs } from '../kernel/within.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { socketServer } from '../platform/ws/socket-server.ts';
import { accessWatch, tokenService } from '../tokens/service.ts';
import { cluster } from './cluster.ts';
import { delivery } from './delivery.ts';
import { linkRegistry } from './link-registry.ts';
import { drainLinks } from './drain.ts';
import { healthStore } from './health-store.ts';
import { frameRouter, type LogSink } from './frame-router.ts';
import { linkRegistration } from './link-registration.ts';
import { AgentSocket, closeLink, linkOf, newLink, pause, resume, say, type Link } from './link.ts';
import { defaultLimits, type EndReason, type Joined, type LinkLimits, type Staleness } from './model.ts';
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
  desk: OrderPort; // used until the links are stopped
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
/** Close reasons hold 123 bytes. */
const tooSoon = 'another link of this robot began less than 1 s ago; a second agent may have its token';

export type LinkService = ReturnType<typeof linkService>;
export type HealthService = ReturnType<typeof healthService>;

export const healthService = (db: Knex) => healthStore(db);

/** The links of agents that this process holds, from the upgrade to the end. */
export function linkService(settings: LinkSettings) {
  const { db, bus, log, replicaId, replica, logs, desk, limits: changed } = settings;
  const { onRefused, onFrame, onRepairs, onFlush, onRebalanced } = settings;
  const limits = { ...defaultLimits, ...changed };
  const byRobot = new Map<string, Link>(); // those that are up
  // Ten looks at each link in the time between two pings: what is due is at most that late.
  const wheel = timerWheel<Link>(limits.pingEveryMs / 10, (link) => look(link, wheel.nowMs));
  const look = liveness(limits, beat);
  const replicas = replicaStore(db, replicaId);
  const neighbours = cluster({
    own: replica,
    log,
    limits: limits.rebalance,
    nowMs: () => wheel.nowMs,
    links: byRobot,
    onRebalanced,
  });
  const signs = presence({
    store: linkStore(db, replicaId),
    replicas,
    facts: () => ({ ...replica, links: byRobot.size }),
    log,
    limits,
    links: () => byRobot.values(),
    onStale: (found) => found.forEach(([link, why]) => loseTo(link, why)),
    onFlush,
    onOthers: neighbours.look,
  });
  const join = linkRegistration(db, bus, replicaId, signs.flushEndings);
  const orders = delivery({
    desk,
    bus,
    log,
    replicaId,
    limits,
    nowMs: () => wheel.nowMs,
    links: () => byRobot.values(),
    linkOf: (robotId) => byRobot.get(robotId),
  });
  const onStale = (link: Link) => void signs.check(link);
  const reported = reports({ desk, onStale, onEnded: orders.makeDue });
  const { onMessage, onControl, takeEarly } = frameRouter({
    nowMs: () => wheel.nowMs,
    maxFramesPerSecond: limits.maxFramesPerSecond,
    logs,
    onFrame,
    onRepairs,
    onHello: greet,
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

  /** Somebody else decided over this link; it writes nothing any more. */
  function loseTo(link: Link, why: Staleness): void {
    link.stale = true;
    if (byRobot.get(link.robotId) === link) byRobot.delete(link.robotId);
    if (why === 'replaced') closeLink(link, closeCodes.replaced, 'a newer link of this robot took over', 'replaced');
    else if (why === 'gone') closeLink(link, closeCodes.unauthorized, 'the robot was removed', 'unauthorized');
    else closeLink(link, closeCodes.restarting, 'another replica ended the link', 'service_lost');
  }

  function beat(link: Link): void {
    link.beatMs = wheel.nowMs;
    signs.beat(link);
  }

  function greet(link: Link, hello: Hello): void {
    link.state = 'joining';
    pause(link);
    const { orgId, robotId, address } = link;
    const { agent_version: agentVersion, boot_id: bootId, instance = bootId } = hello;
    const takesOrders = hello.capabilities?.orders === true;
    const { shell, cameras = [], topics } = hello.capabilities ?? {};
    const opens = { opensShells: shell === true, cameras, hasTopics: topics === true };
    link.opensStreams = opens.opensShells || opens.hasTopics || cameras.length > 0;
    join({ orgId, robotId, agentVersion, bootId, instance, address, takesOrders, ...opens })
      .then((joined) => settle(link, joined, hello))
      .catch((error: unknown) => {
        log.warn({ err: error, orgId, robotId }, 'a link could not be made');
        closeLink(link, closeCodes.tryLater, 'the service cannot take the link now', 'service_failed');
      });
  }

  function settle(link: Link, joined: Joined, { capabilities, holding = [] }: Hello): void {
    if (joined.kind === 'gone') return loseTo(link, 'gone');
    if (joined.kind === 'refused') return closeLink(link, closeCodes.tryLater, tooSoon, 'refused');
    link.epoch = joined.epoch;
    const before = byRobot.get(link.robotId);
    if (before && before.epoch > link.epoch) return loseTo(link, 'replaced');
    if (before) loseTo(before, 'replaced');
    // It may have ended while the database was asked.
    if (link.state === 'over') return end(link, 'lost', undefined);
    byRobot.set(link.robotId, link);
    link.state = 'up';
    link.beatMs = wheel.nowMs;
    link.socket.send(
      JSON.stringify({
        type: 'welcome',
        protocol,
        server_time: new Date().toISOString(),
        heartbeat_seconds: protocolLimits.heartbeatSeconds,
        robot_id: link.robotId,
        robot_name: joined.robotName,
      }),
    );
    if (joined.rotationWantedAt) requestRotation(link, joined.rotationWantedAt.getTime());
    reported.takeAll(link, holding, () => {
      link.takesOrders = capabilities?.orders === true;
      orders.makeDue(link);
    });
    takeEarly(link);
    resume(link);
  }

  function onError(this: WebSocket, error: Error & { code?: string }): void {
    // What ws refuses by itself: too large, not UTF-8, a broken frame. Its close follows.
    if (!error.code?.startsWith('WS_ERR')) return;
    const link = linkOf(this);
    link.endReason ??= 'refused';
  }

  function onClose(this: WebSocket, code: number): void {
    const link = linkOf(this);
    const { state } = link;
    link.state = 'over';
    wheel.delete(link);
    if (byRobot.get(link.robotId) === link) byRobot.delete(link.robotId);
    if (state === 'greeting' && link.endReason === 'refused') return end(link, 'refused', undefined);
    if (state !== 'up' || link.stale) return;
    // 1006 stands for a connection that broke without a close.
    if (code === 1006) end(link, 'lost', undefined);
    else end(link, 'ended', code);
  }

  /** What the agent did counts only where we did not end the link ourselves. */
  function end(link: Link, otherwise: EndReason, code: number | undefined): void {
    const { orgId, robotId, epoch, endReason, endCode, closeReason, leaving } = link;
    const reason = endReason ?? leaving ?? otherwise;
    signs.end({ orgId, robotId, epoch, reason, code: endReason ? endCode : code, closeReason });
  }

  return {
    server: socketServer({ maxFrameBytes: protocolLimits.maxFrameBytes, socketClass: AgentSocket }),
    replicaId,
    start: signs.start,
    placeOf: replicas.findPlace,
    isReturning: replicas.isReturning,
    findEarlier: replicas.findEarlier,
    /** After this time, in ms, a replica whose lease has not run out has renewed it. */
    lapseMs: limits.leaseMs + limits.renewEveryMs,
    /** What is not set as several replicas need it, a sentence each. */
    get warnings(): readonly string[] {
      return neighbours.warnings;
    },
    /** Where a replica is reached; null for one that does not say, undefined for one that is not alive. */
    urlOf: linkRegistry(replicas.findUrls),
    /** How many there are, greeting ones included. */
    get count() {
      return wheel.size;
    },
    /** Whether new links have a chance: the database answers. */
    get available() {
      return signs.available;
    },

    /** Takes a socket of `server` whose robot is known; `address` is the agent's. */
    open(socket: WebSocket, who: { orgId: string; robotId: string; tokenId: string }, address: string): void {
      const link = newLink(socket, who, address, wheel.nowMs, 2 * limits.maxFramesPerSecond);
      wheel.add(link);
      socket.on('message', onMessage).on('ping', onControl).on('pong', onControl);
      socket.on('error', onError).on('close', onClose);
    },

    /** Sends a frame of a live stream to a robot's agent. False where its link is not here. */
    tell(robotId: string, frame: object): boolean {
      const link = byRobot.get(robotId);
      if (!link) return false;
      link.toldMs = wheel.nowMs;
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
      await signs.stop();
    },
  };
}
