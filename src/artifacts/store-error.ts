/** The S3 store refuses the service: a start ends with its one sentence. */
export class ArtifactStoreError extends Error {
  override readonly name = 'ArtifactStoreError';
}
