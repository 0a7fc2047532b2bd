import { limits } from '../../../generated/protocol.js';
import type { StreamSocket } from './stream-socket.ts';

/** `WebSocket` of `ws`. */
export type SocketMaker = new (
  url: string,
  protocols: string[],
  options: { headers: Record<string, string>; perMessageDeflate: boolean; maxPayload: number },
) => StreamSocket;

/** A camera has the largest frames of all streams; the sender of a larger one is not the service. */
export const maxFrameBytes = limits.maxCameraFrameBytes;

type PlatformSocket = new (url: string, protocols: string[]) => StreamSocket;

/** The platform's WebSocket; Node has one from version 22. */
export function platformSocket(): PlatformSocket {
  const { WebSocket } = globalThis as { WebSocket?: PlatformSocket };
  if (WebSocket) return WebSocket;
  throw new Error('this platform has no WebSocket: pass the one of the package ws to createClient');
}
