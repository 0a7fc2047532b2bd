import type { StreamKind } from '../types.ts';
import type { StreamSocket } from './socket.ts';

type Query = Record<string, string | number | undefined>;

/** The way to streams of the service. */
export interface Door {
  open(robotId: string, kind: StreamKind, path: string, query: Query): Promise<StreamSocket>;
  /** The `seq` of the newest record of its logs; 0 where there is none. */
  newestSeq(robotId: string): Promise<number>;
}

/** Of a text frame: a text in a browser, bytes from `ws`. */
export const textOf = (data: unknown): string =>
  typeof data === 'string' ? data : new TextDecoder().decode(bytesOf(data));

/** Of a binary frame. */
export function bytesOf(data: unknown): Uint8Array {
  if (data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new TextEncoder().encode(String(data));
}
