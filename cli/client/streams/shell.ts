import { closeCodes } from '../../../generated/protocol.js';
import { queueOf } from './queue.ts';
import { untilClosed } from './socket.ts';
import { bytesOf, endOf, type Door } from './door.ts';

export interface ShellOptions {
  cols?: number;
  rows?: number;
  /** Ends the shell. */
  signal?: AbortSignal;
}

/** A shell on a robot: what its terminal shows, and what is typed into it. All that it shows waits for who reads it: no agent can be asked to wait with raw bytes. */
export interface RawShell extends AsyncIterable<Uint8Array> {
  /** Types. */
  write(text: string | Uint8Array): void;
  /** How the program ended, such as `exit 0` or `signal SIGKILL`, once all that it showed was read. Rejects with StreamError where the connection was lost. */
  ended: Promise<string>;
  close(): void;
}

/** Opens one. Rejects with StreamError where there is none to be had. A shell that lost its connection is over: `openShell` goes on with it, this does not. */
export async function shell(door: Door, robotId: string, options: ShellOptions = {}): Promise<RawShell> {
  const { signal, ...size } = options;
  const socket = await door.open(robotId, 'shell', 'shell/ws', size);
  const queue = queueOf<Uint8Array>();
  const close = () => socket.close(closeCodes.ended);
  let opened: () => void = () => undefined;
  const open = new Promise<undefined>((resolve) => (opened = () => resolve(undefined)));
  const closed = untilClosed(socket, {
    silentSeconds: door.silentSeconds,
    // It may show nothing for hours.
    isAwaiting: () => false,
    onOpen: () => opened(),
    onMessage: (data) => queue.put(bytesOf(data)),
  });
  signal?.addEventListener('abort', close, { once: true });
  if (signal?.aborted) close();

  const ended = closed.then((end) => {
    signal?.removeEventListener('abort', close);
    const error = end.code === closeCodes.ended ? undefined : endOf(end).error;
    queue.end(error);
    if (error) throw error;
    return end.reason;
  });
  // Who reads the bytes alone is told by them.
  ended.catch(() => undefined);
  const refused = await Promise.race([open, closed]);
  if (refused) throw endOf(refused).error;

  return {
    write: (text) => socket.send(typeof text === 'string' ? new TextEncoder().encode(text) : text),
    ended,
    close,
    async *[Symbol.asyncIterator]() {
      for (let bytes = await queue.next(); bytes; bytes = await queue.next()) yield bytes;
    },
  };
}
