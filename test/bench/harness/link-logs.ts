import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { LogsAck } from '../../../generated/frames.d.ts';
import { logFrame, recordTails } from './log-data.ts';
import { quantile } from './pairing.ts';

/** What was acknowledged, and how long after it was sent. */
export interface LogsSent {
  records: number;
  p50Ms: number;
  p99Ms: number;
}

interface LogLink {
  socket: WebSocket;
  seq: number;
  underway: { seq: number; sentAt: number }[];
}

const framesUnderway = 2;
const ackedWithinMs = 20_000;
const lookMs = 20;

/** The ends of robots that send log records. */
export function logSender() {
  const tails = recordTails(1_000);
  const links: LogLink[] = [];
  let ackMs: number[] = [];
  let records = 0;
  let turn = 0;
  let floodedLines = 0; // lines of a frame that follows an acknowledgement

  /** Links that were opened since. */
  function take(sockets: readonly WebSocket[]): void {
    for (const socket of sockets.slice(links.length)) {
      const link: LogLink = { socket, seq: 0, underway: [] };
      links.push(link);
      socket.on('message', (data: Buffer) => hear(link, JSON.parse(data.toString()) as LogsAck | { type: 'other' }));
    }
  }

  function hear(link: LogLink, frame: LogsAck | { type: 'other' }): void {
    if (frame.type !== 'logs_ack') return;
    const now = performance.now();
    while ((link.underway[0]?.seq ?? Infinity) <= frame.seq) {
      ackMs.push(now - (link.underway.shift()?.sentAt ?? now));
      if (floodedLines > 0) send(link, floodedLines);
    }
  }

  function send(link: LogLink, lines: number): void {
    const start = Math.floor(Math.random() * (tails.length - lines));
    link.socket.send(logFrame(link.seq + 1, tails.slice(start, start + lines)));
    link.seq += lines;
    link.underway.push({ seq: link.seq, sentAt: performance.now() });
    records += lines;
  }

  /** When everything is acknowledged. */
  async function end(): Promise<LogsSent> {
    const deadline = performance.now() + ackedWithinMs;
    while (links.some(({ underway }) => underway.length > 0)) {
      if (performance.now() > deadline) throw new Error('log records were not acknowledged');
      await sleep(lookMs);
    }
    const sent = { records, p50Ms: quantile(ackMs, 0.5), p99Ms: quantile(ackMs, 0.99) };
    [ackMs, records] = [[], 0];
    return sent;
  }

  return {
    take,
    /** A frame of so many lines, by the next link. */
    next: (lines: number): void => {
      const link = links[(turn = (turn + 1) % links.length)];
      if (link) send(link, lines);
    },
    /** From now on, each link sends as fast as it is acknowledged. */
    flood(lines: number): void {
      floodedLines = lines;
      for (const link of links) for (let count = 0; count < framesUnderway; count += 1) send(link, lines);
    },
    end(): Promise<LogsSent> {
      floodedLines = 0;
      return end();
    },
  };
}
