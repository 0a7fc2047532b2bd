import { createHash, randomUUID } from 'node:crypto';
import type { AgentFrame, Desired, Order, OrderState } from '../../generated/frames.js';
import type { ServedLink } from './served-link.ts';

export const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const terminal: readonly string[] = ['applied', 'failed', 'rolled_back', 'cancelled'];

/** What one robot shall carry out, and what it said of it. */
export interface OrderBook {
  orders: Order[];
  /** All that was said, in order, what came with hello included. */
  reports: (OrderState & { at: number })[];
  acknowledges: boolean;
  /** Sends the list, as it is now, on the newest link. */
  give(...more: Order[]): void;
  /** The last word on it; undefined while there is none. */
  endOf(order: Order): OrderState | undefined;
  reportsOf(order: Order): OrderState[];
  welcomed(link: ServedLink): void;
  heard(frame: AgentFrame, link: ServedLink): void;
}

export function orderBook(newestLink: () => ServedLink | undefined): OrderBook {
  const current = (): Desired => ({
    type: 'desired',
    hash: sha256(JSON.stringify(book.orders)).slice(0, 16),
    items: book.orders,
  });
  const takes = (link: ServedLink | undefined) => link?.hello?.capabilities?.orders === true;

  /** Gives whether the list became another one. */
  function told(state: OrderState, link: ServedLink): boolean {
    book.reports.push({ ...state, at: performance.now() });
    if (!book.acknowledges) return false;
    const isKnown = book.orders.some(({ order_id: id }) => id === state.order_id);
    const ended = terminal.includes(state.status) || !isKnown;
    link.send({ type: 'report_ack', order_id: state.order_id, status: state.status, ended });
    if (ended) book.orders = book.orders.filter(({ order_id: id }) => id !== state.order_id);
    return ended && isKnown;
  }

  const book: OrderBook = {
    orders: [],
    reports: [],
    acknowledges: true,
    give(...more) {
      book.orders.push(...more);
      const link = newestLink();
      if (takes(link)) link?.send(current());
    },
    reportsOf: ({ order_id: id }) => book.reports.filter((each) => each.order_id === id),
    endOf: (order) => book.reportsOf(order).findLast(({ status }) => terminal.includes(status)),
    welcomed(link) {
      for (const state of link.hello?.holding ?? []) told(state, link);
      if (takes(link)) link.send(current());
    },
    heard(frame, link) {
      if (frame.type === 'report' && told(frame, link) && takes(link)) link.send(current());
      if (frame.type !== 'heartbeat' || frame.desired_hash === undefined || !takes(link)) return;
      const desired = current();
      if (frame.desired_hash !== desired.hash) link.send(desired);
    },
  };
  return book;
}

let sequence = 0;

/** An order as the service makes it of this payload. */
export function orderOf(lane: string, payload: string, changes: Partial<Order> = {}): Order {
  sequence += 1;
  const deployments = [randomUUID()];
  return { order_id: randomUUID(), lane, sequence, deployments, digest: sha256(payload), payload, ...changes };
}

/** For a release of the kind `file` with this content. */
export function fileOrder(content: string, changes: Partial<Order> = {}): Order {
  const release = {
    id: randomUUID(),
    tag: `conformance-${sequence + 1}`,
    kind: 'file',
    artifact_sha256: sha256(content),
    artifact_size: Buffer.byteLength(content),
  };
  return orderOf('release:file', JSON.stringify({ release }), changes);
}
