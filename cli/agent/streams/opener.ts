import type { Open } from '../../../generated/frames.js';
import type { StreamListener, StreamSocket } from './socket.ts';

/** What opens live streams of one kind. */
export interface StreamOpener {
  /** Why that one is not opened; undefined if it may be. `dialling`: so many of its kind dial back now. */
  refusalOf(open: Open, dialling: number): [reason: string, message: string] | undefined;
  /** What takes the dialled-back socket of a session. */
  accept(open: Open, socket: () => StreamSocket): StreamListener;
  /** Ends all of them; resolves within 2 s. */
  stop(): Promise<void>;
}
