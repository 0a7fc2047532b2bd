/** A connection of a viewer to a shell, from when both of its ends were joined. */
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
  /** What a crash may lose; a chunk is written at the latest then. Default 1 s. */
  writeEveryMs: number;
  /** A chunk is written as soon as there is so much. Default 64 KiB. */
  chunkBytes: number;
  /** The robot is not read while so much is not written; what it sent until then comes on top. Default 128 KiB. */
  maxHeldBytes: number;
  /** How long a chunk may take to be written, in all of its attempts. Default 30 s. */
  giveUpAfterMs: number;
  /** Of a recording, in bytes of its file. Default 64 MiB. */
  maxBytes: number;
}

export const defaultLimits: RecordingLimits = {
  writeEveryMs: 1_000,
  chunkBytes: 65_536,
  maxHeldBytes: 131_072,
  giveUpAfterMs: 30_000,
  maxBytes: 64 * 1024 * 1024,
};

/** Why a shell cannot go on: it would not be recorded. */
export type Fault = 'full' | 'not_written';
