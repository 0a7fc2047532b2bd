import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import { closeCodes } from '../../generated/protocol.js';
import type { Bus } from '../platform/bus/bus.ts';
import { accessWatch, tokenService } from '../tokens/service.ts';
import { defaultLimits, type ViewerFacts, type ViewerLimits } from './model.ts';

export type { ViewerFacts, ViewerLimits };

interface ViewerSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  limits?: Partial<ViewerLimits>;
}

interface Viewer extends ViewerFacts {
  socket: WebSocket;
}

export type Viewers = ReturnType<typeof createViewers>;

/** Frames of a viewer: a page of pasted text, or a word of control. */
const maxFrameBytes = 65_536;
const closeTimeoutMs = 5_000;

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
    onRevoked: ({ socket }) => socket.close(closeCodes.unauthorized, 'the token no longer reaches this'),
  });

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

  /** Ends a socket that does not answer pings. One whose bytes wait for its reader is slow, and not dead. */
  function keepAlive(socket: WebSocket): () => void {
    let silentMs = 0;
    const heard = () => void (silentMs = 0);
    socket.on('pong', heard).on('message', heard).on('ping', heard);
    const timer = setInterval(() => {
      silentMs = socket.bufferedAmount > 0 ? 0 : silentMs + limits.pingEveryMs;
      if (silentMs > limits.deadAfterMs) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.ping();
    }, limits.pingEveryMs);
    return () => clearInterval(timer);
  }

  return {
    server: new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: maxFrameBytes,
      maxFragments: 1_024,
      maxBufferedChunks: 4_096,
      ...{ closeTimeout: closeTimeoutMs }, // unknown to the types
    }),

    /** How many there are. */
    get count(): number {
      return open.size;
    },

    /** Why one more may not come now; undefined if it may. */
    refusal(facts: ViewerFacts): string | undefined {
      const full = ceilingsOf(facts).find(([key, most]) => (counts.get(key) ?? 0) >= most);
      return full && `${full[2]} has ${full[1]} live streams open already`;
    },

    /** Takes a socket of `server` over. */
    add(socket: WebSocket, facts: ViewerFacts): void {
      const viewer = { ...facts, socket };
      open.add(viewer);
      count(facts, 1);
      const rest = keepAlive(socket);
      socket.on('error', () => undefined); // its close follows
      socket.on('close', () => {
        rest();
        open.delete(viewer);
        count(facts, -1);
      });
    },

    /** Ends all of them: they come again, and find another replica. */
    async stop(): Promise<void> {
      access.stop();
      const ended = [...open].map(
        ({ socket }) =>
          new Promise<void>((resolve) => {
            socket.once('close', () => resolve());
            socket.close(closeCodes.restarting, 'the service is stopping');
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
