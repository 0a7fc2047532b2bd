import type { OrderState, Running } from '../../generated/frames.js';
import { closeCodes } from '../../generated/protocol.js';
import type { OrderPort } from '../deployments/api/service.ts';
import type { Tracing } from '../platform/tracing.ts';
import { closeLink, reserveBytes, releaseBytes, sendFrame, type Link } from './link.ts';
import { recordReport } from './report-spans.ts';

interface ReportSettings {
  orderPort: OrderPort;
  /** A newer link seems to have taken over. */
  onStale(link: Link): void;
  /** An order has ended, so its lane is free. */
  onEnded(link: Link): void;
  tracing: Tracing | undefined;
}

/** The form of release lanes. What runs in other lanes belongs to no release. */
const releaseLane = /^release:([a-z0-9][a-z0-9._-]{0,63})$/;

const progressOf = ({ percent, text, waiting_on: waitingOn }: NonNullable<OrderState['progress']>) => ({
  percent,
  text,
  waitingOn: waitingOn && { holder: waitingOn.holder, reason: waitingOn.reason },
});

/** Handles reports of orders, from the frame to the acknowledgement. */
export function reports({ orderPort, onStale, onEnded, tracing }: ReportSettings) {
  /** `then` is called once the report is recorded, and never if that fails. */
  function take(link: Link, state: OrderState, frameBytes: number, then: (ended: boolean) => void): void {
    const { orgId, robotId, epoch } = link;
    const { order_id: orderId, status, digest, reason, message, progress, report_seq } = state;
    const bytes = reserveBytes(link, frameBytes);
    const receivedAt = tracing && new Date();
    const report = { orderId, status, digest, reason, message, progress: progress && progressOf(progress) };
    orderPort.report({ orgId, robotId, epoch }, report, (outcome) => {
      releaseBytes(link, bytes);
      if (outcome.kind === 'stale') return onStale(link);
      if (outcome.kind === 'failed')
        return closeLink(link, closeCodes.tryLater, 'reports cannot be stored at the moment', 'service_failed');
      const { ended, result, trace } = outcome;
      if (receivedAt && trace) recordReport(tracing, { robotId, state, trace, receivedAt });
      sendFrame(link, JSON.stringify({ type: 'report_ack', order_id: orderId, status, ended, result, report_seq }));
      then(ended);
    });
  }

  return {
    /** Handles a `report` frame of this many bytes. */
    take(link: Link, state: OrderState, frameBytes: number): void {
      take(link, state, frameBytes, (ended) => {
        if (ended) onEnded(link);
      });
    },

    /** Handles a `running` frame of this many bytes. The agent sends again what cannot be stored. */
    takeRunning(link: Link, { lanes }: Running, frameBytes: number): void {
      const { orgId, robotId, epoch } = link;
      const running = Object.entries(lanes).flatMap(([lane, digest]) => {
        const kind = releaseLane.exec(lane)?.[1];
        return kind === undefined ? [] : [{ kind, sha256: digest?.toLowerCase() }];
      });
      const bytes = reserveBytes(link, frameBytes);
      orderPort.running({ orgId, robotId, epoch }, running, (outcome) => {
        releaseBytes(link, bytes);
        if (outcome.kind === 'stale') onStale(link);
      });
    },

    /** Handles the reports of an agent's hello. `then` is called when all of them are recorded. */
    takeAll(link: Link, states: readonly OrderState[], then: () => void): void {
      let left = states.length;
      if (left === 0) return then();
      for (const state of states)
        take(link, state, 0, () => {
          left -= 1;
          if (left === 0) then();
        });
    },
  };
}
