import { WebSocket } from 'ws';
import { backoffMs } from '../../transport/backoff.ts';
import { messageOf } from '../../transport/http.ts';
import { answerWithinMs, maxRosMessageBytes } from './source.ts';

interface GraphSocketSettings {
  /** Shown in messages. */
  url: string;
  socketUrl: string;
  /** The subprotocols to offer. Default: none. */
  protocols?: readonly string[] | undefined;
  /** Called before anything is read from it. */
  opened(socket: WebSocket): void;
  message(data: Buffer, isBinary: boolean): void;
  /** The connection was lost or could not be opened; it is retried while it is wanted. */
  lost(message: string): void;
}

/** The WebSocket of a graph: open while it is wanted and for 10 s more. It reconnects by itself. */
interface GraphSocket {
  /** The open socket; undefined while there is none. */
  readonly open: WebSocket | undefined;
  /** Keeps the socket open until the returned function is called. */
  want(): () => void;
  /** @throws Error with a readable message when it does not open in time */
  opening(): Promise<WebSocket>;
  close(): Promise<void>;
}

const idleMs = 10_000;
const closeWithinMs = 500;
const pingEveryMs = 10_000;

export function graphSocket(settings: GraphSocketSettings): GraphSocket {
  const { url, socketUrl, protocols = [], opened, message, lost } = settings;
  let socket: WebSocket | undefined;
  let isOpen = false;
  let wanted = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let waits = backoffMs();
  const waiting: { resolve(socket: WebSocket): void; reject(error: Error): void }[] = [];

  function connect(): void {
    clearTimeout(timer);
    if (socket || isClosed) return;
    const made = new WebSocket(socketUrl, [...protocols], {
      handshakeTimeout: answerWithinMs,
      maxPayload: maxRosMessageBytes,
      perMessageDeflate: false,
    });
    socket = made;
    let why = 'the connection was lost';
    let isHeard = true;
    const pings = setInterval(() => {
      // A socket that is still connecting cannot ping, and is late.
      if (!isHeard || made.readyState === made.CONNECTING) return made.terminate();
      isHeard = false;
      made.ping();
    }, pingEveryMs);
    made.on('error', (error) => (why = messageOf(error)));
    made.on('pong', () => (isHeard = true));
    made.on('message', (data: Buffer, isBinary: boolean) => {
      isHeard = true;
      message(data, isBinary);
    });
    made.on('open', () => {
      isOpen = true;
      waits = backoffMs();
      opened(made);
      for (const { resolve } of waiting.splice(0)) resolve(made);
    });
    made.on('close', () => {
      clearInterval(pings);
      [socket, isOpen] = [undefined, false];
      const error = new Error(`${url}: ${why}`);
      for (const { reject } of waiting.splice(0)) reject(error);
      if (wanted === 0 || isClosed) return;
      lost(error.message);
      timer = setTimeout(connect, Math.min(waits.next().value, 10_000));
    });
  }

  function drop(): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => socket?.close(), idleMs);
  }

  return {
    get open() {
      return isOpen ? socket : undefined;
    },
    want() {
      wanted += 1;
      connect();
      let isWanted = true;
      return () => {
        if (isWanted) wanted -= 1;
        isWanted = false;
        if (wanted === 0) drop();
      };
    },
    opening() {
      if (isClosed) return Promise.reject(new Error(`${url} was left`));
      if (isOpen && socket) return Promise.resolve(socket);
      connect();
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const last = socket;
      if (!last) return;
      const ended = new Promise<void>((resolve) => last.once('close', () => resolve()));
      last.close();
      const late = setTimeout(() => last.terminate(), closeWithinMs);
      await ended;
      clearTimeout(late);
    },
  };
}
