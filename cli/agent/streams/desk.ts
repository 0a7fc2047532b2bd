import { setTimeout as pause } from 'node:timers/promises';
import type { Close, Open, Refused } from '../../../generated/frames.js';
import { limits } from '../../../generated/protocol.js';
import type { SocketOptions } from '../link-socket.ts';
import type { Shells } from '../shell/shells.ts';
import { dialBack, type Dialling } from './dial.ts';
import { slowAfterMs, streamSocket, type StreamSocket } from './socket.ts';

interface StreamDeskSettings {
  backendUrl: string;
  socketOptions: SocketOptions;
  /** A sentence where there are none. */
  shells: Promise<Shells | string>;
  send(frame: Refused): void;
}

/** Opens live streams when the service asks for them. */
interface StreamDesk {
  open(frame: Open): void;
  close(frame: Close): void;
  /** Ends all of them in order; resolves within 2 s. */
  stop(): Promise<void>;
}

/** Of those that dial back or have a socket; the service asks for no more than its viewers want, and may be in error. */
const mostSockets = 32;
const maxMessageLength = 200;
/** How long the other side may take to answer that the agent ends. */
const closeWithinMs = 500;

export function streamDesk({ backendUrl, socketOptions, shells, send }: StreamDeskSettings): StreamDesk {
  const dialling = new Map<string, Dialling>();
  const sockets = new Set<StreamSocket>();
  let whenNone: (() => void) | undefined;
  let isStopped = false;
  let known: Shells | string = 'the agent is starting';
  void shells.then((found) => (known = found));

  function refuse(id: string, reason: string, message: string): void {
    send({ type: 'refused', session_id: id, reason, message: message.slice(0, maxMessageLength) });
  }

  /** Why it is not opened. */
  function refusalOf({ kind, protocol, opened_by: openedBy }: Open): [reason: string, message: string] | undefined {
    if (kind !== 'shell') return ['unsupported', `this agent does not know the kind ${kind}`];
    if (typeof known === 'string') return ['forbidden', known];
    if (isStopped) return ['failed', 'the agent stops'];
    // Only its first frame tells whether it goes on with a shell.
    const mayResume = protocol !== undefined && known.hasResumable(openedBy);
    if (known.running + dialling.size >= known.most && !mayResume)
      return ['busy', `the robot has ${known.most} shells open already`];
    if (dialling.size + sockets.size >= mostSockets) return ['busy', 'the robot has too many live streams open'];
    return undefined;
  }

  return {
    open(frame) {
      const { session_id: id, path, secret } = frame;
      const refusal = refusalOf(frame);
      if (refusal) return refuse(id, ...refusal);
      if (dialling.has(id)) return;
      const options = { ...socketOptions, closeTimeoutMs: slowAfterMs };
      dialling.set(
        id,
        dialBack(
          { backendUrl, path, secret, socketOptions: options, withinMs: limits.openWithinMs },
          {
            opened(socket) {
              dialling.delete(id);
              if (typeof known === 'string') return socket.terminate();
              const listener = known.accept(frame, () => made);
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
        ),
      );
    },
    close({ session_id: id }) {
      dialling.get(id)?.cancel();
      dialling.delete(id);
    },
    async stop() {
      isStopped = true;
      for (const each of dialling.values()) each.cancel();
      dialling.clear();
      if (typeof known !== 'string') await known.stop();
      if (sockets.size === 0) return;
      const none = new Promise<void>((resolve) => (whenNone = resolve));
      await Promise.race([none, pause(closeWithinMs, undefined, { ref: false })]);
      for (const socket of sockets) socket.terminate();
    },
  };
}
