import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { LinkService } from './agent-links/service.ts';
import type { Config } from './config.ts';
import { dialBackRoute, internalRoutes, shellRoute } from './live/dial-back/handlers.ts';
import { createDialBacks, createShellService, streamAudit } from './live/dial-back/service.ts';
import { liveLogRoute, liveText } from './live/logs/handlers.ts';
import { cameraRoute, internalWatchRoute, topicRoute } from './live/media/handlers.ts';
import { createMediaService } from './live/media/service.ts';
import { createShellSessions, type RecordingLimits } from './live/recordings/service.ts';
import { takingTickets } from './live/tickets/handlers.ts';
import { ticketService } from './live/tickets/service.ts';
import { createViewers, type ViewerLimits } from './live/viewers/service.ts';
import { liveLogs, type LogReading, type logFollows } from './logs/service.ts';
import { orgService } from './orgs/service.ts';
import type { Bus } from './platform/bus/bus.ts';
import { createPeers } from './platform/cluster/peers.ts';
import { robotService } from './robots/service.ts';

interface LiveParts {
  config: Config;
  db: Knex;
  bus: Bus;
  log: Logger;
  logReading: LogReading;
  replicaId: string;
  links: LinkService;
  /** The time that all replicas agree on: Unix time in ms. */
  nowMs: () => number;
  follows: ReturnType<typeof logFollows>;
  viewerLimits: Partial<ViewerLimits>;
  onQuotaRefused: (quota: string) => void;
  recordingLimits: Partial<RecordingLimits>;
}

/** Builds the live streams of robots: shells, logs, cameras and topics, with the routes of their WebSockets. */
export function liveStreams(parts: LiveParts) {
  const { config, db, logReading, bus, log, replicaId, links, follows, viewerLimits, onQuotaRefused, recordingLimits } =
    parts;
  const viewers = createViewers({ db, bus, log, replicaId, onQuotaRefused, limits: viewerLimits });
  const sessions = createShellSessions({ db, log, replicaId, limits: recordingLimits });
  const peers = config.cluster && createPeers({ replicaId, secrets: config.cluster.secrets, log, nowMs: parts.nowMs });
  const { openWithinMs } = viewers.limits;
  const dialBacks = createDialBacks({ log, links, peers, openWithinMs, liveness: viewers.limits });
  const notes = streamAudit({ db, log });
  const shells = createShellService({ viewers, sessions, dialBacks, notes });
  const media = createMediaService({ viewers, dialBacks, peers, notes, log });
  const robots = robotService(db);
  const tickets = ticketService(db);
  const live = liveLogs({ db, logReading, log, follows, textOf: liveText });
  /** Routes for people; the others are for agents and other replicas. */
  const viewerRoutes = [
    takingTickets(tickets, 'shell', shellRoute({ robots, orgs: orgService(db), viewers, dialBacks, shells })),
    takingTickets(tickets, 'logs', liveLogRoute({ robots, viewers, log, live })),
    takingTickets(tickets, 'camera', cameraRoute({ robots, viewers, dialBacks, media })),
    takingTickets(tickets, 'topic', topicRoute({ robots, viewers, dialBacks, media })),
  ];
  const replicaRoutes = peers ? [...internalRoutes(dialBacks), internalWatchRoute({ dialBacks, media })] : [];
  return {
    viewerRoutes,
    routes: [...viewerRoutes, dialBackRoute(dialBacks), ...replicaRoutes],
    media,
    refuse: dialBacks.refuse,
    viewerCounts: () => viewers.counts,
    /** Ends every stream, and resolves once their records are stored. */
    async close(): Promise<void> {
      dialBacks.stop();
      media.stop();
      await viewers.stop();
      await Promise.all([notes.written(), sessions.written()]);
      follows.stop();
    },
  };
}
