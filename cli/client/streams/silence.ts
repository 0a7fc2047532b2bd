import { longestMs } from '../pause.ts';
import { nodeSocketOf, socketIsOpen, type StreamSocket } from './stream-socket.ts';

interface Watch {
  /** A message arrived. */
  heard(): void;
  /** While reading is paused, silence means nothing. */
  setPaused(isPaused: boolean): void;
  stop(): void;
}

const looks = 3;
/** Without pings a quiet stream looks like a dead one, so it gets this many times as long. */
const patience = 2;

/**
 * Ends and reports a socket that received nothing for `silentSeconds`: a stalled network ends no connection by itself.
 * `ws` sockets are pinged. Others show no pings, so they end after twice that time, counted while `isAwaiting`. Time is
 * counted in checks: after the machine slept, the clock says nothing about the peer.
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
