/** Listens to a camera's source. After `failed`, nothing more is called. */
export interface SourceListener {
  /** One whole JPEG, FFD8 to FFD9, of at most 896 KiB. The listener owns the buffer. */
  picture(jpeg: Buffer): void;
  /** A picture was incomplete or broken, and was skipped. */
  broken(): void;
  /** The likely reason, in case no picture arrives in time. */
  hint(why: string): void;
  /**
   * No more pictures will arrive, for this reason. It completes a sentence that begins with the camera's name, without
   * credentials.
   */
  failed(reason: string): void;
}

/** A running source. */
export interface RunningSource {
  /** Maximum number of pictures wanted per second; null for all. A source that cannot change its rate gives all. */
  pace(perSecond: number | null): void;
  /** Stops all calls to the listener. Resolves within 2 s, when the source has released its resources. */
  stop(): Promise<void>;
}

/** The source of a camera's pictures. */
export interface CameraSource {
  /** The source counts as dead after this long without a picture. */
  readonly silentAfterMs: number;
  start(on: SourceListener, perSecond: number | null): RunningSource;
}

/** For sources that should give many pictures per second. */
export const usualSilenceMs = 10_000;
/** The least rate of a source: below this it would seem dead. Viewers may receive fewer pictures. */
export const leastPerSecond = 0.5;
