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

/**
 * A shell on a robot: its terminal output and input. Up to 64 MiB of output waits for the reader; beyond that the shell
 * ends with `unread`.
 */
export interface RawShell extends AsyncIterable<Uint8Array> {
  /** Types the text. */
  write(text: string | Uint8Array): void;
  /**
   * How the program ended, such as `exit 0` or `signal SIGKILL`, after all its output was read. Rejects with
   * StreamError if the connection was lost.
   */
  ended: Promise<string>;
  close(): void;
}

/**
 * Raw bytes give an agent no back pressure, and a browser's socket cannot pause. A reader this far behind has stopped
 * reading.
 */
const mostUnreadBytes = 64 * 1024 * 1024;

/**
 * Opens a raw shell. Rejects with StreamError if it cannot start. A lost connection ends it: `openShell` resumes, this
 * does not.
 */
export async function shell(
  connector: StreamConnector,
  robotId: string,
  options: ShellOptions = {},
): Promise<RawShell> {
  const { signal, ...size } = options;
  const { socket } = await connector.open(robotId, 'shell', size);
  const queue = queueOf<Uint8Array>();
  let unreadBytes = 0;
  let unread: StreamError | undefined; // too much output was unread
  let opened: () => void = () => undefined;
  const open = new Promise<undefined>((resolve) => (opened = () => resolve(undefined)));
  const connection = streamConnection(socket, {
    silentSeconds: connector.silentSeconds,
    // The shell may be silent for hours.
    isAwaiting: () => false,
    onOpen: () => opened(),
    onMessage(data) {
      const bytes = bytesOf(data);
      unreadBytes += bytes.length;
      if (unreadBytes <= mostUnreadBytes) queue.put(bytes);
      else {
        unread = new StreamError('its output was not read', closeCodes.ended, 'unread');
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
  // A reader of only the bytes gets the error there.
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
