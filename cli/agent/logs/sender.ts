import type { Logs, LogsAck, LogsSkipped } from '../../../generated/frames.js';
import { limits } from '../../../generated/protocol.js';
import type { AgentLink } from '../link.ts';
import type { Spool } from '../spool/spool.ts';

/** Frames that wait for their acknowledgement. */
const maxFramesInFlight = 4;
/** What a frame holds beside its records. */
const frameOverheadBytes = 1024;
/** The kernel takes no more now: a heartbeat must not wait behind all that is on disk. */
const maxBufferedBytes = 512 * 1024;

/** Sends what is in the spool while there is a link. */
export interface LogSender {
  /** A link began: everything that is not acknowledged goes again. */
  up(): void;
  down(): void;
  /** There is more to send, or more room. */
  wake(): void;
  acknowledged(ack: LogsAck): void;
  skipped(skipped: LogsSkipped): void;
  /** What is not acknowledged goes again, under the new id of the spool. */
  idChanged(): void;
}

export function logSender(
  spool: Pick<Spool, 'read' | 'rewind' | 'acknowledge' | 'skipped'>,
  link: Pick<AgentLink, 'send' | 'bufferedBytes'>,
): LogSender {
  /** Of each frame that is not acknowledged. */
  let inFlight: { spool: string; to: number }[] = [];
  /** The highest numbers that were sent: on this link and the ones before, and on those before alone. */
  let [sentSeq, sentBefore] = [0, 0];
  let isUp = false;
  let isSending = false;
  /** Counts the wakes: one that comes while a batch is read is not missed. */
  let wakes = 0;

  const hasRoom = () => isUp && inFlight.length < maxFramesInFlight && link.bufferedBytes < maxBufferedBytes;

  async function send(): Promise<void> {
    isSending = true;
    for (let seen = -1; seen !== wakes;) {
      seen = wakes;
      while (hasRoom()) {
        const own = inFlight;
        const batch = await spool.read(limits.maxRecordsPerFrame, limits.maxFrameBytes - frameOverheadBytes);
        const [first, last] = [batch?.records[0], batch?.records.at(-1)];
        // Another link began meanwhile: the spool was rewound, and this is read again.
        if (own !== inFlight) continue;
        if (!batch || !first || !last) break;
        const { spool: id, records } = batch;
        const frame: Logs = { type: 'logs', spool: id, from_seq: first.seq, to_seq: last.seq, records };
        if (!link.send(frame)) break;
        inFlight.push({ spool: id, to: last.seq });
        sentSeq = Math.max(sentSeq, last.seq);
      }
    }
    isSending = false;
  }

  function wake(): void {
    wakes += 1;
    if (isUp && !isSending) void send();
  }

  function begin(): void {
    inFlight = [];
    sentBefore = sentSeq;
    spool.rewind();
    wake();
  }

  return {
    up() {
      isUp = true;
      begin();
    },
    down() {
      isUp = false;
      inFlight = [];
    },
    wake,
    acknowledged({ spool: id, seq }) {
      const left = inFlight.filter((frame) => frame.spool === id && frame.to > seq);
      inFlight.splice(0, inFlight.length, ...left);
      spool.acknowledge(id, seq);
      wake();
    },
    skipped: ({ spool: id, to_seq: toSeq }) => spool.skipped(id, toSeq, sentBefore),
    idChanged() {
      if (isUp) begin();
    },
  };
}
