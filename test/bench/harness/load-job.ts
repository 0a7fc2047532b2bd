import { connect } from 'node:net';
import { quantile } from './pairing.ts';

export interface LoadJob {
  port: number;
  method: 'GET' | 'POST' | 'PATCH';
  /** One is taken in turn for each request. */
  paths: string[];
  headers: Record<string, string>;
  /** Sent as it is; `{n}` becomes the number of the request. */
  body?: string;
  /** Status that every answer must have. */
  status: number;
  connections: number;
  requests: number;
  /** Number of the first request; default 0. */
  first?: number;
  /** The job fails when it takes longer. */
  withinMs: number;
}

export interface LoadResult {
  elapsedMs: number;
  p50Ms: number;
  p99Ms: number;
  /** Of each request, in the order of their answers. */
  latenciesMs: number[];
  /** Bytes of the answers, heads included. */
  bytes: number;
}

/** Servers close a connection after a number of requests of their choice; we are first, and both sides pay the same. */
const requestsPerConnection = 500;

const headEnd = Buffer.from('\r\n\r\n');
/** JSON escapes line ends, so these bytes close a chunked body and occur nowhere else in it. */
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** Size of the first answer in the buffer, undefined while it is not whole. Throws on a status other than the expected. */
export function answerLength(buffer: Buffer, status: number): number | undefined {
  const head = buffer.indexOf(headEnd);
  if (head < 0) return undefined;
  const text = buffer.toString('latin1', 0, head).toLowerCase();
  if (!text.startsWith(`http/1.1 ${status} `))
    throw new Error(`expected ${status}, got: ${buffer.toString('utf8', 0, 600)}`);
  const length = /\r\ncontent-length: (\d+)/.exec(text);
  if (length) {
    const end = head + headEnd.length + Number(length[1]);
    return buffer.length >= end ? end : undefined;
  }
  const end = buffer.indexOf(lastChunk, head);
  return end < 0 ? undefined : end + lastChunk.length;
}

/** Runs one job to its end: keep-alive connections, each with one request under way at a time (no pipelining), `requests` in all. */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const head = Object.entries({ host: `127.0.0.1:${job.port}`, ...job.headers });
  const fields = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const message = (n: number) => {
    const path = job.paths[n % job.paths.length] ?? '/';
    const body = job.body?.replaceAll('{n}', String(n));
    const size = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
    return `${job.method} ${path} HTTP/1.1\r\n${fields}${size}\r\n${body ?? ''}`;
  };
  const latenciesMs: number[] = [];
  const { first = 0 } = job;
  let sent = 0;
  let bytes = 0;
  const deadline = performance.now() + job.withinMs;
  const oneConnection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: job.port, host: '127.0.0.1', noDelay: true });
      const timer = setTimeout(
        () => socket.destroy(new Error(`load not done in ${job.withinMs} ms`)),
        deadline - performance.now(),
      );
      let parts: Buffer[] = [];
      let sentAt = 0;
      let left = requestsPerConnection;
      let waiting = false;
      const next = () => {
        if (sent >= job.requests || left === 0) return socket.end();
        left -= 1;
        waiting = true;
        sentAt = performance.now();
        return socket.write(message(first + sent++));
      };
      socket.on('connect', next);
      socket.on('data', (chunk) => {
        parts.push(chunk);
        bytes += chunk.length;
        try {
          const buffer = parts.length === 1 ? chunk : Buffer.concat(parts);
          parts = [buffer];
          if (answerLength(buffer, job.status) === undefined) return;
        } catch (error) {
          socket.destroy(error as Error);
          return;
        }
        parts = [];
        waiting = false;
        latenciesMs.push(performance.now() - sentAt);
        next();
      });
      socket.on('error', reject);
      socket.on('close', () => {
        clearTimeout(timer);
        if (waiting) reject(new Error('the server closed the connection before its answer was whole'));
        else resolve();
      });
    });
  const drive = async () => {
    while (sent < job.requests) await oneConnection();
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: job.connections }, drive));
  const elapsedMs = performance.now() - startedAt;
  return { elapsedMs, p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99), latenciesMs, bytes };
}
