import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { closeCodes } from '../../../generated/protocol.js';
import type { QuotaRoom } from '../../kernel/errors.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { keepAlive } from '../../platform/ws/keep-alive.ts';
import { closeTimeoutMs, socketServer } from '../../platform/ws/socket-server.ts';
import { accessWatch, tokenService } from '../../tokens/service.ts';
import { orgQuota } from './org-quota.ts';
import { countKinds, defaultLimits, type ViewerFacts, type ViewerLimits } from './model.ts';

export type { ViewerFacts, ViewerLimits };

interface ViewerSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  replicaId: string;
  /** A viewer was refused because of the quota of its org. */
  onQuotaRefused: (quota: string) => void;
  limits?: Partial<ViewerLimits>;
}

interface Viewer extends ViewerFacts {
  socket: WebSocket;
  /** Called when the service closes the socket, with the code: the stream ends before the viewer's reply. */
  onEnding: ((code: number) => void) | undefined;
}

export type Viewers = ReturnType<typeof createViewers>;

/** Frames of a viewer: a page of pasted text, or a control frame. */
export const maxFrameBytes = 65_536;

/** The sockets of viewers: their number, liveness and access. */
export function createViewers({ db, bus, log, replicaId, onQuotaRefused, limits: changed = {} }: ViewerSettings) {
  const limits = { ...defaultLimits, ...changed };
  const open = new Set<Viewer>();
  const counts = new Map<string, number>();
  const quota = orgQuota({ db, log, replicaId, countOf: (orgId) => counts.get(`org ${orgId}`) ?? 0 });
  const access = accessWatch({
    bus,
    log,
    pollMs: limits.accessPollMs,
    sockets: () => open,
    findBad: (asked) => tokenService(db).findBad(asked),
    onRevoked: (viewer) => end(viewer, closeCodes.unauthorized, 'the token no longer has access'),
  });

  bus.subscribe({
    hint(hint) {
      if (hint.topic !== 'robot_removed') return;
      for (const viewer of open)
        if (viewer.robotId === hint.robotId) end(viewer, closeCodes.notFound, 'the robot was removed');
    },
    reset() {}, // the link of a removed robot is closed, which ends its streams
  });

  function end({ socket, onEnding }: Viewer, code: number, reason: string): void {
    if (socket.readyState !== socket.OPEN) return;
    socket.resume(); // a paused socket never receives the reply
    socket.close(code, reason);
    onEnding?.(code);
  }

  const ceilingsOf = ({ orgId, robotId, tokenId }: ViewerFacts): [key: string, most: number, what: string][] => [
    [`token ${tokenId}`, limits.perToken, 'this token'],
    [`robot ${robotId}`, limits.perRobot, 'this robot'],
    [`org ${orgId}`, limits.perOrg, 'the org'],
  ];

  function count(facts: ViewerFacts, by: 1 | -1): void {
    for (const [key] of ceilingsOf(facts)) {
      const now = (counts.get(key) ?? 0) + by;
      if (now > 0) counts.set(key, now);
      else counts.delete(key);
    }
    quota.noteChange(facts.orgId);
  }

  /** Why another viewer is refused now; undefined if it is not. */
  function refusal(facts: ViewerFacts): string | undefined {
    const full = ceilingsOf(facts).find(([key, most]) => (counts.get(key) ?? 0) >= most);
    return full && `${full[2]} has ${full[1]} open live streams`;
  }

  /** The same with the quota of the org, which is read. `room`: the quota, if it is the reason. */
  async function findRefusal(facts: ViewerFacts): Promise<{ message: string; room?: QuotaRoom } | undefined> {
    const full = refusal(facts);
    if (full !== undefined) return { message: full };
    const room = await quota.findFull(facts.orgId);
    if (!room) return undefined;
    onQuotaRefused(room.name);
    return { message: `the org has ${room.limit} open live streams, as many as its quota`, room };
  }

  return {
    server: socketServer({ maxFrameBytes }),
    limits,

    /** Number of viewers by kind. */
    get counts() {
      return countKinds(open);
    },

    findRefusal,

    /** Takes over a viewer's socket. It is closed at once if others came first since `findRefusal` was called. */
    add(socket: WebSocket, facts: ViewerFacts, onEnding?: (code: number) => void): void {
      const full = refusal(facts) ?? (quota.isFull(facts.orgId) ? 'the quota of live streams is used up' : undefined);
      const viewer = { ...facts, socket, onEnding };
      open.add(viewer);
      access.added(viewer);
      count(facts, 1);
      keepAlive(socket, limits);
      socket.on('error', () => undefined); // its close follows
      socket.on('close', () => {
        open.delete(viewer);
        count(facts, -1);
      });
      if (full !== undefined) socket.close(closeCodes.busy, full);
    },

    /** Closes all of them: viewers reconnect to another replica. */
    async stop(): Promise<void> {
      access.stop();
      const ended = [...open].map(
        (viewer) =>
          new Promise<void>((resolve) => {
            viewer.socket.once('close', () => resolve());
            end(viewer, closeCodes.restarting, 'the service is stopping');
          }),
      );
      const late = setTimeout(() => {
        for (const { socket } of open) socket.terminate();
      }, closeTimeoutMs);
      await Promise.all(ended);
      clearTimeout(late);
      await quota.stop();
    },
  };
}
