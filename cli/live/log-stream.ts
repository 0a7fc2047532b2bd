import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { limits } from '../../generated/protocol.js';
import { backoffMs } from '../agent/backoff.ts';
import type { LogRecord } from '../api.ts';
import { endOf, type StreamEnd, type ViewerSocket } from './viewer-socket.ts';

/** A record of the live logs, or a gap in them. */
export type LiveRecord = LogRecord & { from_seq?: number; to_seq?: number };

interface LogStreamSettings {
  /** Opens the stream behind a record; undefined: with those that were asked for. */
  open(after: number | undefined): Promise<ViewerSocket | StreamEnd>;
  /** A robot that is away when it is asked for first is waited for. Default: that is the end. */
  isPatient: boolean;
  signal: AbortSignal;
  onRecord(record: LiveRecord, text: string): void;
  /** The stream is away, and is tried again after that time. */
  onWaiting(end: StreamEnd, waitMs: number, attempt: number): void;
  onOpen(): void;
}

/** A stream that held for so long begins its waits anew. */
const stableMs = 60_000;

/**
 * Follows one robot: joins what was stored with what comes, without a gap and without a double, over every loss of the connection. Resolves
 * when the signal ends it. Rejects with the CliError of what cannot be mended by trying again.
 */
export async function followRobot(settings: LogStreamSettings): Promise<void> {
  const { open, isPatient, signal, onRecord, onWaiting, onOpen } = settings;
  let after: number | undefined;
  let mayWait = isPatient;
  let waits = backoffMs();
  let attempt = 1;
  const isOver = () => signal.aborted;

  async function follow({ socket, headers }: ViewerSocket): Promise<StreamEnd> {
    const openedMs = performance.now();
    endWhenSilent(socket);
    mayWait = true;
    // What comes while a quiet robot's first stream is lost is behind this one.
    after ??= positionOf(headers['x-log-seq']);
    onOpen();
    const end = await read(socket, signal, (text) => {
      const record = JSON.parse(text) as Partial<LiveRecord>;
      after = record.seq ?? record.to_seq ?? after;
      onRecord(record as LiveRecord, text);
    });
    if (performance.now() - openedMs > stableMs) [waits, attempt] = [backoffMs(), 0];
    return end;
  }

  for (; !isOver(); attempt += 1) {
    const opened = await open(after);
    const end = 'socket' in opened ? await follow(opened) : opened;
    if (isOver()) return;
    if (end.isFinal || !mayWait) throw end.error;
    const waitMs = waits.next().value;
    onWaiting(end, waitMs, attempt);
    await pause(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The service pings each viewer; one that hears nothing, after a sleep of the machine too, is not connected any more. */
function endWhenSilent(socket: WebSocket): void {
  const silence = setTimeout(() => socket.terminate(), limits.deadAfterMs);
  const heard = () => void silence.refresh();
  socket.on('ping', heard).on('message', heard);
  socket.once('close', () => clearTimeout(silence));
}

const positionOf = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;

function read(socket: WebSocket, signal: AbortSignal, onText: (text: string) => void): Promise<StreamEnd> {
  return new Promise((resolve) => {
    const leave = () => socket.close();
    signal.addEventListener('abort', leave);
    socket.on('message', (data: Buffer) => onText(data.toString('utf8')));
    socket.on('error', () => undefined); // its close follows
    socket.on('close', (code, reason) => {
      signal.removeEventListener('abort', leave);
      resolve(endOf(code, reason.toString('utf8')));
    });
  });
}
