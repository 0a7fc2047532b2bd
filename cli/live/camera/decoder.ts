/** The thread that decodes pictures: data from a robot cannot block the command or, if malicious, crash it. */
import { parentPort } from 'node:worker_threads';
import { dotsOf } from './decode.ts';
import type { DecoderReply, DecoderTask } from './decoder-thread.ts';

parentPort?.on('message', ({ jpeg, columns, rows }: DecoderTask) => {
  let reply: DecoderReply;
  try {
    reply = { dots: dotsOf(jpeg, columns, rows) };
  } catch (error) {
    reply = { failure: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});
