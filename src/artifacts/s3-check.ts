import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { s3Client, statusOf, usualTimeLimits, type Answered, type S3Settings } from '../platform/s3/client.ts';
import { ArtifactStoreError } from './store-error.ts';

/** @see whyStoreIsAway */
export async function whyAway(settings: S3Settings): Promise<string | undefined> {
  const client = s3Client(settings, usualTimeLimits);
  try {
    const abortSignal = AbortSignal.timeout(usualTimeLimits.answerMs);
    await client.send(new ListObjectsV2Command({ Bucket: settings.bucket, MaxKeys: 1 }), { abortSignal });
    return undefined;
  } catch (error) {
    const { name, message } = error as Answered;
    const status = statusOf(error) ?? 0;
    const isRefused = (status >= 300 && status < 500 && status !== 429) || name === 'CredentialsProviderError';
    if (!isRefused) return `${name}: ${message}`;
    throw new ArtifactStoreError(
      `the S3 store rejected the credentials, with S3_BUCKET ${settings.bucket}: ${name}: ${message.replace(/\.?\s*$/, '')}`,
    );
  } finally {
    client.destroy();
  }
}
