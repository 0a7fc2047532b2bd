import { connect, type Socket } from 'node:net';

/** Requests that are sent at a fixed rate, however many are unanswered. */
export interface OpenStream {
  perSecond: number;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  /** Sent as it is; `{n}` becomes a number that occurs once in the process. */
  body?: string;
  /** Status of a request that was served. */
  status: number;
}

export interface OpenLoadJob {
  port: number;
  seconds: number;
  streams: OpenStream[];
}

/** What became of the requests of a stream. */
export interface OpenResult {
  sent: number;
  /** Served before the time of the job was over. */
  inTime: number;
  /** From when a request was due to its response, in ms. */
  servedMs: number[];
  /** The same of those refused with 429 or 503, `Retry-After` and the error envelope. */
  refusedMs: number[];
  /** How late each request was sent, in ms. */
  lateMs: number[];
  /** Any other outcome, a refusal without these included. */
  failed: number;
}

const headEnd = Buffer.from('\r\n\r\n');
/** JSON escapes line ends, so these bytes close a chunked body and occur nowhere else in it. */
const lastChunk = Buffer.from('\r\n0\r\n\r\n');
/** Servers close a connection after a number of requests of their choice; we are first. */
const requestsPerConnection = 500;
/** Beyond that many unanswered requests a request fails unsent: the machine has only so many ports. */
const mostConnections = 6_000;
/** Time for the last responses. */
const lastMs = 5_000;

/** When a request was due, and when its job ends. */
interface Turn {
  port: number;
  endsAt: number;
  dueAt: number;
}

interface Connection {
  socket: Socket;
  left: number;
  parts: Buffer[];
  onAnswer: ((text: string) => void) | undefined;
}

/** The length of the first response, undefined while it is not whole. */
function lengthOf(buffer: Buffer): number | undefined {
  const head = buffer.indexOf(headEnd);
  if (head < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(buffer.toString('latin1', 0, head));
  if (length) {
    const end = head + headEnd.length + Number(length[1]);
    return buffer.length >= end ? end : undefined;
  }
  return buffer.indexOf(lastChunk, head) < 0 ? undefined : buffer.length;
}

const isRefusal = (text: string): boolean =>
  /^HTTP\/1\.1 (429|503) /.test(text) && /\r\nretry-after: [1-9]/i.test(text) && text.includes('{"error":{"code":"');

/** Keeps what connections it has opened for the next job. */
export function openLoader(): (job: OpenLoadJob) => Promise<OpenResult[]> {
  const idle: Connection[] = [];
  let open = 0;
  let number = 0;

  function dial(port: number): Connection {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const connection: Connection = { socket, left: requestsPerConnection, parts: [], onAnswer: undefined };
    open += 1;
    socket.on('data', (chunk: Buffer) => {
      connection.parts.push(chunk);
      const buffer = connection.parts.length === 1 ? chunk : Buffer.concat(connection.parts);
      connection.parts = [buffer];
      if (lengthOf(buffer) === undefined) return;
      connection.parts = [];
      const { onAnswer } = connection;
      connection.onAnswer = undefined;
      if (connection.left > 0) idle.push(connection);
      else socket.end();
      onAnswer?.(buffer.toString('latin1', 0, 1_500));
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      open -= 1;
      const place = idle.indexOf(connection);
      if (place >= 0) idle.splice(place, 1);
      connection.onAnswer?.('');
    });
    return connection;
  }

  function send(
    { port, endsAt, dueAt }: Turn,
    { method, path, headers, body, status }: OpenStream,
    result: OpenResult,
  ): void {
    result.sent += 1;
    result.lateMs.push(performance.now() - dueAt);
    const connection = idle.pop() ?? (open < mostConnections ? dial(port) : undefined);
    if (!connection) return void (result.failed += 1);
    connection.left -= 1;
    const text = body?.replaceAll('{n}', String((number += 1)));
    const size = text === undefined ? '' : `content-length: ${Buffer.byteLength(text)}\r\n`;
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    connection.onAnswer = (answer) => {
      const elapsedMs = performance.now() - dueAt;
      if (answer.startsWith(`HTTP/1.1 ${status} `)) {
        result.servedMs.push(elapsedMs);
        if (performance.now() < endsAt) result.inTime += 1;
      } else if (isRefusal(answer)) result.refusedMs.push(elapsedMs);
      else result.failed += 1;
    };
    connection.socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${fields.join('')}${size}\r\n${text ?? ''}`,
    );
  }

  return async ({ port, seconds, streams }) => {
    const runs = streams.map((stream) => ({
      stream,
      result: { sent: 0, inTime: 0, lateMs: [], servedMs: [], refusedMs: [], failed: 0 },
    }));
    const startedAt = performance.now();
    const endsAt = startedAt + seconds * 1_000;
    const isDone = ({ stream, result }: (typeof runs)[number]) => result.sent >= stream.perSecond * seconds;
    const isAnswered = ({ result: { sent, servedMs, refusedMs, failed } }: (typeof runs)[number]) =>
      servedMs.length + refusedMs.length + failed === sent;
    while (!runs.every(isDone)) {
      const now = performance.now();
      for (const run of runs)
        for (;;) {
          const dueAt = startedAt + (run.result.sent / run.stream.perSecond) * 1_000;
          if (dueAt > now || isDone(run)) break;
          send({ port, endsAt, dueAt }, run.stream, run.result);
        }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const deadline = performance.now() + lastMs;
    while (!runs.every(isAnswered) && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 10));
    for (const { result } of runs) result.failed = result.sent - result.servedMs.length - result.refusedMs.length;
    return runs.map(({ result }) => result);
  };
}
