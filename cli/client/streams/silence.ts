import { longestMs } from '../pause.ts';
import { nodeSocketOf, socketIsOpen, type StreamSocket } from './stream-socket.ts';

interface Watch {
  /** Something came. */
  heard(): void;
  /** While nothing is read, silence says nothing. */
  setPaused(isPaused: boolean): void;
  stop(): void;
}

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
  const pinging = nodeSocketOf(socket);
  const most = pinging ? looks : looks * patience;
  let silent = 0;
  let isPaused = false;
  const heard = () => void (silent = 0);
  const timer = setInterval(
    () => {
      silent = !isPaused && (pinging || isAwaiting()) ? silent + 1 : 0;
      if (silent < most) {
        if (socket.readyState === socketIsOpen) pinging?.ping();
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
  return { heard, setPaused: (paused) => void (isPaused = paused), stop: () => clearInterval(timer) };
}
