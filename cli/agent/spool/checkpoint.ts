import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Position } from './record.ts';

/**
 * State that is not in the segments, as `ack.json` next to them. It may be older than they are: the lines after `seq`
 * hold the rest, and the service stores a record sent twice only once.
 */
export interface Checkpoint {
  /** The service has stored everything up to this number. */
  acked: number;
  /** The last number when this was written. */
  seq: number;
  /** The boot in which it was written; undefined if unknown. */
  bootId?: string | undefined;
  /** Position of each source at `seq`. */
  positions: Record<string, Position>;
}

const pathIn = (directory: string) => join(directory, 'ack.json');

/** Returns zeros and no positions if the file is missing, or if a power cut emptied it. */
export async function readCheckpoint(directory: string): Promise<Checkpoint> {
  const text = await readFile(pathIn(directory), 'utf8').catch(() => '');
  try {
    const { acked, seq, boot_id, positions } = JSON.parse(text) as Record<string, unknown>;
    return {
      acked: wholeNumber(acked),
      seq: wholeNumber(seq),
      bootId: typeof boot_id === 'string' ? boot_id : undefined,
      positions: typeof positions === 'object' && positions !== null ? (positions as Record<string, Position>) : {},
    };
  } catch {
    return { acked: 0, seq: 0, positions: {} };
  }
}

/** A crash leaves the old or the new file. */
export async function writeCheckpoint(directory: string, { acked, seq, bootId, positions }: Checkpoint): Promise<void> {
  const path = pathIn(directory);
  await writeFile(`${path}.tmp`, JSON.stringify({ acked, seq, boot_id: bootId, positions }), { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

const wholeNumber = (value: unknown) => (Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0);
