import type { RawData, WebSocket } from 'ws';
import type {
  AgentFrame,
  HealthOmission,
  HealthSnapshot,
  Heartbeat,
  Hello,
  Logs,
  Refused,
  Report,
  Running,
} from '../../generated/frames.js';
import { closeCodes, limits, protocol } from '../../generated/protocol.js';
import type { KeptFrame } from '../logs/service.ts';
import { readFrame } from './frames.ts';
import { closeLink, countBytes, reserveBytes, linkOf, releaseBytes, sendFrame, type Link } from './link.ts';
import type { Measured, OpenBlock } from './model.ts';
import type { Repairs } from './report-repair.ts';
import { storedSnapshot } from './snapshots.ts';

/** Where log frames go; `done` is called once, after the commit. */
export interface LogSink {
  /** Reads a valid `logs` frame from its text; undefined if the text must be parsed, as that of any other frame. */
  scan(text: string): KeptFrame | undefined;
  accept(
    link: { orgId: string; robotId: string; epoch: number },
    frame: Logs | KeptFrame,
    done: (
      outcome:
        | {
            kind: 'stored';
            spool: string;
            seq: number;
            skipped?: { fromSeq: number; toSeq: number; records: number } | undefined;
            isRefused?: boolean; // by the quota of the org: acknowledged, but not stored
          }
        | { kind: 'stale' }
        | { kind: 'failed' },
    ) => void,
  ): void;
  /** Decides everything accepted so far, without waiting for an unavailable database; accepts no more. */
  close(): Promise<void>;
}

/** Where health snapshots go that were accepted. It never waits: what it returns is stored with the next sign of life. */
export interface HealthSink {
  take(
    robot: { orgId: string; robotId: string },
    snapshot: HealthSnapshot,
  ): { measured: Measured; openBlock?: OpenBlock };
  /** Writes what it has, within a few seconds; the links have ended. */
  stop(): Promise<void>;
}

interface FrameRouterSettings {
  nowMs(): number;
  maxFramesPerSecond: number; // over a burst of twice as many
  logs: LogSink;
  metrics: HealthSink;
  onFrame(type: string): void;
  /** Faulty reports were repaired as far as possible. */
  onRepairs(repairs: Repairs): void;
  /** Parts of a snapshot are not stored. */
  onOmitted(parts: readonly HealthOmission[]): void;
  onHello(link: Link, hello: Hello): void;
  /** The log records of a frame were stored, or not, in this time. */
  onLogs(outcome: string, records: number, seconds: number): void;
  onBeat(link: Link, heartbeat: Heartbeat): void;
  onReport(link: Link, report: Report, bytes: number): void;
  onRunning(link: Link, running: Running, bytes: number): void;
  onRefused(link: Link, refused: Refused): void;
  /** A newer link seems to have taken over. */
  onStale(link: Link): void;
}

const skippedFrame = (spool: string, { fromSeq, toSeq }: { fromSeq: number; toSeq: number }): string =>
  JSON.stringify({ type: 'logs_skipped', spool, from_seq: fromSeq, to_seq: toSeq, reason: 'number_passed' });

const firstIsHello = 'first frame must be hello';

