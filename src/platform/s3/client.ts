import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { Unavailable } from '../../kernel/errors.ts';

/** Object store for artifacts and older log records, instead of a folder and the database. */
export interface S3Settings {
  bucket: string; // S3_BUCKET
  endpoint: string | undefined; // S3_ENDPOINT, unset: Amazon's in the region
  region: string; // S3_REGION, else AWS_REGION or AWS_DEFAULT_REGION; us-east-1 with an endpoint
  /** AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; unset: those of the machine, such as its role. */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
  /** Where robots reach the store; undefined unless S3_DIRECT_DOWNLOADS is 1: then S3_PUBLIC_ENDPOINT, else as above. */
  direct: { endpoint: string | undefined } | undefined;
}

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
export interface Answered {
  name: string;
  message: string;
  $metadata?: { httpStatusCode?: number };
}

export const statusOf = (error: unknown): number | undefined =>
  (error as Partial<Answered> | undefined)?.$metadata?.httpStatusCode;

/** SDK errors hold whole requests with their signatures. Only name and message are passed on. */
export function unavailable(error: unknown, message: string): Unavailable {
  const { name, message: reason } = error as Answered;
  return new Unavailable(message, { retryAfterSeconds: 5, cause: new Error(`${name}: ${reason}`) });
}
