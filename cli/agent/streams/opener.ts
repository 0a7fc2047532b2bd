import type { Open } from '../../../generated/frames.js';
import type { StreamListener, StreamSocket } from './socket.ts';

/** Opens live streams of one kind. */
export interface StreamOpener {
  /** Why the stream is refused; undefined if it may be opened. `dialling`: how many of this kind dial back now. */
  refusalOf(open: Open, dialling: number): [reason: string, message: string] | undefined;
  /** Returns the listener for the dialled-back socket of a session. */
  accept(open: Open, socket: () => StreamSocket): StreamListener;
  /** Ends all streams of this kind; resolves within 2 s. */
  stop(): Promise<void>;
}
