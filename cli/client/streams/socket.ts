import { limits } from '../../../generated/protocol.js';
import { watchSilence } from './silence.ts';
import type { StreamSocket } from './stream-socket.ts';

/** `WebSocket` of `ws`. */
export type SocketMaker = new (
  url: string,
  protocols: string[],
  options: { headers: Record<string, string>; perMessageDeflate: boolean; maxPayload: number },
) => StreamSocket;

/** No stream has larger frames than a camera; whoever sends one is not the service. */
export const maxFrameBytes = limits.maxCameraFrameBytes;

type PlatformSocket = new (url: string, protocols: string[]) => StreamSocket;

/** What the platform has; Node has one from 22 on. */
export function platformSocket(): PlatformSocket {
  const { WebSocket } = globalThis as { WebSocket?: PlatformSocket };
  if (WebSocket) return WebSocket;
  throw new Error('this platform has no WebSocket: give createClient that of the package ws');
}

/** How a stream ended. */
export interface StreamClose {
  /** 1006 where it broke, was refused, or fell silent. */
  code: number;
  reason: string;
  hasOpened: boolean;
  isSilent: boolean;
}

interface Listener {
  /** Of the network; see `watchSilence`. */
  silentSeconds: number;
  onOpen?: () => void;
  onMessage: (data: unknown) => void;
  /** Whether something is to come, where no ping tells that the network is there. Default: always. */
  isAwaiting?: () => boolean;
}

/** Listens from the first moment on: what comes with the answer comes to nobody else. Resolves when it ends; nothing is told after it. */
export function untilClosed(socket: StreamSocket, listener: Listener): Promise<StreamClose> {
  const { silentSeconds, onOpen, onMessage, isAwaiting = () => true } = listener;
  socket.binaryType = 'arraybuffer';
  let hasOpened = false;
  let isOver = false;
  let trouble = '';
  return new Promise((resolve) => {
    function over(end: Pick<StreamClose, 'code' | 'reason' | 'isSilent'>): void {
      isOver = true;
      silence.stop();
      resolve({ ...end, hasOpened });
    }
    const silence = watchSilence(
      socket,
      silentSeconds,
      () => !hasOpened || isAwaiting(),
      () => over({ code: 1006, reason: 'the network fell silent', isSilent: true }),
    );
    socket.addEventListener('open', () => {
      silence.heard();
      hasOpened = true;
      onOpen?.();
    });
    socket.addEventListener('message', ({ data }) => {
      silence.heard();
      if (!isOver) onMessage(data);
    });
    // Its close follows. `ws` says what was answered, a browser tells nobody.
    socket.addEventListener('error', (event) => {
      const { message } = event as { message?: unknown };
      if (typeof message === 'string') trouble = message;
    });
    socket.addEventListener('close', ({ code, reason }) => {
      if (!isOver) over({ code, reason: reason || trouble, isSilent: false });
    });
  });
}
