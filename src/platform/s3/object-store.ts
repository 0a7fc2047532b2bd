import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { slices } from '../../kernel/slices.ts';
import { s3Client, statusOf, unavailable, usualTimeLimits, type S3Settings, type S3TimeLimits } from './client.ts';

/**
 * Objects that are written once, in one request each.
 * @throws Unavailable from each method, if the store does not respond or refuses
 */
export interface ObjectStore {
  /** Stores an object, whole or not at all. */
  put(key: string, parts: readonly Buffer[], signal?: AbortSignal): Promise<void>;
  /** Bytes `first` to `last`, both inclusive, as far as there are. Undefined: there is no such object. */
  read(key: string, first: number, last: number, signal?: AbortSignal): Promise<Buffer | undefined>;
  /** Does nothing if there is no such object. */
  remove(key: string): Promise<void>;
}

/** The object, not the bucket. */
const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as Partial<Error>).name !== 'NoSuchBucket';

export function s3ObjectStore(settings: S3Settings, changedLimits: Partial<S3TimeLimits> = {}): ObjectStore {
  const timeLimits = { ...usualTimeLimits, ...changedLimits };
  const client = s3Client(settings, timeLimits);
  const at = (Key: string) => ({ Bucket: settings.bucket, Key });
  const away = (error: unknown) => unavailable(error, 'the object store does not respond or refuses, try again');
  const inTime = (signal?: AbortSignal) => {
    const limit = AbortSignal.timeout(timeLimits.answerMs);
    return { abortSignal: signal ? AbortSignal.any([signal, limit]) : limit };
  };

  return {
    async put(key, parts, signal) {
      const hash = createHash('md5');
      let length = 0;
      const slice = slices();
      for (const part of parts) {
        hash.update(part);
        length += part.length;
        await slice();
      }
      // A stream is sent as it is. The SDK would hash a buffer of this size at once.
      const body = { Body: Readable.from(parts), ContentLength: length, ContentMD5: hash.digest('base64') };
      try {
        const command = new PutObjectCommand({ ...at(key), ...body, ContentType: 'application/octet-stream' });
        await client.send(command, signal && { abortSignal: signal });
      } catch (error) {
        throw away(error);
      }
    },

    async read(key, first, last, signal) {
      try {
        const command = new GetObjectCommand({ ...at(key), Range: `bytes=${first}-${last}` });
        const { Body } = await client.send(command, inTime(signal));
        return await buffer(Body as Readable); // a Node.js stream, in Node.js
      } catch (error) {
        if (isMissing(error)) return undefined;
        if (statusOf(error) === 416) return Buffer.alloc(0); // the range begins after the end
        throw away(error);
      }
    },

    async remove(key) {
      try {
        await client.send(new DeleteObjectCommand(at(key)), inTime());
      } catch (error) {
        if (!isMissing(error)) throw away(error);
      }
    },
  };
}
