/** The artifact store cannot be used, for example because S3 refuses. Startup fails with this one sentence. */
export class ArtifactStoreError extends Error {
  override readonly name = 'ArtifactStoreError';
}
