import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { sendRing } from '../../../../cli/transport/shell/ring.ts';
import type { Exit, ShellAgentFrame, Start } from '../../../../generated/shell.js';

/** A viewer that resumes its shell after each disconnect, with nothing beyond the protocol. */
export interface ResumingViewer extends Disposable {
  /** All received output, without duplicates. */
  output(): Buffer;
  /** Number of resumes. */
  resumed: number;
  /** Resolves when more may be sent. */
  type(bytes: Buffer): Promise<void>;
  eof(): void;
  /** Rejects if there is no shell to resume. */
  exit: Promise<Exit>;
}

export function resumingViewer(
  url: string,
  robotId: string,
  token: string,
  start: Omit<Start, 'type'>,
): ResumingViewer {
  const address = `${url.replace('http', 'ws')}/api/robots/${robotId}/shell/ws`;
  const ring = sendRing();
  const chunks: Buffer[] = [];
  let socket: WebSocket | undefined;
  let isReady = false;
  let cursor = 0;
  let received = 0;
  let acked = 0;
  let resumeToken: string | undefined;
  let isEof = false;
  let done: (exit: Exit) => void = () => undefined;
  let broken: (error: Error) => void = () => undefined;

  const say = (frame: object) => socket?.send(JSON.stringify(frame));
  const acknowledging = setInterval(() => {
    if (isReady && received > acked) say({ type: 'ack', bytes: (acked = received) });
  }, 50);

  function pour(): void {
    if (!isReady) return;
    for (let piece = ring.next(cursor, 16_384); piece; piece = ring.next(cursor, 16_384)) {
      cursor += piece.bytes.length;
      socket?.send(piece.bytes);
    }
  }

  function leave(): void {
    clearInterval(acknowledging);
    isReady = false;
    const left = socket;
    socket = undefined;
    left?.close(1000);
  }

  function connect(): void {
    const made = new WebSocket(address, ['fleet.shell.v1'], { headers: { Authorization: `Bearer ${token}` } });
    socket = made;
    made.on('open', () => {
      const resume = resumeToken === undefined ? {} : { resume: { token: resumeToken, received } };
      say({ type: 'start', ...(resumeToken === undefined ? start : {}), ...resume });
    });
    made.on('message', (data: Buffer, isBinary) => {
      if (socket !== made) return;
      if (isBinary) {
        const bytes = start.tty === false ? data.subarray(1) : data;
        received += bytes.length;
        chunks.push(bytes);
        return;
      }
      const frame = JSON.parse(data.toString()) as ShellAgentFrame;
      if (frame.type === 'ack') ring.ackTo(frame.bytes);
      if (frame.type === 'failed') {
        leave();
        broken(new Error(`failed: ${frame.reason} ${frame.message ?? ''}`));
      }
      if (frame.type === 'ready') {
        if (resumeToken !== undefined) viewer.resumed += 1;
        resumeToken = frame.resume_token;
        ring.ackTo((cursor = frame.received));
        isReady = true;
        pour();
        if (isEof) say({ type: 'eof' });
      }
      if (frame.type === 'exit') {
        leave();
        done(frame);
      }
    });
    made.on('error', () => undefined);
    made.on('close', () => {
      if (socket !== made) return;
      isReady = false;
      setTimeout(() => {
        if (socket === made) connect();
      }, 10);
    });
  }
  connect();

  const viewer: ResumingViewer = {
    output: () => Buffer.concat(chunks),
    resumed: 0,
    async type(bytes) {
      while (ring.isFull) await sleep(5);
      ring.push(bytes);
      pour();
    },
    eof() {
      isEof = true;
      if (isReady) say({ type: 'eof' });
    },
    exit: new Promise((resolve, reject) => {
      done = resolve;
      broken = reject;
    }),
    [Symbol.dispose]: leave,
  };
  return viewer;
}
