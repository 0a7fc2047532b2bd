import { longestMs } from '../pause.ts';
import type { StreamSocket } from './stream-socket.ts';

/** What `ws` has, and the sockets of browsers have not. */
interface PingingSocket {
  ping(): void;
  terminate(): void;
  on(type: 'ping' | 'pong', listener: () => void): unknown;
}

interface Watch {
  /** Something came. */
  heard(): void;
  stop(): void;
}

/** Open, of a WebSocket's `readyState`. */
const isOpen = 1;
const looks = 3;
/** Where no ping is seen a quiet stream looks like a dead one: it gets so many times as long. */
const patience = 2;

/**
 * Ends a socket on which nothing came for `silentSeconds`, and tells so: a network that stands still ends no connection by itself. `ws` is asked by pings. Other
 * sockets show none, so twice as much silence is the end of them, counted while `isAwaiting`. All is counted in looks: after the machine slept, the clock says
 * nothing about the other side.
 */
export function watchSilence(
  socket: StreamSocket,
  silentSeconds: number,
  isAwaiting: () => boolean,
  onSilent: () => void,
): Watch {
  const pinging = pingingOf(socket);
  const most = pinging ? looks : looks * patience;
  let silent = 0;
  const heard = () => void (silent = 0);
  const timer = setInterval(
    () => {
      silent = pinging || isAwaiting() ? silent + 1 : 0;
      if (silent < most) {
        if (socket.readyState === isOpen) pinging?.ping();
        return;
      }
      clearInterval(timer);
      if (pinging) pinging.terminate();
      else socket.close();
      onSilent();
    },
    Math.min((silentSeconds * 1000) / looks, longestMs),
  );
  pinging?.on('ping', heard);
  pinging?.on('pong', heard);
  return { heard, stop: () => clearInterval(timer) };
}

const pingingOf = (socket: object): PingingSocket | undefined =>
  'ping' in socket && 'terminate' in socket && 'on' in socket ? (socket as PingingSocket) : undefined;
