import type { Order, OrderState } from '../../../generated/frames.js';
import { limits } from '../../../generated/protocol.js';
import type { Outcome, Step } from './handler.ts';
import type { OrderRecord } from './journal.ts';
import { cutText } from './text.ts';

/** The service's status for each step. */
export const statusOf: Record<Step, string> = {
  download: 'downloading',
  install: 'installing',
  activate: 'installing',
  restart: 'installing',
  verify: 'verifying',
  commit: 'verifying',
  rollback: 'rolling_back',
  rollback_restart: 'rolling_back',
};

/** The final report of an order, within the size limits of the protocol. */
export const endOf = ({ order_id }: Order, { status, digest, reason, message }: Outcome): OrderState => ({
  order_id,
  status,
  ...(digest !== undefined && { digest }),
  ...(reason !== undefined && { reason: cutText(reason, 64) }),
  ...(message !== undefined && { message: cutText(message, limits.maxReportMessageBytes) }),
});

/** The record of a newly accepted order. */
export function newOrderRecord(order: Order): OrderRecord {
  const report = { order_id: order.order_id, status: statusOf.download };
  return { order, step: 'download', attempt: 0, report, isAcknowledged: false, notes: {} };
}
