import type { WebSocket } from 'ws';
import type { Desired, ReportAck } from '../../../generated/frames.d.ts';

/** When the links got their first acknowledgement, and their last; ms since 1970, ascending. */
export interface Carried {
  begunAt: number[];
  endedAt: number[];
}

/** What every link is to do. */
interface Work {
  statuses: readonly string[];
  digest: string; // the proof
  withinMs: number;
}

/** Carries out the next order of each link, as fast as it is acknowledged. @throws when not all are through in time */
export function carryOut(links: readonly WebSocket[], { statuses, digest, withinMs }: Work): Promise<Carried> {
  const carried: Carried = { begunAt: [], endedAt: [] };
  return new Promise((resolve, reject) => {
    const stopAll: (() => void)[] = [];
    const end = (settle: () => void) => {
      clearTimeout(timer);
      for (const stop of stopAll) stop();
      settle();
    };
    const timer = setTimeout(() => {
      const { begunAt, endedAt } = carried;
      end(() => reject(new Error(`of ${links.length} links ${begunAt.length} began and ${endedAt.length} ended`)));
    }, withinMs);
    for (const link of links) {
      let orderId: string | undefined;
      let step = 0;
      const report = () => {
        const status = statuses[step];
        link.send(
          JSON.stringify({ type: 'report', order_id: orderId, status, ...(status === 'applied' ? { digest } : {}) }),
        );
      };
      const hear = (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as Desired | ReportAck;
        if (frame.type === 'desired' && orderId === undefined && frame.items[0]) {
          orderId = frame.items[0].order_id;
          report();
        } else if (frame.type === 'report_ack' && frame.order_id === orderId) {
          if (step === 0) carried.begunAt.push(Date.now());
          step += 1;
          if (step < statuses.length) return report();
          link.off('message', hear);
          carried.endedAt.push(Date.now());
          if (carried.endedAt.length === links.length) end(() => resolve(carried));
        }
      };
      link.on('message', hear);
      stopAll.push(() => void link.off('message', hear));
    }
  });
}
