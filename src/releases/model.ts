/** Describes an artifact: name, hash and size. Only whether it is archived changes. */
export interface Release {
  id: string;
  tag: string; // unique within its kind
  kind: string; // how robots install it
  artifactSha256: string; // in hex
  artifactSize: number; // bytes
  isArtifactStored: boolean; // whether the service has the file
  notes: string | undefined;
  signature: string | undefined; // base64; only with keyId
  keyId: string | undefined;
  createdAt: Date;
  archivedAt: Date | undefined; // undefined: not archived
}

export type NewRelease = Omit<Release, 'id' | 'createdAt' | 'isArtifactStored' | 'archivedAt'>;

export interface ReleaseFilter {
  tag?: string | undefined;
  kind?: string | undefined;
  isArchived?: boolean | undefined; // default: both
}

/** Whether two releases are of the same artifact. */
export const isSameArtifact = (one: NewRelease, other: NewRelease): boolean =>
  one.artifactSha256 === other.artifactSha256 && one.artifactSize === other.artifactSize;
