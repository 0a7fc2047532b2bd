import type { ErrorCode } from '../../command-line/errors.ts';

/** Why something could not be had, as it is shown. All of it is harmless to a terminal. */
export interface Failure {
  message: string;
  /** What to do about it. */
  hint?: string | undefined;
  code: ErrorCode;
  requestId?: string | undefined;
}

/** How much what is on the screen can be trusted. Times are those of the clock the stores were given, in ms. */
export type Freshness =
  /** Nothing has come since it is wanted; a value beside it is of an earlier time, and not to be taken for what is so: `atMs` says of which. */
  | { kind: 'loading'; atMs?: number }
  /** It was so at that time, and is asked again. While the same comes again the time moves on without a word, as nothing is to be drawn. `restMs`: it is asked again after so long; default: some seconds. */
  | { kind: 'live'; atMs: number; restMs?: number }
  /** It was so at that time; since then asking failed. */
  | { kind: 'stale'; atMs: number; failure: Failure }
  /** It was never had. */
  | { kind: 'failed'; failure: Failure };

export interface Snapshot<T> {
  /** The last that came. */
  value: T | undefined;
  freshness: Freshness;
}
