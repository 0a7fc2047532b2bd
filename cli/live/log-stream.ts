import type { LogRecord } from '../api/api.ts';
import { keepOpen } from './keep-open.ts';
import type { StreamEnd, ViewerSocket } from './viewer-socket.ts';

/** A record of the live logs, or a gap in them. */
export type LiveRecord = LogRecord & { from_seq?: number; to_seq?: number };

interface LogStreamSettings {
  /** Opens the stream behind a record; undefined: with those that were asked for. */
  open(after: number | undefined): Promise<ViewerSocket | StreamEnd>;
  /** A robot that is away when it is asked for first is waited for. Default: that is the end. */
  isPatient: boolean;
  signal: AbortSignal;
  /** Where it gives a promise, no more is read until that resolves. */
  onRecord(record: LiveRecord, text: string): Promise<void> | undefined;
  /** The stream is away, and is tried again after that time. */
  onWaiting(end: StreamEnd, waitMs: number, attempt: number): void;
  onOpen(): void;
}

/**
 * Follows one robot: joins what was stored with what comes, without a gap and without a double, over every loss of the connection. Resolves
 * when the signal ends it. Rejects with the CliError of what cannot be mended by trying again.
 */
export async function followRobot(settings: LogStreamSettings): Promise<void> {
  const { open, isPatient, signal, onRecord, onWaiting, onOpen } = settings;
  let after: number | undefined;
  await keepOpen({
    open: () => open(after),
    mayWait: (hasOpened) => isPatient || hasOpened,
    signal,
    onOpen(headers) {
      // What comes while a quiet robot's first stream is lost is behind this one.
      after ??= positionOf(headers['x-log-seq']);
      onOpen();
    },
    onMessage(data) {
      const text = data.toString('utf8');
      const record = JSON.parse(text) as Partial<LiveRecord>;
      after = record.seq ?? record.to_seq ?? after;
      return onRecord(record as LiveRecord, text);
    },
    onWaiting,
  });
}

const positionOf = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
