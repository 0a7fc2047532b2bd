import type { Logs, LogsAck, LogsSkipped } from '../../../generated/frames.js';
import { limits } from '../../../generated/protocol.js';
import type { AgentLink } from '../link.ts';
import type { Spool } from '../spool/spool.ts';

/** Maximum number of unacknowledged frames. */
const maxFramesInFlight = 4;
/** The size of a frame without its records. */
const frameOverheadBytes = 1024;
/** Above this, sending pauses: a heartbeat must not wait behind everything on disk. */
const maxBufferedBytes = 512 * 1024;

/** Sends the spool while there is a link. */
export interface LogSender {
  /** A link began: everything unacknowledged is sent again. */
  up(): void;
  down(): void;
  /** There is more to send, or more room. */
  wake(): void;
  acknowledged(ack: LogsAck): void;
  skipped(skipped: LogsSkipped): void;
  /** Everything unacknowledged is sent again, under the spool's new id. */
  idChanged(): void;
}

export function logSender(
  spool: Pick<Spool, 'read' | 'rewind' | 'acknowledge' | 'skipped'>,
  link: Pick<AgentLink, 'send' | 'bufferedBytes'>,
): LogSender {
  /** The unacknowledged frames. */
  let inFlight: { spool: string; to: number }[] = [];
  /** The highest numbers sent: on all links so far, and on all links before this one. */
  let [sentSeq, sentBefore] = [0, 0];
  let isUp = false;
  let isSending = false;
  /** Counts the wakes, so that a wake while a batch is read is not missed. */
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
        // A new link began meanwhile: the spool was rewound, and this batch is read again.
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
