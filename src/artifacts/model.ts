/** A file that releases of an org describe. */
export interface ArtifactKey {
  orgId: string;
  sha256: string; // in hex
}

/** How much of a file is received. */
export interface UploadProgress {
  size: number; // bytes of the whole file
  received: number; // bytes received so far
  complete: boolean; // all bytes received and verified
}

/** A part of a file as it arrives. */
export interface Part {
  bytes: AsyncIterable<Uint8Array>;
  first: number; // its offset in the file
  count: number; // its exact length in bytes
  size: number; // bytes of the whole file
}
