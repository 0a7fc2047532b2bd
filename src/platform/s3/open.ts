import type { S3Settings, S3TimeLimits } from './client.ts';
import type { ObjectStore } from './object-store.ts';

/** The object store of these settings, if there are any. The SDK is loaded only then: it takes 0.1 s. */
export async function openObjectStore(
  settings: S3Settings | undefined,
  limits: Partial<S3TimeLimits> = {},
): Promise<ObjectStore | undefined> {
  return settings && (await import('./object-store.ts')).s3ObjectStore(settings, limits);
}
