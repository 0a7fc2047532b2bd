import { preparedFrame, type Outlet, type PreparedFrame } from '../../platform/ws/outlet.ts';
import type { Rate, WatchedKind } from './model.ts';
import { framePacing } from './frame-pacing.ts';
import type { Item } from './stream.ts';

/** Sends a stream to one reader. */
export interface ReaderSender {
  take(item: Item): void;
  setRate(rate: Rate): void;
  stop(): void;
  readonly sent: { items: number; bytes: number };
}

/** Records queued for one reader, besides the newest: in bytes, including the overhead of each. */
const maxQueuedBytes = 262_144;
const recordBytes = 128;
/**
 * Unsent bytes in the connection above which no other record is written. Queued records can be dropped, written ones
 * cannot.
 */
const maxWrittenBytes = 65_536;

/** Pictures: one is being sent, and the newest one waits until it was received. */
function sendPictures(outlet: Outlet, firstRate: Rate): ReaderSender {
  const sent = { items: 0, bytes: 0 };
  let isBusy = false;
  const pictures = framePacing<PreparedFrame>(
    firstRate,
    () => isBusy,
    (frame) => {
      if (!outlet.isOpen) return;
      isBusy = true;
      sent.items += 1;
      sent.bytes += frame.bytes;
      outlet.write(frame, () => {
        isBusy = false;
        pictures.goOn();
      });
    },
  );
  return {
    take: ({ frame }) => void pictures.offer(frame),
    setRate: pictures.setRate,
    stop: pictures.stop,
    sent,
  };
}

/** Records and control frames: all that the rate allows, or a gap in place of the oldest ones. */
function sendRecords(outlet: Outlet, firstRate: Rate): ReaderSender {
  const sent = { items: 0, bytes: 0 };
  const queue: PreparedFrame[] = [];
  let queuedBytes = 0;
  let dropped = 0; // before the first record of the queue

  function shift(): PreparedFrame | undefined {
    const frame = queue.shift();
    if (frame) queuedBytes -= frame.bytes + recordBytes;
    return frame;
  }

  function write(frame: PreparedFrame): void {
    sent.items += 1;
    sent.bytes += frame.bytes;
    outlet.write(frame, flush);
  }

  function flush(): void {
    while (queue.length > 0 && outlet.isOpen && outlet.waitingBytes <= maxWrittenBytes) {
      if (dropped > 0) write(gapFrame(dropped));
      dropped = 0;
      const frame = shift();
      if (frame) write(frame);
    }
  }

  function push(frame: PreparedFrame): void {
    queue.push(frame);
    queuedBytes += frame.bytes + recordBytes;
    flush();
    while (queuedBytes > maxQueuedBytes && queue.length > 1) {
      shift();
      dropped += 1;
    }
  }

  const records = framePacing<PreparedFrame>(firstRate, () => false, push);
  return {
    take: ({ frame, isContent }) => (isContent ? void records.offer(frame) : push(frame)),
    setRate: records.setRate,
    stop() {
      records.stop();
      queue.length = 0;
    },
    sent,
  };
}

const gapFrame = (dropped: number): PreparedFrame =>
  preparedFrame(
    Buffer.from(
      JSON.stringify({
        type: 'gap',
        ts: new Date().toISOString(),
        level: 'warn',
        message: `${dropped} ${dropped === 1 ? 'message' : 'messages'} skipped`,
        dropped,
        reason: 'slow_consumer',
      }),
    ),
    false,
  );

export const sendingTo = (kind: WatchedKind, outlet: Outlet, rate: Rate): ReaderSender =>
  kind === 'camera' ? sendPictures(outlet, rate) : sendRecords(outlet, rate);
