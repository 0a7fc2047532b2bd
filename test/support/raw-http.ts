import { connect } from 'node:net';
import { patienceMs } from './until.ts';

/** One response as on the wire. Header names are lower case; a repeated header keeps every value. */
export interface RawAnswer {
  status: number;
  headers: Map<string, string[]>;
  body: string; // without chunk framing
}

export interface RawConnection extends Disposable {
  /** Text is sent byte by byte (latin1), so that a test controls exactly what is on the wire. */
  send(bytes: string | Buffer): void;
  /** Ends this side; the service may still respond. */
  end(): void;
  /** The next complete response; undefined once the service has closed without one. */
  next(): Promise<RawAnswer | undefined>;
  /** Resolves when the service has ended the connection, with any data that is no complete response. */
  closed: Promise<string>;
}

/**
 * A connection that sends what no HTTP client would. `answersHead`: responses come without the body that their headers
 * announce.
 */
export function openRaw(
  port: number,
  { host = '127.0.0.1', answersHead = false }: { host?: string; answersHead?: boolean } = {},
): RawConnection {
  let received = '';
  let isClosed = false;
  const woken = new Set<() => void>();
  const wake = () => {
    for (const go of woken) go();
  };
  // The service may respond and close while this side still sends: its response must be read all the same.
  const socket = connect({ port, host, allowHalfOpen: true });
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    wake();
  });
  const over = () => {
    isClosed = true;
    wake();
  };
  socket.on('end', over).on('close', over).on('error', over);

  async function until(holds: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (!holds()) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw new Error(`${what} did not come within ${patienceMs} ms; received so far: ${received}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(go, leftMs);
        function go() {
          clearTimeout(timer);
          woken.delete(go);
          resolve();
        }
        woken.add(go);
      });
    }
  }

  return {
    send: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    end: () => void socket.end(),
    async next() {
      let taken: { answer: RawAnswer; rest: string } | undefined;
      await until(() => {
        taken = takeAnswer(received, { answersHead, isClosed });
        return taken !== undefined || isClosed;
      }, 'an answer');
      if (taken) received = taken.rest;
      return taken?.answer;
    },
    get closed() {
      return until(() => isClosed, 'the end of the connection').then(() => received);
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/**
 * Sends one text on its own connection; returns every response up to its end. For requests after which the service
 * closes.
 */
export async function rawAnswers(port: number, bytes: string | Buffer): Promise<RawAnswer[]> {
  using connection = openRaw(port);
  connection.send(bytes);
  const answers: RawAnswer[] = [];
  for (let answer = await connection.next(); answer; answer = await connection.next()) answers.push(answer);
  const rest = await connection.closed;
  if (rest !== '') throw new Error(`bytes that are no answer: ${rest.slice(0, 300)}`);
  return answers;
}

/** A plain request: the lines of its head and its body, with `Host` unless a line has one. */
export function rawRequest(requestLine: string, headers: string[] = [], body = ''): string {
  const host = headers.some((line) => /^host\b/i.test(line)) ? [] : ['Host: 127.0.0.1'];
  return `${[requestLine, ...host, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

function takeAnswer(
  text: string,
  { answersHead, isClosed }: { answersHead: boolean; isClosed: boolean },
): { answer: RawAnswer; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`not the start of an answer: ${statusLine}`);
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const cut = line.indexOf(':');
    const name = line.slice(0, cut).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(cut + 1).trim()]);
  }
  const content = text.slice(end + 4);
  const made = (body: string, rest: string) => ({ answer: { status: Number(status), headers, body }, rest });
  if (answersHead || status.startsWith('1') || status === '204' || status === '304') return made('', content);
  const length = headers.get('content-length')?.[0];
  if (length !== undefined)
    return content.length >= Number(length)
      ? made(content.slice(0, Number(length)), content.slice(Number(length)))
      : undefined;
  if (headers.get('transfer-encoding')?.[0] !== 'chunked') return isClosed ? made(content, '') : undefined;
  return takeChunks(content, made);
}

function takeChunks<Made>(content: string, made: (body: string, rest: string) => Made): Made | undefined {
  let body = '';
  for (let at = 0; ;) {
    const lineEnd = content.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(content.slice(at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (content.length < next) return undefined;
    if (size === 0) return made(body, content.slice(next));
    body += content.slice(lineEnd + 2, lineEnd + 2 + size);
    at = next;
  }
}
