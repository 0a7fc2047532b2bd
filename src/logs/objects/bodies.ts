import { inflateSync } from 'node:zlib';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { Unavailable } from '../../kernel/errors.ts';
import { slices } from '../../kernel/slices.ts';
import type { ObjectStore } from '../../platform/s3/object-store.ts';
import { keyOf } from './keys.ts';

/** A part of an object. */
export interface ObjectPart {
  objectId: string;
  place: number;
  length: number;
}

/** Parts with less between them are read by one request, up to this size. */
const maxGap = 65_536;
const maxRequest = 8 * 1_048_576;
const requestsAtOnce = 16;
/** Of one call, with all its requests: shorter than Postgres lets its transaction be idle. */
const longestReadMs = 8_000;

interface BodiesSettings {
  /** Undefined: records are in an object store that is not configured. */
  store: ObjectStore | undefined;
  log: Logger;
  /** Readers that may wait for the store at a time: each holds a connection of the pool. */
  readersAtOnce: number;
}

/** Undefined if no object store is configured, and no records are in one. */
export async function openLogObjects(db: Knex, settings: BodiesSettings): Promise<LogObjects | undefined> {
  if (!settings.store) {
    if (!(await db('log_objects').where({ state: 'stored' }).first('id'))) return undefined;
    settings.log.error('older log records are in an object store, and cannot be read: set S3_BUCKET');
  }
  return logObjects(settings);
}

/** Reads parts of objects. Shared by all readers of a replica. */
export type LogObjects = ReturnType<typeof logObjects>;

function logObjects({ store, log, readersAtOnce }: BodiesSettings) {
  let readers = 0;
  const reported = new Set<string>(); // objects with damage

  async function readRun(orgId: string, run: Run, signal: AbortSignal): Promise<(Buffer | undefined)[]> {
    const bytes = await store?.read(keyOf({ orgId, id: run.objectId }), run.place, run.end - 1, signal);
    return run.parts.map(({ place, length }) => {
      const start = place - run.place;
      return bytes && bytes.length >= start + length ? bytes.subarray(start, start + length) : undefined;
    });
  }

  function report(objectId: string, why: string): void {
    if (reported.has(objectId)) return;
    reported.add(objectId);
    log.error({ object: objectId, why }, 'log records in the object store are damaged or missing');
  }

  return {
    /** The parts, in the order of the request; undefined for what the object does not have. @throws Unavailable */
    async read(orgId: string, parts: readonly ObjectPart[]): Promise<(Buffer | undefined)[]> {
      if (!store)
        throw new Unavailable('older log records are in an object store, and S3_BUCKET is not set', {
          retryAfterSeconds: 60,
        });
      if (readers >= readersAtOnce)
        throw new Unavailable('too many calls are reading older log records, try again', { retryAfterSeconds: 2 });
      readers += 1;
      try {
        const signal = AbortSignal.timeout(longestReadMs);
        const runs = runsOf(parts);
        const read = new Map<ObjectPart, Buffer | undefined>();
        for (let start = 0; start < runs.length; start += requestsAtOnce) {
          const some = runs.slice(start, start + requestsAtOnce);
          const bytes = await Promise.all(some.map((run) => readRun(orgId, run, signal)));
          some.forEach((run, index) => run.parts.forEach((part, at) => read.set(part, bytes[index]?.[at])));
        }
        for (const part of parts) if (!read.get(part)) report(part.objectId, 'it ends early, or is missing');
        return parts.map((part) => read.get(part));
      } finally {
        readers -= 1;
      }
    },

    /** The texts of these bodies; empty where one is damaged. */
    async texts(bodies: readonly (Buffer | undefined)[], parts: readonly ObjectPart[]): Promise<string[]> {
      const slice = slices();
      const texts: string[] = [];
      for (const [index, body] of bodies.entries()) {
        texts.push(inflate(body, parts[index]));
        await slice();
      }
      return texts;
    },
  };

  function inflate(body: Buffer | undefined, part: ObjectPart | undefined): string {
    if (!body) return '';
    try {
      return inflateSync(body).toString();
    } catch (error) {
      report(part?.objectId ?? '', (error as Error).message);
      return '';
    }
  }
}

/** Parts that one request reads. */
interface Run {
  objectId: string;
  place: number;
  end: number;
  parts: ObjectPart[];
}

function runsOf(parts: readonly ObjectPart[]): Run[] {
  const runs: Run[] = [];
  const inPlace = parts.toSorted((a, b) =>
    a.objectId === b.objectId ? a.place - b.place : a.objectId < b.objectId ? -1 : 1,
  );
  for (const part of inPlace) {
    const run = runs.at(-1);
    const end = part.place + part.length;
    if (run?.objectId === part.objectId && part.place - run.end <= maxGap && end - run.place <= maxRequest) {
      run.parts.push(part);
      run.end = Math.max(run.end, end);
    } else runs.push({ objectId: part.objectId, place: part.place, end, parts: [part] });
  }
  return runs;
}
