import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Order, OrderState, OrderStep, ReportResult } from '../../../generated/frames.js';
import { discard, makeOwnFolder, writeDurably } from './durable.ts';
import type { Failure, Step } from './handler.ts';

/** The state of one order that survives a crash. */
export interface OrderRecord {
  /** With its payload until it ends, if the payload came with it. */
  order: Order;
  step: Step | 'ended';
  /** How often the step has begun; 0 for an order that is only accepted. */
  attempt: number;
  /** The latest report of the order. */
  report: OrderState;
  isAcknowledged: boolean;
  /**
   * The service's result, if it differs from the report: the service rejected the proof, or the order had ended before.
   */
  otherResult?: ReportResult | undefined;
  /** Whether the change by `activate` needs a restart to take effect. */
  needsRestart?: boolean;
  /** Why the order is rolled back. */
  failure?: Failure | undefined;
  /** The proof, once there is one. */
  digest?: string | undefined;
  /** How long its steps took, if it is traced. */
  steps?: OrderStep[] | undefined;
  notes: Record<string, unknown>;
}

/**
 * The orders of this robot, one file each: `<folder>/<order>.json`. `<folder>/<order>.d` holds what the order needs
 * until it ends.
 */
export interface Journal {
  /** By order id. An accepted order stays here after its end, until `tidy` deletes it. */
  records: Map<string, OrderRecord>;
  /** Whether the order's file exists but is invalid: the order may have run, and must not run a second time. */
  isDamaged(orderId: string): boolean;
  directoryOf(orderId: string): string;
  /** Resolves when the record is on disk. Writes of one order run one after the other. Rejects on a disk error. */
  write(record: OrderRecord): Promise<void>;
  /** Deletes the folders of ended orders, and the oldest acknowledged records beyond 100. Skips `unwritten` orders. */
  tidy(unwritten: ReadonlySet<OrderRecord>): Promise<void>;
}

/** Number of ended orders to keep: an order list that was in flight when an order ended still names it. */
const keptEnded = 100;

/** Throws if the folder cannot be read or written: without it, orders would be carried out twice. */
export async function openJournal(folder: string): Promise<Journal> {
  await makeOwnFolder(folder);
  await writeDurably(join(folder, 'probe'), '');
  const records = new Map<string, OrderRecord>();
  const damaged = new Set<string>();
  const writes = new Map<string, Promise<void>>();
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.json')) continue;
    const record = recordOf(await readFile(join(folder, file), 'utf8'));
    if (record) records.set(record.order.order_id, record);
    else damaged.add(file);
  }
  const fileOf = (orderId: string) => join(folder, `${nameOf(orderId)}.json`);
  const directoryOf = (orderId: string) => join(folder, `${nameOf(orderId)}.d`);

  return {
    records,
    directoryOf,
    isDamaged: (orderId) => damaged.has(`${nameOf(orderId)}.json`),
    write(record) {
      const { order_id: id } = record.order;
      const before = writes.get(id) ?? Promise.resolve();
      const text = JSON.stringify(record);
      const written = before.catch(() => undefined).then(() => writeDurably(fileOf(id), text));
      writes.set(id, written);
      void written.catch(() => undefined).then(() => writes.get(id) === written && writes.delete(id));
      return written;
    },
    async tidy(unwritten) {
      const ended = [...records.values()].filter((record) => record.step === 'ended' && !unwritten.has(record));
      for (const { order } of ended) await discard(directoryOf(order.order_id));
      const settled = ended.filter(({ isAcknowledged }) => isAcknowledged);
      settled.sort((one, other) => other.order.sequence - one.order.sequence);
      for (const { order } of settled.slice(keptEnded)) {
        records.delete(order.order_id);
        // A pending write would create the file again.
        await writes.get(order.order_id)?.catch(() => undefined);
        await rm(fileOf(order.order_id), { force: true });
      }
    },
  };
}

/** Ids come from outside: an id that is no plain name must not lead to another folder. */
const nameOf = (orderId: string) =>
  /^[a-z0-9][a-z0-9-]{0,63}$/.test(orderId) ? orderId : `_${createHash('sha256').update(orderId).digest('hex')}`;

function recordOf(text: string): OrderRecord | undefined {
  try {
    const record = JSON.parse(text) as OrderRecord | null;
    const isWhole = typeof record?.order.order_id === 'string' && typeof record.step === 'string';
    return isWhole && typeof record.report.status === 'string' ? record : undefined;
  } catch {
    return undefined;
  }
}
