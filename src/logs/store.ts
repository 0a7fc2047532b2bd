import type { Knex } from 'knex';
import { chunkWriter } from './chunk-writer.ts';
import type { LogStore } from './delivery.ts';
import { segmentStore } from './segments/store.ts';

/** The error of the database if records may not be stored as chunks now: object_in_use. */
const isRefused = (error: unknown): boolean => (error as { code?: unknown }).code === '55006';

/**
 * Stores records as segments, or as chunks while a replica of the previous release is alive. The database refuses what
 * is not stored in the format of the moment. How far spools are stored is then read again.
 */
export function logStore(db: Knex, hasRoom: () => boolean): LogStore {
  const [segments, chunks] = [segmentStore(db), chunkWriter(db)];
  let current = segments;

  return {
    async readHeads(spools) {
      const { rows } = await db.raw<{ rows: [{ segments: boolean }] }>('select log_segments_are_used() as segments');
      current = rows[0].segments ? segments : chunks;
      return current.readHeads(spools);
    },

    async store(deliveries) {
      if (!hasRoom()) throw new Error('the tables of log records are full');
      try {
        return await current.store(deliveries);
      } catch (error) {
        if (current === chunks && isRefused(error)) return deliveries.map(() => 'behind');
        throw error;
      }
    },
  };
}
