/** A file that releases of an org describe. */
export interface ArtifactKey {
  orgId: string;
  sha256: string; // in hex
}

/** What is here of a file. */
export interface Holding {
  size: number; // bytes of the whole
  received: number; // bytes that are here
  complete: boolean; // and verified
}

/** A part of a file as it arrives. */
export interface Part {
  bytes: AsyncIterable<Uint8Array>;
  first: number; // its place in the file
  count: number; // its bytes, no more and no less
  size: number; // bytes of the whole file
}
