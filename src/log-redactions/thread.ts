import { Worker } from 'node:worker_threads';
import type { PatternRule, Said } from './model.ts';
import type { Redacted } from './record.ts';

export type Job =
  | { kind: 'check'; pattern: string }
  /** `key`: the same for the same rules. */
  | { kind: 'redact'; key: string; rules: readonly PatternRule[]; said: readonly Said[] };

export type Reply =
  { kind: 'check'; fault: string | undefined } | { kind: 'redact'; redacted: (Redacted | undefined)[] };

/** The job took too long, or too much memory, twice. */
export class PatternsTooSlow extends Error {
  override readonly name = 'PatternsTooSlow';
}

/** A frame of 256 KiB takes some 30 ms with ordinary patterns. */
const withinMs = 2_000;
const maxMemoryMb = 256;

/**
 * Applies the patterns of orgs in a thread of its own: a pattern takes time in proportion to the text, and to itself,
 * and the search for all its matches may take the square of that. The thread starts with the first job. A job that takes
 * too long ends it; the next one starts another. `file`: the script of the thread.
 */
export function patternThread(file: string) {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isEnded = false;

  function start(): Worker {
    const started = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } });
    started.unref(); // a job has a timer
    // Between two jobs there is no other listener, and the thread may run out of memory.
    started
      .on('error', () => undefined)
      .on('exit', () => {
        if (worker === started) worker = undefined;
      });
    return started;
  }

  /** @throws PatternsTooSlow, or Error if the thread or the service ended */
  async function attempt(job: Job): Promise<Reply> {
    if (isEnded) throw new Error('the service stops');
    const to = (worker ??= start());
    const { promise, resolve, reject } = withResolvers<Reply>();
    const exited = () => reject(new Error('the thread ended'));
    const failed = (error: Error) => reject(isOutOfMemory(error) ? tooSlow(`${maxMemoryMb} MB`, error) : error);
    const late = setTimeout(() => reject(tooSlow(`${withinMs / 1_000} s`)), withinMs);
    to.once('message', resolve).once('error', failed).once('exit', exited).postMessage(job);
    try {
      return await promise;
    } catch (error) {
      if (worker === to) worker = undefined;
      await to.terminate();
      throw error;
    } finally {
      clearTimeout(late);
      to.off('message', resolve).off('error', failed).off('exit', exited);
    }
  }

  /** Twice: the thread may have lacked memory for the jobs before this one, or time on a busy machine. */
  const run = (job: Job): Promise<Reply> => attempt(job).catch(() => attempt(job));

  return {
    /** One job after the other. @throws PatternsTooSlow, or Error if the thread or the service ended */
    do<Kind extends Job['kind']>(job: Extract<Job, { kind: Kind }>): Promise<Extract<Reply, { kind: Kind }>> {
      const done = last.then(() => run(job));
      last = done.catch(() => undefined);
      return done as Promise<Extract<Reply, { kind: Kind }>>; // a reply is of the kind of its job
    },
    async end(): Promise<void> {
      isEnded = true;
      await worker?.terminate();
    },
  };
}

const tooSlow = (limit: string, cause?: Error) =>
  new PatternsTooSlow(`log redaction rules took more than ${limit}`, { cause });

const isOutOfMemory = (error: Error): boolean => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** As Promise.withResolvers, which Node 20 lacks. */
function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Value>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}
