/** What the source of a camera tells. After `failed` it tells nothing more. */
export interface SourceListener {
  /** One whole JPEG, FFD8 to FFD9, of at most 896 KiB, which is the listener's from then on. */
  picture(jpeg: Buffer): void;
  /** What came was no whole picture, and was left out. */
  broken(): void;
  /** Why no picture comes, should none come in time. */
  hint(why: string): void;
  /** There will be none any more, for that reason: the end of a sentence that begins with the name of the camera, without credentials. */
  failed(reason: string): void;
}

/** A source at work. */
export interface RunningSource {
  /** So many pictures a second are wanted at most, null for all that there are. A source that cannot be told gives all. */
  pace(perSecond: number | null): void;
  /** It tells nothing any more. Resolves within 2 s, when what it held is free. */
  stop(): Promise<void>;
}

/** Where the pictures of a camera come from. */
export interface CameraSource {
  /** It counts as dead when no picture came for so long. */
  readonly silentAfterMs: number;
  start(on: SourceListener, perSecond: number | null): RunningSource;
}

/** Of sources from which a picture should come many times a second. */
export const usualSilenceMs = 10_000;
/** However few are wanted, a source gives so many a second: it would seem dead otherwise. Who wants fewer is sent fewer. */
export const leastPerSecond = 0.5;
