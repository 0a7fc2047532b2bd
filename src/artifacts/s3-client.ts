import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../config.ts';
import { Unavailable } from '../kernel/errors.ts';
import { ArtifactStoreError } from './store-error.ts';

/** How long the store may take, in ms. */
export interface S3TimeLimits {
  connectMs: number; // to accept a connection; default 3 s
  answerMs: number; // to begin a response, retries included; default 10 s
  silenceMs: number; // to send or accept nothing during a transfer; default 30 s
}
export const usualTimeLimits: S3TimeLimits = { connectMs: 3_000, answerMs: 10_000, silenceMs: 30_000 };

/** One retry, at once. The caller that waits for the response retries itself. */
const attempts = 2;

/**
 * An SDK client. The store needs to support signatures only: newer checksums exist only at Amazon, and the service
 * verifies stored files itself.
 */
export function s3Client(
  { endpoint, region, credentials }: S3Settings,
  { connectMs, silenceMs }: S3TimeLimits,
): S3Client {
  // As many sockets as robots that read at once. By default the 51st file waits for one of 50 others to end.
  const agents = { keepAlive: true, maxSockets: Infinity };
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts: attempts,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: silenceMs,
      httpAgent: new HttpAgent(agents),
      httpsAgent: new HttpsAgent(agents),
    },
  });
}

/** What the SDK throws for an error response of the store. */
interface Answered {
  name: string;
  message: string;
  $metadata?: { httpStatusCode?: number };
}

export const statusOf = (error: unknown): number | undefined =>
  (error as Partial<Answered> | undefined)?.$metadata?.httpStatusCode;

/** SDK errors hold whole requests with their signatures. Only name and message are passed on. */
export function unavailable(error: unknown): Unavailable {
  const { name, message } = error as Answered;
  return new Unavailable('the artifact store sent an invalid response, try again', {
    retryAfterSeconds: 5,
    cause: new Error(`${name}: ${message}`),
  });
}

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
