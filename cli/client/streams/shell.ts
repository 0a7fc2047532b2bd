import { closeCodes } from '../../../generated/protocol.js';
import { StreamError } from '../errors.ts';
import { bytesOf } from './frames.ts';
import { queueOf } from './queue.ts';
import { streamConnection } from './stream-connection.ts';
import type { StreamConnector } from './stream-connector.ts';
import { endOf } from './stream-ends.ts';

export interface ShellOptions {
  cols?: number;
  rows?: number;
  /** Ends the shell. */
  signal?: AbortSignal;
}

/** A shell on a robot: what its terminal shows, and what is typed into it. What it shows waits for who reads it, up to 64 MiB; a shell that is further ahead is ended, by `unread`. */
export interface RawShell extends AsyncIterable<Uint8Array> {
  /** Types. */
  write(text: string | Uint8Array): void;
  /** How the program ended, such as `exit 0` or `signal SIGKILL`, once all that it showed was read. Rejects with StreamError where the connection was lost. */
  ended: Promise<string>;
  close(): void;
}

/** No agent can be asked to wait with raw bytes, and no socket of a page: who reads none of so much is not going to. */
const mostUnreadBytes = 64 * 1024 * 1024;

/** Opens one. Rejects with StreamError where there is none to be had. A shell that lost its connection is over: `openShell` goes on with it, this does not. */
export async function shell(
  connector: StreamConnector,
  robotId: string,
  options: ShellOptions = {},
): Promise<RawShell> {
  const { signal, ...size } = options;
  const { socket } = await connector.open(robotId, 'shell', size);
  const queue = queueOf<Uint8Array>();
  let unreadBytes = 0;
  let unread: StreamError | undefined; // it showed too much that was not
  let opened: () => void = () => undefined;
  const open = new Promise<undefined>((resolve) => (opened = () => resolve(undefined)));
  const connection = streamConnection(socket, {
    silentSeconds: connector.silentSeconds,
    // It may show nothing for hours.
    isAwaiting: () => false,
    onOpen: () => opened(),
    onMessage(data) {
      const bytes = bytesOf(data);
      unreadBytes += bytes.length;
      if (unreadBytes <= mostUnreadBytes) queue.put(bytes);
      else {
        unread = new StreamError('what it showed was not read', closeCodes.ended, 'unread');
        queue.end(unread);
        connection.close();
      }
      return undefined;
    },
  });
  const close = () => connection.close();
  signal?.addEventListener('abort', close, { once: true });
  if (signal?.aborted) close();

  const ended = connection.closed.then((end) => {
    signal?.removeEventListener('abort', close);
    const error = unread ?? (end.code === closeCodes.ended ? undefined : endOf(end));
    queue.end(error);
    if (error) throw error;
    return end.reason;
  });
  // Who reads the bytes alone is told by them.
  ended.catch(() => undefined);
  const refused = await Promise.race([open, connection.closed]);
  if (refused) throw endOf(refused);

  return {
    write: (text) => socket.send(typeof text === 'string' ? new TextEncoder().encode(text) : text),
    ended,
    close,
    async *[Symbol.asyncIterator]() {
      for (let bytes = await queue.next(); bytes; bytes = await queue.next()) {
        unreadBytes -= bytes.length;
        yield bytes;
      }
    },
  };
}
