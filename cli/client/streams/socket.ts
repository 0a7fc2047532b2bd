/** What is used of a WebSocket: the platform's and that of `ws` have it alike. */
export interface StreamSocket {
  binaryType: string;
  readonly readyState: number;
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
  addEventListener(type: 'error', listener: (event: object) => void): void;
}

/** `WebSocket` of `ws`. */
export type SocketMaker = new (
  url: string,
  protocols: string[],
  options: { headers: Record<string, string> },
) => StreamSocket;

/** What the platform has; Node has one from 22 on. */
export function platformSocket(): new (url: string) => StreamSocket {
  const { WebSocket } = globalThis as { WebSocket?: new (url: string) => StreamSocket };
  if (WebSocket) return WebSocket;
  throw new Error('this platform has no WebSocket: give createClient that of the package ws');
}

/** How a stream ended. */
export interface StreamClose {
  code: number;
  reason: string;
  hasOpened: boolean;
}

/** Listens from the first moment on: what comes with the answer comes to nobody else. Resolves when it ends. */
export function untilClosed(
  socket: StreamSocket,
  { onOpen, onMessage }: { onOpen?: () => void; onMessage: (data: unknown) => void },
): Promise<StreamClose> {
  socket.binaryType = 'arraybuffer';
  let hasOpened = false;
  let trouble = '';
  return new Promise((resolve) => {
    socket.addEventListener('open', () => {
      hasOpened = true;
      onOpen?.();
    });
    socket.addEventListener('message', ({ data }) => onMessage(data));
    // Its close follows. `ws` says what was answered, a browser tells nobody.
    socket.addEventListener('error', (event) => {
      const { message } = event as { message?: unknown };
      if (typeof message === 'string') trouble = message;
    });
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason: reason || trouble, hasOpened }));
  });
}
