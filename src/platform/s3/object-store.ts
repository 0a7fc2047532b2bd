import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { s3Client, statusOf, unavailable, usualTimeLimits, type S3Settings, type S3TimeLimits } from './client.ts';

/**
 * Objects that are written once, in one request each.
 * @throws Unavailable from each method, if the store does not respond or refuses
 */
export interface ObjectStore {
  /** Stores an object, whole or not at all. */
  put(key: string, parts: readonly Buffer[]): Promise<void>;
  /** Bytes `first` to `last`, both inclusive; fewer where the object ends before. Undefined: there is no such object. */
  read(key: string, first: number, last: number): Promise<Buffer | undefined>;
  /** Does nothing if there is no such object. */
  remove(key: string): Promise<void>;
}

export function s3ObjectStore(settings: S3Settings, changedLimits: Partial<S3TimeLimits> = {}): ObjectStore {
  const timeLimits = { ...usualTimeLimits, ...changedLimits };
  const client = s3Client(settings, timeLimits);
  const at = (Key: string) => ({ Bucket: settings.bucket, Key });
  const away = (error: unknown) => unavailable(error, 'the object store sent an invalid response, try again');
  const inTime = () => ({ abortSignal: AbortSignal.timeout(timeLimits.answerMs) });

  return {
    async put(key, parts) {
      const hash = createHash('md5');
      for (const part of parts) hash.update(part);
      const length = parts.reduce((total, part) => total + part.length, 0);
      // A stream is sent as it is. The SDK would hash a buffer of this size at once.
      const body = { Body: Readable.from(parts), ContentLength: length, ContentMD5: hash.digest('base64') };
      try {
        await client.send(new PutObjectCommand({ ...at(key), ...body, ContentType: 'application/octet-stream' }));
      } catch (error) {
        throw away(error);
      }
    },

    async read(key, first, last) {
      try {
        const command = new GetObjectCommand({ ...at(key), Range: `bytes=${first}-${last}` });
        const { Body } = await client.send(command, inTime());
        return await buffer(Body as Readable); // a Node.js stream, in Node.js
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw away(error);
      }
    },

    async remove(key) {
      try {
        await client.send(new DeleteObjectCommand(at(key)), inTime());
      } catch (error) {
        if (statusOf(error) !== 404) throw away(error);
      }
    },
  };
}
