import type { ErrorCode } from '../../command-line/errors.ts';

/** Why a request failed, as shown. All texts are safe for a terminal. */
export interface Failure {
  message: string;
  /** What to do about it. */
  hint?: string | undefined;
  code: ErrorCode;
  requestId?: string | undefined;
}

/** How far shown data can be trusted. Times are of the stores' clock, in ms. */
export type Freshness =
  /** Not received since it is wanted; a value is from an earlier time, `atMs`, and may be outdated. */
  | { kind: 'loading'; atMs?: number }
  /**
   * Current at `atMs`, and polled. While the value stays the same, `atMs` advances without notification, as nothing is
   * drawn. `restMs`: poll interval; default: some seconds.
   */
  | { kind: 'live'; atMs: number; restMs?: number }
  /** Current at `atMs`; requests have failed since. */
  | { kind: 'stale'; atMs: number; failure: Failure }
  /** Never received. */
  | { kind: 'failed'; failure: Failure };

export interface Snapshot<T> {
  /** The last value received. */
  value: T | undefined;
  freshness: Freshness;
}