/** Counts, reads, validates and routes frames of agents. All sockets share its listeners. */
export function frameRouter(settings: FrameRouterSettings) {
  const {
    nowMs,
    maxFramesPerSecond,
    logs,
    metrics,
    onFrame,
    onRepairs,
    onOmitted,
    onLogs,
    onHello,
    onBeat,
    onReport,
    onRunning,
    onRefused,
    onStale,
  } = settings;
  const refuse = (link: Link, reason: string) => closeLink(link, closeCodes.policy, reason, 'refused');

  /** Counts a frame of any kind. Returns whether it may be processed. */
  function hear(link: Link): boolean {
    const now = nowMs();
    link.heardMs = now;
    const refill = ((now - link.allowanceMs) / 1_000) * maxFramesPerSecond;
    link.allowance = Math.min(2 * maxFramesPerSecond, link.allowance + refill) - 1;
    link.allowanceMs = now;
    if (link.endReason !== undefined || link.stale) return false; // it is being closed
    if (link.allowance >= 0) return true;
    refuse(link, `more than ${maxFramesPerSecond} frames per second`);
    return false;
  }

  function take(link: Link, data: Buffer): void {
    const text = data.toString();
    const scanned = logs.scan(text);
    if (scanned) {
      onFrame('logs');
      return link.state === 'greeting' ? refuse(link, firstIsHello) : takeLogs(link, scanned, data.length);
    }
    const read = readFrame(text);
    switch (read.kind) {
      case 'unknown':
        onFrame('unknown');
        countBytes(link, data.length);
        return link.state === 'greeting' ? refuse(link, firstIsHello) : undefined;
      case 'unsupported':
        return closeLink(link, closeCodes.protocolUnsupported, `this service speaks protocol ${protocol}`, 'refused');
      case 'invalid':
        return refuse(link, read.reason);
      case 'frame':
        onFrame(read.frame.type);
        if (read.repairs) onRepairs(read.repairs);
        return takeFrame(link, read.frame, data.length, read.omitted);
    }
  }

  function takeFrame(link: Link, frame: AgentFrame, bytes: number, omitted?: HealthOmission[]): void {
    if (link.state === 'greeting') return frame.type === 'hello' ? onHello(link, frame) : refuse(link, firstIsHello);
    switch (frame.type) {
      case 'hello':
        return refuse(link, 'hello: allowed only once');
      case 'heartbeat':
        countBytes(link, bytes);
        return takeHeartbeat(link, frame, omitted);
      case 'logs':
        return takeLogs(link, frame, bytes);
      case 'report':
        return onReport(link, frame, bytes);
      case 'running':
        return onRunning(link, frame, bytes);
      case 'refused':
        countBytes(link, bytes);
        return onRefused(link, frame);
    }
  }

  function takeHeartbeat(link: Link, frame: Heartbeat, invalidParts: HealthOmission[] = []): void {
    if (frame.health) {
      const { text, omitted } = storedSnapshot(frame.health, invalidParts);
      const { measured, openBlock } = metrics.take(link, frame.health);
      link.snapshot = text;
      link.measured = measured;
      link.openBlock = openBlock ?? link.openBlock;
      if (omitted.length > 0) onOmitted(omitted);
    }
    link.streams = frame.streams;
    link.streamsMs = nowMs();
    onBeat(link, frame);
  }

  function takeLogs(link: Link, frame: Logs | KeptFrame, length: number): void {
    const { orgId, robotId, epoch } = link;
    if (!mayUse(link, frame.spool)) return refuse(link, `logs/spool: more than ${limits.maxSpoolsPerLink} on one link`);
    const bytes = reserveBytes(link, length);
    const records = 'seqs' in frame ? frame.seqs.length : frame.records.length;
    const arrivedMs = performance.now();
    logs.accept({ orgId, robotId, epoch }, frame, (outcome) => {
      releaseBytes(link, bytes);
      const skippedRecords = outcome.kind === 'stored' ? (outcome.skipped?.records ?? 0) : 0;
      const kind = outcome.kind === 'stored' && outcome.isRefused ? 'refused' : outcome.kind;
      onLogs(kind, records - skippedRecords, (performance.now() - arrivedMs) / 1_000);
      if (outcome.kind === 'stale') return onStale(link);
      if (outcome.kind === 'failed')
        return closeLink(link, closeCodes.tryLater, 'logs cannot be stored at the moment', 'service_failed');
      const { spool, seq, skipped } = outcome;
      if (skipped) sendFrame(link, skippedFrame(spool, skipped));
      sendFrame(link, JSON.stringify({ type: 'logs_ack', spool, seq }));
    });
  }

  /** Each spool costs memory and a row, so their number is limited. */
  function mayUse(link: Link, spool: string): boolean {
    const spools = (link.spools ??= []);
    if (spools.includes(spool)) return true;
    if (spools.length === limits.maxSpoolsPerLink) return false;
    spools.push(spool);
    return true;
  }

  return {
    /** A ping or a pong. */
    onControl(this: WebSocket): void {
      hear(linkOf(this));
    },

    onMessage(this: WebSocket, message: RawData, isBinary: boolean): void {
      const link = linkOf(this);
      if (!hear(link)) return;
      if (isBinary) return refuse(link, 'a frame must be text');
      const data = message as Buffer; // always a Buffer with our binary type
      if (link.state === 'joining') (link.early ??= []).push(data);
      else take(link, data);
    },

    /** Handles frames that arrived before the link was up. */
    takeEarly(link: Link): void {
      const early = link.early ?? [];
      link.early = undefined;
      for (const data of early) if (link.endReason === undefined) take(link, data);
    },
  };
}
