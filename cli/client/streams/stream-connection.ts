import { closeCodes } from '../../../generated/protocol.js';
import { watchSilence } from './silence.ts';
import { nodeSocketOf, socketHasClosed, socketIsOpen, type StreamSocket } from './stream-socket.ts';

/** How a stream ended. */
export interface StreamClose {
  /** 1006 if the connection broke, was refused, or became silent. */
  code: number;
  reason: string;
  hasOpened: boolean;
  /** Nothing arrived for long, and without pings it may only have been quiet. */
  isQuiet: boolean;
}

interface Listener {
  /** Limit of network silence; see `watchSilence`. */
  silentSeconds: number;
  onOpen?: () => void;
  /** If it returns a promise, reading pauses until that resolves, provided that the socket can pause. */
  onMessage: (data: unknown) => Promise<void> | undefined;
  /** Whether a message is due, on a socket without pings. Default: always. */
  isAwaiting?: () => boolean;
}

/** A connection of any live stream. */
interface StreamConnection {
  /** Resolves when it ends; no callback follows. */
  closed: Promise<StreamClose>;
  /** Pauses reading until `resume`. False if it cannot pause: a browser's socket keeps reading. */
  pause(): boolean;
  resume(): void;
  /** Closes in order, or after a second if the peer does not respond. */
  close(reason?: string): void;
}

/** Time limit of a close. */
const closeWithinMs = 1_000;

/**
 * Listens on a socket that is opening, or open and paused; otherwise messages that arrive with the response would be
 * lost.
 */
export function streamConnection(socket: StreamSocket, listener: Listener): StreamConnection {
  const { silentSeconds, onOpen, onMessage, isAwaiting = () => true } = listener;
  const nodeSocket = nodeSocketOf(socket);
  if (!nodeSocket) socket.binaryType = 'arraybuffer';
  let [hasOpened, isOver, isHeld] = [false, false, false];
  let trouble = '';
  let closeTimer: ReturnType<typeof setTimeout> | undefined;
  let finish: (close: StreamClose) => void;
  const closed = new Promise<StreamClose>((resolve) => (finish = resolve));

  function over(end: Omit<StreamClose, 'hasOpened'>): void {
    if (isOver) return;
    isOver = true;
    silence.stop();
    clearTimeout(closeTimer);
    finish({ ...end, hasOpened });
  }
  const silence = watchSilence(
    socket,
    silentSeconds,
    () => !hasOpened || isAwaiting(),
    () => over({ code: 1006, reason: 'the network stopped responding', isQuiet: !nodeSocket }),
  );

  function pause(): boolean {
    silence.setPaused(nodeSocket !== undefined);
    nodeSocket?.pause();
    return nodeSocket !== undefined;
  }
  function resume(): void {
    silence.setPaused(false);
    nodeSocket?.resume();
  }
  function opened(): void {
    silence.heard();
    hasOpened = true;
    onOpen?.();
  }

  socket.addEventListener('open', opened);
  socket.addEventListener('message', ({ data }) => {
    silence.heard();
    const full = isOver ? undefined : onMessage(data);
    if (!full || isHeld || !pause()) return;
    isHeld = true;
    void full.then(() => {
      isHeld = false;
      resume();
    });
  });
  // The close event follows. `ws` reports the response here; a browser reports nothing.
  socket.addEventListener('error', (event) => {
    const { message } = event as { message?: unknown };
    if (typeof message === 'string') trouble = message;
  });
  socket.addEventListener('close', ({ code, reason }) => over({ code, reason: reason || trouble, isQuiet: false }));
  if (socket.readyState === socketIsOpen) opened();
  if (socket.readyState === socketHasClosed) over({ code: 1006, reason: '', isQuiet: false });
  else resume();

  return {
    closed,
    pause,
    resume,
    close(reason) {
      if (isOver) return;
      // A paused socket never reads the response. A page may use no other close code of the standard.
      resume();
      socket.close(closeCodes.ended, reason);
      if (nodeSocket) closeTimer ??= setTimeout(() => nodeSocket.terminate(), closeWithinMs);
    },
  };
}
