import type { AgentFrame, OrderState, ReportAck } from '../../../generated/frames.js';
import { limits } from '../../../generated/protocol.js';
import type { Journal, OrderRecord } from './journal.ts';

interface ReportSettings {
  /** False if there is no link. */
  send(frame: AgentFrame): boolean;
  /** A message of the agent's own. */
  tell(message: string): void;
}

/** What the service has to hear of the orders in the journal: it goes out until it is acknowledged, and every 30 s anew. */
export interface OrderReports {
  /** Sends the last that is to be told of the order. */
  send(record: OrderRecord): void;
  /** Writes the end of an order down; what the disk does not take is tried again until it does. Never rejects. */
  keepEnd(record: OrderRecord, written?: OrderRecord): Promise<void>;
  /** What the service has to hear with hello; what is too long for it goes with `linkUp`. */
  holding(): OrderState[];
  linkUp(): void;
  acknowledged(ack: ReportAck): void;
  /** Tidies the journal, but for what is not written down yet. Never rejects. */
  tidy(): Promise<void>;
  stop(): void;
}

/** What is not acknowledged goes again after so long: the service may have been busy, or its database away. */
const resendEveryMs = 30_000;
/** Of all `holding`, half of what a frame may have. */
const maxHoldingBytes = 128 * 1024;

export function orderReports(journal: Journal, { send, tell }: ReportSettings): OrderReports {
  /** Ended, and the disk did not take it yet. */
  const unwritten = new Set<OrderRecord>();
  // No reason to stay: a disk may open the journal when the agent is about to end.
  const resend = setInterval(again, resendEveryMs).unref();
  const records = () => [...journal.records.values()];
  const sendReport = (record: OrderRecord) => void send({ type: 'report', ...record.report });

  async function keepEnd(record: OrderRecord, written = record): Promise<void> {
    await journal.write(written).then(
      () => unwritten.delete(record),
      (error: unknown) => {
        if (!unwritten.has(record)) tell(`the end of an order cannot be written down: ${String(error)}`);
        unwritten.add(record);
      },
    );
  }

  function again(): void {
    for (const record of unwritten) void keepEnd(record);
    for (const record of records()) if (!record.isAcknowledged) sendReport(record);
  }

  /** Those whose states fit into hello, what is not acknowledged first. */
  function fittingRecords(): OrderRecord[] {
    const open = records().filter(({ isAcknowledged, step }) => !isAcknowledged || step !== 'ended');
    open.sort((one, other) => Number(one.isAcknowledged) - Number(other.isAcknowledged));
    let bytes = 0;
    return open.slice(0, limits.maxOrders).filter(({ report: state }) => {
      bytes += Buffer.byteLength(JSON.stringify(state));
      return bytes <= maxHoldingBytes;
    });
  }

  return {
    send: sendReport,
    keepEnd,
    holding: () => fittingRecords().map(({ report: state }) => state),
    linkUp() {
      const sentWithHello = new Set(fittingRecords());
      for (const record of records()) if (!record.isAcknowledged && !sentWithHello.has(record)) sendReport(record);
    },
    acknowledged({ order_id: id, status, result }) {
      const record = journal.records.get(id);
      if (record?.report.status !== status || record.isAcknowledged) return;
      record.isAcknowledged = true;
      if (record.step !== 'ended') return;
      if (result && result.status !== status) {
        record.otherResult = result;
        const why = result.reason === undefined ? '' : `, ${result.reason}`;
        tell(`order ${id} of lane ${record.order.lane}: ${status} here, ${result.status} for the service${why}`);
      }
      void keepEnd(record);
    },
    tidy: () => journal.tidy(unwritten).catch(() => undefined),
    stop: () => clearInterval(resend),
  };
}
