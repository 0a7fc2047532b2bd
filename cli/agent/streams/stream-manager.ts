import { setTimeout as pause } from 'node:timers/promises';
import type { Close, Open, Refused } from '../../../generated/frames.js';
import { limits } from '../../../generated/protocol.js';
import type { SocketOptions } from '../../transport/link-socket.ts';
import { dialBack, type Dialling } from './dial.ts';
import type { StreamOpener } from './opener.ts';
import { slowAfterMs, streamSocket, type StreamSocket } from './socket.ts';

interface StreamManagerSettings {
  backendUrl: string;
  socketOptions: SocketOptions;
  /** By kind; a string is the reason why the kind is not available. */
  openers: Readonly<Record<string, Promise<StreamOpener | string>>>;
  send(frame: Refused): void;
}

/** Opens live streams at the request of the service. */
export interface StreamManager {
  open(frame: Open): void;
  close(frame: Close): void;
  /** Streams that are open or being opened. */
  count(): number;
  /** Ends all streams gracefully; resolves within 2 s. */
  stop(): Promise<void>;
}

/**
 * Maximum number of streams that dial back or have a socket. The service requests no more than its viewers need, but may
 * be in error.
 */
const mostSockets = 32;
const maxMessageLength = 200;
/** How long the other side may take to answer a close when the agent stops. */
const closeWithinMs = 500;

export function streamManager({ backendUrl, socketOptions, openers, send }: StreamManagerSettings): StreamManager {
  const dialling = new Map<string, Dialling & { kind: string }>();
  const sockets = new Set<StreamSocket>();
  let whenNone: (() => void) | undefined;
  let isStopped = false;
  const known = new Map<string, StreamOpener | string>();
  for (const [kind, opener] of Object.entries(openers)) {
    known.set(kind, 'the agent is starting');
    void opener.then((found) => known.set(kind, found));
  }

  function refuse(id: string, reason: string, message: string): void {
    send({ type: 'refused', session_id: id, reason, message: message.slice(0, maxMessageLength) });
  }

  /** The opener for the frame, or the reason to refuse it. */
  function openerOf(frame: Open): StreamOpener | [reason: string, message: string] {
    const opener = known.get(frame.kind);
    if (opener === undefined) return ['unsupported', `this agent does not support the kind ${frame.kind}`];
    if (typeof opener === 'string') return ['forbidden', opener];
    if (isStopped) return ['failed', 'the agent stops'];
    const ofKind = [...dialling.values()].filter(({ kind }) => kind === frame.kind).length;
    const refusal = opener.refusalOf(frame, ofKind);
    if (refusal) return refusal;
    if (dialling.size + sockets.size >= mostSockets) return ['busy', 'the robot has too many live streams open'];
    return opener;
  }

  return {
    open(frame) {
      const { session_id: id, kind, path, secret } = frame;
      const opener = openerOf(frame);
      if (Array.isArray(opener)) return refuse(id, ...opener);
      if (dialling.has(id)) return;
      const options = { ...socketOptions, closeTimeoutMs: slowAfterMs };
      const dial = dialBack(
        { backendUrl, path, secret, socketOptions: options, withinMs: limits.openWithinMs },
        {
          opened(socket) {
            dialling.delete(id);
            const listener = opener.accept(frame, () => made);
            const closed = (code: number) => {
              sockets.delete(made);
              if (sockets.size === 0) whenNone?.();
              listener.closed(code);
            };
            const made: StreamSocket = streamSocket(socket, { ...listener, closed });
            sockets.add(made);
          },
          failed(reason) {
            dialling.delete(id);
            refuse(id, 'failed', reason);
          },
        },
      );
      dialling.set(id, { ...dial, kind });
    },
    close({ session_id: id }) {
      dialling.get(id)?.cancel();
      dialling.delete(id);
    },
    count: () => dialling.size + sockets.size,
    async stop() {
      isStopped = true;
      for (const each of dialling.values()) each.cancel();
      dialling.clear();
      await Promise.all([...known.values()].filter((each) => typeof each !== 'string').map((opener) => opener.stop()));
      if (sockets.size === 0) return;
      const none = new Promise<void>((resolve) => (whenNone = resolve));
      await Promise.race([none, pause(closeWithinMs, undefined, { ref: false })]);
      for (const socket of sockets) socket.terminate();
    },
  };
}
