import { closeCodes } from '../../../generated/protocol.js';
import { watchSilence } from './silence.ts';
import { nodeSocketOf, socketHasClosed, socketIsOpen, type StreamSocket } from './stream-socket.ts';

/** How a stream ended. */
export interface StreamClose {
  /** 1006 where it broke, was refused, or fell silent. */
  code: number;
  reason: string;
  hasOpened: boolean;
  /** Nothing came for long, and no ping tells whether it was just quiet. */
  isQuiet: boolean;
}

interface Listener {
  /** Of the network; see `watchSilence`. */
  silentSeconds: number;
  onOpen?: () => void;
  /** Where it gives a promise, no more is read until that resolves, if the socket can be paused. */
  onMessage: (data: unknown) => Promise<void> | undefined;
  /** Whether something is to come, where no ping tells that the network is there. Default: always. */
  isAwaiting?: () => boolean;
}

/** A connection of a live stream, whatever comes over it. */
interface StreamConnection {
  /** Resolves when it ends; nothing is told after it. */
  closed: Promise<StreamClose>;
  /** Reads no more until `resume`. False where that cannot be: a browser's socket reads on. */
  pause(): boolean;
  resume(): void;
  /** Ends it in order, or after a second where the other side does not answer. */
  close(reason?: string): void;
}

/** A close is waited for no longer. */
const closeWithinMs = 1_000;

/** Listens to a socket that is being opened, or is open and paused: what comes with the answer would come to nobody else. */
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
    () => over({ code: 1006, reason: 'the network fell silent', isQuiet: !nodeSocket }),
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
  // Its close follows. `ws` says what was answered, a browser tells nobody.
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
      // One that is not read never hears the answer. A page may close by no other code of the standard's.
      resume();
      socket.close(closeCodes.ended, reason);
      if (nodeSocket) closeTimer ??= setTimeout(() => nodeSocket.terminate(), closeWithinMs);
    },
  };
}
