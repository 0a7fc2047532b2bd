/** A viewer's connection to a shell, from the moment both ends were joined. */
export interface SessionFacts {
  id: string;
  orgId: string;
  robotId: string;
  userId: string | undefined; // undefined for a token of the org
  tokenId: string;
  recorded: boolean;
}

/** How it ended. */
export interface SessionEnd {
  seconds: number;
  bytesFromViewer: number;
  bytesToViewer: number;
  closeCode: number; // of the viewer's end
}

export interface RecordingLimits {
  /** Longest wait until a chunk is written, which a crash may lose. Default 1 s. */
  writeEveryMs: number;
  /** A chunk of this size is written at once. Default 64 KiB. */
  chunkBytes: number;
  /** Unwritten bytes at which the robot's socket is paused. What it sent before is added. Default 128 KiB. */
  maxHeldBytes: number;
  /** Time limit for writing a chunk, retries included. Default 30 s. */
  giveUpAfterMs: number;
  /** Maximum size of a recording's file in bytes. Default 64 MiB. */
  maxBytes: number;
}

export const defaultLimits: RecordingLimits = {
  writeEveryMs: 1_000,
  chunkBytes: 65_536,
  maxHeldBytes: 131_072,
  giveUpAfterMs: 30_000,
  maxBytes: 64 * 1024 * 1024,
};

/** Why a shell must end: it would not be recorded. */
export type Fault = 'full' | 'not_written';
