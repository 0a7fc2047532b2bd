import type { OrderState } from '../../generated/frames.js';
import { closeCodes } from '../../generated/protocol.js';
import type { OrderDesk } from '../deployments/service.ts';
import { closeLink, hold, release, say, type Link } from './link.ts';

interface ReportSettings {
  desk: OrderDesk;
  /** A newer link seems to have taken over. */
  onStale(link: Link): void;
  /** An order is over, so that its lane is free. */
  onEnded(link: Link): void;
}

/** What agents report of their orders, from the frame to the acknowledgement. */
export function reports({ desk, onStale, onEnded }: ReportSettings) {
  /** `then` is called once it is recorded, and not if it is not. */
  function take(link: Link, state: OrderState, frameBytes: number, then: (ended: boolean) => void): void {
    const { orgId, robotId, epoch } = link;
    const { order_id: orderId, status, digest, reason, message } = state;
    const bytes = hold(link, frameBytes);
    desk.report({ orgId, robotId, epoch }, { orderId, status, digest, reason, message }, (outcome) => {
      release(link, bytes);
      if (outcome.kind === 'stale') return onStale(link);
      if (outcome.kind === 'failed')
        return closeLink(link, closeCodes.tryLater, 'reports cannot be stored now', 'service_failed');
      say(link, JSON.stringify({ type: 'report_ack', order_id: orderId, status, ended: outcome.ended }));
      then(outcome.ended);
    });
  }

  return {
    /** A `report` frame of so many bytes. */
    take(link: Link, state: OrderState, frameBytes: number): void {
      take(link, state, frameBytes, (ended) => {
        if (ended) onEnded(link);
      });
    },

    /** What an agent had to say when it came. `then` is called when all of it is recorded. */
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
