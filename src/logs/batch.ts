import { packText } from './body.ts';
import type { KeptLine } from './normalise.ts';
import type { Delivery, PackedChunk } from './store.ts';

/** The link that a frame came on. */
export interface LinkRef {
  orgId: string;
  robotId: string;
  epoch: number; // the robot's newest link has the highest
}

export type LogOutcome =
  | { kind: 'stored'; spool: string; seq: number } // everything of the spool up to seq is committed
  | { kind: 'stale' } // a newer link took over, or the robot is gone: nothing was stored
  | { kind: 'failed' }; // not stored, and nothing that comes on this link will be: the agent has to begin again on a new one

/** What is known of one spool on one link. */
export interface Spool {
  link: LinkRef;
  name: string;
  storedSeq: number | undefined; // undefined: to be read
  acceptedSeq: number; // highest that was taken into a batch
  waiting: Batch | undefined;
}

/** Records of one spool that are stored together. */
export interface Batch {
  spool: Spool;
  seqs: number[];
  lines: KeptLine[];
  length: number; // of the lines
  done: ((outcome: LogOutcome) => void)[];
  isDecided: boolean;
}

/** A chunk is closed at this length, and stored without waiting for the second to pass. */
export const chunkLength = 65_536;

export const storedOutcome = ({ spool }: Batch): LogOutcome => ({
  kind: 'stored',
  spool: spool.name,
  seq: spool.storedSeq ?? 0,
});

/** Takes out what is stored already. Gives whether nothing is left. */
export function dropStored({ seqs, lines }: Batch, storedSeq: number): boolean {
  const first = seqs.findIndex((seq) => seq > storedSeq);
  const count = first === -1 ? seqs.length : first;
  seqs.splice(0, count);
  lines.splice(0, count);
  return seqs.length === 0;
}

/** Cuts the batch into chunks, each a line longer than `chunkLength` at most. */
export async function packBatch({ spool, seqs, lines }: Batch): Promise<Delivery> {
  const chunks: Promise<PackedChunk>[] = [];
  let text = '';
  let records = 0;
  let maxLevel = 0;
  lines.forEach((line, index) => {
    text += `${line.text}\n`;
    records += 1;
    maxLevel = Math.max(maxLevel, line.rank);
    if (text.length < chunkLength && index < lines.length - 1) return;
    const facts = { records, maxLevel };
    chunks.push(packText(text).then((packed) => ({ ...packed, ...facts })));
    text = '';
    records = maxLevel = 0;
  });
  return {
    ...spool.link,
    spool: spool.name,
    fromSeq: seqs[0] ?? 0,
    toSeq: seqs.at(-1) ?? 0,
    records: seqs.length,
    chunks: await Promise.all(chunks),
  };
}
