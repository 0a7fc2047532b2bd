import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { atATime } from '../kernel/at-a-time.ts';
import {
  s3Client,
  statusOf,
  unavailable,
  usualTimeLimits,
  type S3Settings,
  type S3TimeLimits,
} from '../platform/s3/client.ts';
import type { BlobStore } from './blob-store.ts';
import type { ArtifactKey } from './model.ts';

/** Size of an upload part. Two parts each of four files are uploaded at a time: about 64 MiB of memory. */
const partBytes = 8 * 1024 * 1024;
const partsAtOnce = 2;
const filesAtOnce = 4;
/** S3 accepts no more parts per file. */
const maxParts = 10_000;
/** Looking for leftovers costs a request, and they are rare. */
const tidyEveryMs = 3_600_000;

/**
 * How long a presigned address is valid, in seconds. The download must begin in this time. It is short, as the address is
 * a secret, and long enough for clocks of service and store that differ by some minutes.
 */
const presignedSeconds = 300;

const away = (error: unknown) => unavailable(error, 'the artifact store sent an invalid response, try again');

/** Keys of the service's objects; the bucket may hold others. */
const keyPattern = /^[0-9a-f-]{36}\/[0-9a-f]{64}$/;

/**
 * Stores artifacts in a bucket: `<org>/<sha256>`. An object appears whole or not at all. It carries its SHA-256, which
 * is checked beside its size, so objects that others wrote are not served.
 * @throws Unavailable from each method, if the store does not respond or refuses
 */
export function s3BlobStore(settings: S3Settings, changedLimits: Partial<S3TimeLimits> = {}): BlobStore {
  const timeLimits = { ...usualTimeLimits, ...changedLimits };
  const client = s3Client(settings, timeLimits);
  // A slow reader must not count as silence of the store.
  const reader = s3Client(settings, { ...timeLimits, silenceMs: 0 });
  const inTurn = atATime(filesAtOnce);
  let tidiedAt = -Infinity;
  const at = ({ orgId, sha256 }: ArtifactKey) => ({ Bucket: settings.bucket, Key: `${orgId}/${sha256}` });

  async function sizeOf(key: ArtifactKey): Promise<number | undefined> {
    try {
      const abortSignal = AbortSignal.timeout(timeLimits.answerMs);
      const { ContentLength, Metadata } = await reader.send(new HeadObjectCommand(at(key)), { abortSignal });
      return Metadata?.['sha256'] === key.sha256 ? ContentLength : undefined;
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw away(error);
    }
  }

  async function put(key: ArtifactKey, path: string, size: number): Promise<void> {
    const bytes = createReadStream(path, { highWaterMark: 1024 * 1024 });
    const upload = new Upload({
      client,
      queueSize: partsAtOnce,
      partSize: Math.max(partBytes, Math.ceil(size / maxParts)),
      leavePartsOnError: true, // otherwise `done` waits for its own abort, which the store may never answer
      params: {
        ...at(key),
        Body: bytes,
        ContentType: 'application/octet-stream',
        Metadata: { sha256: key.sha256 },
      },
    });
    try {
      await upload.done();
    } catch (error) {
      // `tidy` removes what is left after this.
      if (upload.uploadId !== undefined) void abort(at(key).Key, upload.uploadId).catch(() => undefined);
      throw error;
    } finally {
      bytes.destroy();
    }
  }

  const abort = (Key: string, UploadId: string | undefined) =>
    client.send(new AbortMultipartUploadCommand({ Bucket: settings.bucket, Key, UploadId }));

  async function* leftOver(before: number) {
    let page: Partial<ListMultipartUploadsCommandOutput> = {};
    do {
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      page = await client.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket, KeyMarker, UploadIdMarker }));
      for (const { Key = '', UploadId, Initiated } of page.Uploads ?? [])
        if (keyPattern.test(Key) && Initiated && Initiated.getTime() < before) yield { Key, UploadId };
    } while (page.IsTruncated === true);
  }

  /** Its addresses are for robots. It only signs, so it sends no request. */
  const signer = settings.direct && s3Client({ ...settings, endpoint: settings.direct.endpoint }, timeLimits);

  return {
    sizeOf,

    presign:
      signer &&
      (async (key) => {
        try {
          return await getSignedUrl(signer, new GetObjectCommand(at(key)), { expiresIn: presignedSeconds });
        } catch (error) {
          throw away(error); // the credentials of the machine
        }
      }),

    async *open(key, first, last) {
      let body: Readable | undefined;
      try {
        const began = new AbortController();
        const late = setTimeout(() => began.abort(), timeLimits.answerMs);
        const command = new GetObjectCommand({ ...at(key), Range: `bytes=${first}-${last}` });
        const answer = await reader.send(command, { abortSignal: began.signal }).finally(() => clearTimeout(late));
        body = answer.Body as Readable; // a Node.js stream, in Node.js
        yield* heard(body, timeLimits.silenceMs);
      } catch (error) {
        throw away(error);
      } finally {
        body?.destroy();
      }
    },

    async keep(key, path) {
      const { size } = await stat(path);
      try {
        await inTurn(() => put(key, path, size));
      } catch (error) {
        throw away(error);
      }
      if ((await sizeOf(key)) !== size) throw away(new Error('the store does not have the file after the upload'));
      await rm(path);
    },

    async remove(key) {
      try {
        const abortSignal = AbortSignal.timeout(timeLimits.answerMs);
        await client.send(new DeleteObjectCommand(at(key)), { abortSignal });
      } catch (error) {
        if (statusOf(error) !== 404 || (error as Error).name === 'NoSuchBucket') throw away(error);
      }
    },

    async tidy(ageMs) {
      if (performance.now() - tidiedAt < tidyEveryMs) return;
      tidiedAt = performance.now();
      try {
        for await (const { Key, UploadId } of leftOver(Date.now() - ageMs)) await abort(Key, UploadId);
      } catch (error) {
        throw away(error);
      }
    },
  };
}

/** The chunks of a body. The wait for each chunk is limited; its reader may take any time. */
async function* heard(body: Readable, silenceMs: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const timer = setTimeout(() => body.destroy(new Error('the store stopped sending')), silenceMs);
    const next = await chunks.next().finally(() => clearTimeout(timer));
    if (next.done === true) return;
    yield next.value;
  }
}
