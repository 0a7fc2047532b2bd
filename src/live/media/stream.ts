import type { PreparedFrame } from '../../platform/ws/outlet.ts';
import type { Rate } from './model.ts';

/** One picture, record or word of a stream. */
export interface Item {
  frame: PreparedFrame;
  /** Whether it is a picture or a record, of which fewer may be wanted than there are; a word about the stream is neither. */
  isContent: boolean;
}

/** Who looks at a stream: a viewer, or another replica for its own. */
export interface Reader {
  readonly rate: Rate;
  /** The agent has opened the stream. Once, before the first item. */
  opened(): void;
  take(item: Item): void;
  /** The stream is over. */
  ended(code: number, reason: string | Buffer): void;
}

/** What a stream comes from. */
export interface Upstream {
  setRate(rate: Rate): void;
  /** It is not wanted any more. */
  close(): void;
}

export interface UpstreamListener {
  opened(): void;
  item(item: Item): void;
  /** Nothing comes after it. */
  ended(code: number, reason: string | Buffer): void;
}

/** Begins to get a stream. What becomes of it may be told before the function returns. */
export type BeginUpstream = (rate: Rate, on: UpstreamListener) => Upstream;
