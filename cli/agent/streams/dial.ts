import type { WebSocket } from 'ws';
import { openSocket, streamUrl, type SocketOptions } from '../../transport/link-socket.ts';

export interface Dialling {
  /** Cancels it; neither callback is called. */
  cancel(): void;
}

interface Dial {
  /** Without a trailing slash. */
  backendUrl: string;
  /** From the `open` frame. */
  path: string;
  secret: string;
  socketOptions: SocketOptions;
  withinMs: number;
}

/**
 * Dials back for a live stream. Calls one of the two callbacks once, unless it is cancelled; `opened` before anything
 * is read.
 */
export function dialBack(
  { backendUrl, path, secret, socketOptions, withinMs }: Dial,
  on: { opened(socket: WebSocket): void; failed(reason: string): void },
): Dialling {
  let socket: WebSocket | undefined;
  let isOver = false;
  const over = (tell?: () => void) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(late);
    tell?.();
  };
  const fail = (reason: string) =>
    over(() => {
      socket?.terminate();
      on.failed(reason);
    });
  const late = setTimeout(() => fail('the service did not respond in time'), withinMs);
  const url = streamUrl(backendUrl, path);
  if (!url) {
    queueMicrotask(() => fail('the path points to another host'));
    return { cancel: over };
  }
  openSocket(url, secret, socketOptions).then(
    (made) => {
      socket = made;
      made.on('error', (error) => fail(error.message));
      made.on('unexpected-response', (_request, response) => {
        response.resume().on('error', () => undefined);
        fail(`the service responded with ${response.statusCode ?? 0}`);
      });
      if (isOver) return made.terminate();
      made.on('open', () => over(() => on.opened(made)));
    },
    (error: unknown) => fail(error instanceof Error ? error.message : 'no connection'),
  );
  return {
    cancel: () =>
      over(() => {
        socket?.terminate();
      }),
  };
}
