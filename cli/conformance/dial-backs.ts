import { randomBytes, randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Open, Refused } from '../../generated/frames.js';
import { limits } from '../../generated/protocol.js';
import type { Closed, LinkBehavior } from './served-link.ts';

/** A socket that the agent dialled back for a live stream. */
export interface DialBack {
  socket: WebSocket;
  frames: (Buffer | string)[]; // text frames as text
  /** All received bytes, as text. */
  text(): string;
  closed: Closed | undefined;
}

interface Session {
  open: Open;
  stream: DialBack | undefined;
  refused: Refused | undefined;
}

export interface DialBacks {
  /** Requests a stream from the agent. */
  ask(kind: string, options: Pick<Open, 'parameters' | 'protocol'>): Session;
  /** Takes the socket of an upgrade; undefined if no session expects one, or if the secret is wrong. */
  expected(path: string, authorization: string): ((socket: WebSocket) => void) | undefined;
  refused(frame: Refused): void;
}

export function dialBacks(send: (frame: Open) => void, admits: LinkBehavior['admits']): DialBacks {
  const sessions = new Map<string, Session>();
  return {
    ask(kind, options) {
      const session_id = randomUUID();
      const open: Open = {
        type: 'open',
        session_id,
        kind,
        path: `/agent/streams/${randomUUID()}/${session_id}`,
        secret: randomBytes(32).toString('hex'),
        expires_at: new Date(Date.now() + limits.openWithinMs).toISOString(),
        opened_by: 'token:conformance',
        ...options,
      };
      const session: Session = { open, stream: undefined, refused: undefined };
      sessions.set(open.path, session);
      send(open);
      return session;
    },
    expected(path, authorization) {
      const session = sessions.get(path);
      if (!session || session.stream || authorization !== `Bearer ${session.open.secret}`) return undefined;
      return (socket) => (session.stream = dialBack(socket, admits));
    },
    refused(frame) {
      for (const session of sessions.values())
        if (session.open.session_id === frame.session_id) session.refused = frame;
    },
  };
}

function dialBack(socket: WebSocket, admits: LinkBehavior['admits']): DialBack {
  const stream: DialBack = {
    socket,
    frames: [],
    text: () => Buffer.concat(stream.frames.filter((frame) => typeof frame !== 'string')).toString('utf8'),
    closed: undefined,
  };
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer, isBinary) => {
    if (!admits(data.length)) return socket.terminate();
    stream.frames.push(isBinary ? data : data.toString('utf8'));
  });
  socket.on('close', (code, reason) => {
    stream.closed = { at: performance.now(), code, reason: reason.toString() };
  });
  return stream;
}
