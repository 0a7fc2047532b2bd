import type { AgentFrame, OrderState, ReportAck } from '../../../generated/frames.js';
import { limits } from '../../../generated/protocol.js';
import type { Journal, OrderRecord } from './journal.ts';

interface ReportSettings {
  /** False if there is no link. */
  send(frame: AgentFrame): boolean;
  /** Emits a message of the agent itself. */
  tell(message: string): void;
}

/** The reports of the orders in the journal. A report is sent again every 30 s until it is acknowledged. */
export interface OrderReports {
  /** Sends the latest report of the order. */
  send(record: OrderRecord): void;
  /** Journals the end of an order. A failed write is retried until it succeeds. Never rejects. */
  keepEnd(record: OrderRecord, written?: OrderRecord): Promise<void>;
  /** Order states to send with hello. States that do not fit are sent by `linkUp`. */
  holding(): OrderState[];
  linkUp(): void;
  acknowledged(ack: ReportAck): void;
  /** Tidies the journal, except for records not yet on disk. Never rejects. */
  tidy(): Promise<void>;
  stop(): void;
}

/** Unacknowledged reports are sent again after this time: the service or its database may have been unavailable. */
const resendEveryMs = 30_000;
/** For all of `holding`: half of the maximum size of a frame. */
const maxHoldingBytes = 128 * 1024;

export function orderReports(journal: Journal, { send, tell }: ReportSettings): OrderReports {
  /** Ended orders whose end is not yet on disk. */
  const unwritten = new Set<OrderRecord>();
  // Must not keep the process alive: a slow disk may open the journal when the agent is about to exit.
  const resend = setInterval(again, resendEveryMs).unref();
  const records = () => [...journal.records.values()];
  const sendReport = (record: OrderRecord) => void send({ type: 'report', ...record.report });

  async function keepEnd(record: OrderRecord, written = record): Promise<void> {
    await journal.write(written).then(
      () => unwritten.delete(record),
      (error: unknown) => {
        if (!unwritten.has(record)) tell(`the end of an order cannot be stored: ${String(error)}`);
        unwritten.add(record);
      },
    );
  }

  function again(): void {
    for (const record of unwritten) void keepEnd(record);
    for (const record of records()) if (!record.isAcknowledged) sendReport(record);
  }

  /** The records whose states fit into hello, unacknowledged ones first. */
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
