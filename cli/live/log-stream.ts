import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { backoffMs } from '../agent/backoff.ts';
import type { LogRecord } from '../api.ts';
import { endOf, type StreamEnd } from './viewer-socket.ts';

/** A record of the live logs, or a gap in them. */
export type LiveRecord = LogRecord & { from_seq?: number; to_seq?: number };

interface LogStreamSettings {
  /** Opens the stream behind a record; undefined: with the latest records that were asked for. Rejects with a StreamEnd. */
  open(after: number | undefined): Promise<WebSocket>;
  onRecord(record: LiveRecord, text: string): void;
  /** The stream is away, and is tried again after that time. */
  onWaiting(end: StreamEnd, waitMs: number, attempt: number): void;
  onOpen(): void;
}

/** A stream that held for so long begins its waits anew. */
const stableMs = 60_000;

/**
 * Follows one robot: joins what was stored with what comes, without a gap and without a double, over every loss of the connection. Rejects with
 * the CliError of what cannot be mended by trying again; a robot that was offline when it was asked for first is that too.
 */
export async function followRobot({ open, onRecord, onWaiting, onOpen }: LogStreamSettings): Promise<never> {
  let after: number | undefined;
  let hasOpened = false;
  let waits = backoffMs();
  for (let attempt = 1; ; attempt += 1) {
    const end = await open(after).then(
      async (socket) => {
        const openedMs = performance.now();
        hasOpened = true;
        onOpen();
        const ended = await read(socket, (text) => {
          const record = JSON.parse(text) as LiveRecord;
          after = record.seq ?? record.to_seq ?? after;
          onRecord(record, text);
        });
        if (performance.now() - openedMs > stableMs) [waits, attempt] = [backoffMs(), 0];
        return ended;
      },
      (error: unknown) => {
        if (isStreamEnd(error)) return error;
        throw error;
      },
    );
    if (end.isFinal || !hasOpened) throw end.error;
    const waitMs = waits.next().value;
    onWaiting(end, waitMs, attempt);
    await pause(waitMs);
  }
}

const isStreamEnd = (error: unknown): error is StreamEnd =>
  typeof error === 'object' && error !== null && 'isFinal' in error;

function read(socket: WebSocket, onText: (text: string) => void): Promise<StreamEnd> {
  return new Promise((resolve) => {
    socket.on('message', (data: Buffer) => onText(data.toString('utf8')));
    socket.on('error', () => undefined); // its close follows
    socket.on('close', (code, reason) => resolve(endOf(code, reason.toString('utf8'))));
  });
}
