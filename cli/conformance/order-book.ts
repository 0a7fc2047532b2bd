import { createHash, randomUUID } from 'node:crypto';
import type { AgentFrame, Desired, Order, OrderState, ReportResult } from '../../generated/frames.js';
import { orderSteps, targetMoves } from '../../generated/protocol.js';
import { shown } from './rule.ts';
import type { ServedLink } from './served-link.ts';

export const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const terminal = Object.entries(targetMoves).flatMap(([status, next]) => (next.length === 0 ? [status] : []));
const reportable: readonly string[] = [...orderSteps, 'rolling_back', ...terminal];

/** The orders of one robot, and its reports. */
export interface OrderBook {
  orders: Order[];
  /** All reports in order, including those in hello. */
  reports: (OrderState & { at: number })[];
  acknowledges: boolean;
  /** Refuses every proof as if its digest were wrong. Default: false. */
  refusesProofs: boolean;
  /** Adds orders, and sends the list on the newest link. */
  give(...more: Order[]): void;
  /** The final report of the order; undefined while there is none. */
  endOf(order: Order): OrderState | undefined;
  reportsOf(order: Order): OrderState[];
  welcomed(link: ServedLink): void;
  heard(frame: AgentFrame, link: ServedLink): void;
}

/** `breach` records a violation of the protocol. */
export function orderBook(newestLink: () => ServedLink | undefined, breach: (what: string) => void): OrderBook {
  const results = new Map<string, ReportResult>(); // by order
  const current = (): Desired => ({
    type: 'desired',
    hash: sha256(JSON.stringify(book.orders)).slice(0, 16),
    items: book.orders,
  });
  const takes = (link: ServedLink | undefined) => link?.hello?.capabilities?.orders === true;

  /** Returns whether the list changed. */
  function reported(state: OrderState, link: ServedLink): boolean {
    book.reports.push({ ...state, at: performance.now() });
    if (!reportable.includes(state.status)) breach(`the status of a report does not exist: ${shown(state)}`);
    if (!book.acknowledges) return false;
    const { order_id, status, report_seq } = state;
    const order = book.orders.find(({ order_id: id }) => id === order_id);
    const ended = terminal.includes(status) || !order;
    const result = order && resultOf(order, state);
    link.send({
      type: 'report_ack',
      order_id,
      status,
      ended,
      ...(result && { result }),
      ...(report_seq !== undefined && { report_seq }),
    });
    if (ended) book.orders = book.orders.filter((each) => each !== order);
    return ended && order !== undefined;
  }

  function resultOf(order: Order, state: OrderState): ReportResult {
    const { order_id: id, status, digest, reason } = state;
    if (!reportable.includes(status))
      return { status: results.get(id)?.status ?? 'dispatched', reason: 'unknown_status' };
    const isRefused = status === 'applied' && (book.refusesProofs || digest !== proofOf(order));
    const result = isRefused
      ? { status: 'failed', reason: 'digest_mismatch' }
      : { status, ...(reason !== undefined && { reason }) };
    results.set(id, result);
    return result;
  }

  const book: OrderBook = {
    orders: [],
    reports: [],
    acknowledges: true,
    refusesProofs: false,
    give(...more) {
      book.orders.push(...more);
      const link = newestLink();
      if (takes(link)) link?.send(current());
    },
    reportsOf: ({ order_id: id }) => book.reports.filter((each) => each.order_id === id),
    endOf: (order) => book.reportsOf(order).findLast(({ status }) => terminal.includes(status)),
    welcomed(link) {
      for (const state of link.hello?.holding ?? []) reported(state, link);
      if (takes(link)) link.send(current());
    },
    heard(frame, link) {
      if (frame.type === 'report' && reported(frame, link) && takes(link)) link.send(current());
      if (frame.type !== 'heartbeat' || frame.desired_hash === undefined || !takes(link)) return;
      const desired = current();
      if (frame.desired_hash !== desired.hash) link.send(desired);
    },
  };
  return book;
}

/** The digest that proves an order: of the artifact for a release, of the payload for config. */
function proofOf({ digest, payload }: Order): string {
  try {
    const { release } = JSON.parse(payload ?? '') as { release?: { artifact_sha256: string } };
    return release?.artifact_sha256 ?? digest;
  } catch {
    return digest; // a payload that is fetched is config
  }
}

let sequence = 0;

/** An order as the service creates it for this payload. */
export function orderOf(lane: string, payload: string, changes: Partial<Order> = {}): Order {
  sequence += 1;
  const deployments = [randomUUID()];
  return { order_id: randomUUID(), lane, sequence, deployments, digest: sha256(payload), payload, ...changes };
}

/** An order for a release of the kind `file` with this content. */
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
