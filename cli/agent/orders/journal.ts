import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Order, OrderState, ReportResult } from '../../../generated/frames.js';
import { discard, makeOwnFolder, writeDurably } from './durable.ts';
import type { Failure, Step } from './handler.ts';

/** All that outlives a crash of one order. */
export interface OrderRecord {
  /** With its payload, if it came with it, until it ends. */
  order: Order;
  step: Step | 'ended';
  /** How often that step has begun; 0 for an order that is only taken. */
  attempt: number;
  /** The last thing to tell of it. */
  report: OrderState;
  isAcknowledged: boolean;
  /** What the service made of the end, where that differs from what was told: a proof that it refused, or an order that had ended before. */
  otherResult?: ReportResult | undefined;
  /** Whether what `activate` did needs it to take effect. */
  needsRestart?: boolean;
  /** Why it goes back. */
  failure?: Failure | undefined;
  /** The proof, once there is one. */
  digest?: string | undefined;
  notes: Record<string, unknown>;
}

/** The orders of this robot as files, one each: `<folder>/<order>.json`, and `<folder>/<order>.d` for what it needs until it ends. */
export interface Journal {
  /** By order id; an order that was taken once stays here. */
  records: Map<string, OrderRecord>;
  /** An order whose file is there and cannot be read: it may have been carried out, and must not be a second time. */
  isDamaged(orderId: string): boolean;
  directoryOf(orderId: string): string;
  /** Resolves when it is on disk; writes of one order follow each other. Rejects where the disk does. */
  write(record: OrderRecord): Promise<void>;
  /** Deletes what ended orders leave, but for `unwritten` ones, and of those that are acknowledged the oldest beyond a hundred. */
  tidy(unwritten: ReadonlySet<OrderRecord>): Promise<void>;
}

/** Ended orders are kept: a list of orders that was on its way when one ended still names it. */
const keptEnded = 100;

/** Throws where the folder cannot be read or written: without it orders would be carried out twice. */
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
        // One that is on its way would bring it back.
        await writes.get(order.order_id)?.catch(() => undefined);
        await rm(fileOf(order.order_id), { force: true });
      }
    },
  };
}

/** Ids come from outside: what is no plain name must not lead to another folder. */
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
