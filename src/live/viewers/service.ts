import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { closeCodes } from '../../../generated/protocol.js';
import type { Bus } from '../../platform/bus/bus.ts';
import { keepAlive } from '../../platform/ws/keep-alive.ts';
import { closeTimeoutMs, socketServer } from '../../platform/ws/socket-server.ts';
import { accessWatch, tokenService } from '../../tokens/service.ts';
import { countKinds, defaultLimits, type ViewerFacts, type ViewerLimits } from './model.ts';

export type { ViewerFacts, ViewerLimits };

interface ViewerSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  limits?: Partial<ViewerLimits>;
}

interface Viewer extends ViewerFacts {
  socket: WebSocket;
  /** We close it, by this code: the stream is over before the viewer has answered. */
  onEnding: ((code: number) => void) | undefined;
}

export type Viewers = ReturnType<typeof createViewers>;

/** Frames of a viewer: a page of pasted text, or a word of control. */
export const maxFrameBytes = 65_536;

/** The sockets of those who watch robots: how many there may be, whether they live, and whether they still may. */
export function createViewers({ db, bus, log, limits: changed = {} }: ViewerSettings) {
  const limits = { ...defaultLimits, ...changed };
  const open = new Set<Viewer>();
  const counts = new Map<string, number>();
  const access = accessWatch({
    bus,
    log,
    pollMs: limits.accessPollMs,
    sockets: () => open,
    findBad: (asked) => tokenService(db).findBad(asked),
    onRevoked: (viewer) => end(viewer, closeCodes.unauthorized, 'the token no longer reaches this'),
  });

  bus.subscribe({
    hint(hint) {
      if (hint.topic !== 'robot_removed') return;
      for (const viewer of open)
        if (viewer.robotId === hint.robotId) end(viewer, closeCodes.notFound, 'the robot was removed');
    },
    reset() {}, // the agent of a removed robot is sent away, and with it go its streams
  });

  function end({ socket, onEnding }: Viewer, code: number, reason: string): void {
    if (socket.readyState !== socket.OPEN) return;
    socket.resume(); // one that is not read never hears the answer
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
  }

  /** Why one more may not come now; undefined if it may. */
  function refusal(facts: ViewerFacts): string | undefined {
    const full = ceilingsOf(facts).find(([key, most]) => (counts.get(key) ?? 0) >= most);
    return full && `${full[2]} has ${full[1]} live streams open already`;
  }

  return {
    server: socketServer({ maxFrameBytes }),
    limits,

    /** How many there are, by kind. */
    get counts() {
      return countKinds(open);
    },

    refusal,

    /** Takes a viewer's socket over. It is closed at once where others came first since `refusal` was asked. */
    add(socket: WebSocket, facts: ViewerFacts, onEnding?: (code: number) => void): void {
      const full = refusal(facts);
      const viewer = { ...facts, socket, onEnding };
      open.add(viewer);
      count(facts, 1);
      keepAlive(socket, limits);
      socket.on('error', () => undefined); // its close follows
      socket.on('close', () => {
        open.delete(viewer);
        count(facts, -1);
      });
      if (full !== undefined) socket.close(closeCodes.busy, full);
    },

    /** Ends all of them: they come again, and find another replica. */
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
    },
  };
}
