import { Worker } from 'node:worker_threads';
import { ownFile } from '../../files/own-file.ts';
import type { RgbImage } from './decode.ts';

export interface DecoderTask {
  jpeg: Uint8Array;
  columns: number;
  rows: number;
}

export type DecoderReply = { dots: RgbImage } | { failure: string };

/** A picture that takes longer is discarded, and the thread with it. */
const withinMs = 5_000;

/**
 * Decodes one picture at a time, in a thread that starts with the first. `script`: the text of the thread's script;
 * default: the one of the built client.
 */
export function decoderThread(script: () => string = () => ownFile('decoder.js')) {
  let thread: Worker | undefined;

  function begin(): Worker {
    const made = new Worker(script(), { eval: true });
    // Between two pictures there is no other listener, and the thread may run out of memory.
    made
      .on('error', () => undefined)
      .on('exit', () => {
        if (thread === made) thread = undefined;
      });
    return made;
  }

  async function give(task: DecoderTask, to: Worker): Promise<RgbImage> {
    let end: (reply: DecoderReply) => void = () => undefined;
    const replied = new Promise<DecoderReply>((resolve) => (end = resolve));
    const broken = (error: Error) => end({ failure: error.message });
    const gone = () => end({ failure: 'the decoder ended' });
    const late = setTimeout(() => end({ failure: `it takes longer than ${withinMs / 1000} s` }), withinMs);
    to.once('message', end).once('error', broken).once('exit', gone).postMessage(task);
    const reply = await replied;
    clearTimeout(late);
    to.off('message', end).off('error', broken).off('exit', gone);
    if ('dots' in reply) return reply.dots;
    // It may still be decoding.
    if (thread === to) thread = undefined;
    to.on('error', () => undefined);
    void to.terminate();
    throw new Error(reply.failure);
  }

  return {
    /** Rejects with Error if the picture cannot be shown. */
    decode: (task: DecoderTask): Promise<RgbImage> => give(task, (thread ??= begin())),
    end(): void {
      void thread?.terminate();
      thread = undefined;
    },
  };
}
