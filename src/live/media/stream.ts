import type { PreparedFrame } from '../../platform/ws/outlet.ts';
import type { Rate } from './model.ts';

/** One picture, record or control frame of a stream. */
export interface Item {
  frame: PreparedFrame;
  /** Whether it is a picture or a record, which the rate may drop; a control frame is neither. */
  isContent: boolean;
}

/** A reader of a stream: a viewer, or another replica for its viewers. */
export interface Reader {
  readonly rate: Rate;
  /** The agent has opened the stream. Called once, before the first item. */
  opened(): void;
  take(item: Item): void;
  /** The stream is over. */
  ended(code: number, reason: string | Buffer): void;
}

/** The source of a stream. */
export interface Upstream {
  setRate(rate: Rate): void;
  /** The stream is no longer needed. */
  close(): void;
}

export interface UpstreamListener {
  opened(): void;
  item(item: Item): void;
  /** The stream is over; nothing follows. */
  ended(code: number, reason: string | Buffer): void;
}

/** Starts a stream. The listener may be called before this returns. */
export type BeginUpstream = (rate: Rate, on: UpstreamListener) => Upstream;
