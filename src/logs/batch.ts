import type { Delivery } from './delivery.ts';
import type { KeptLine } from './normalise.ts';

/** The link that a frame came on. */
export interface LinkRef {
  orgId: string;
  robotId: string;
  epoch: number; // the robot's newest link has the highest
}

export type LogOutcome =
  // Everything of the spool up to seq is committed, except skipped records.
  // `isRefused`: but for what the quota of the org refused, all of this frame.
  | { kind: 'stored'; spool: string; seq: number; skipped?: Skipped | undefined; isRefused?: boolean }
  | { kind: 'stale' } // a newer link took over, or the robot is gone: nothing was stored
  // Not stored, and neither is anything later on this link: the agent must resend on a new link.
  | { kind: 'failed' };

/** Records of a frame whose numbers are not above the highest one stored before. They were not stored. */
interface Skipped {
  fromSeq: number;
  toSeq: number;
  records: number;
}

/** State of one spool on one link. */
export interface Spool {
  robot: RobotSpools;
  link: LinkRef;
  name: string;
  foundSeq: number | undefined; // how far it was stored before this link; undefined: not read yet
  storedSeq: number | undefined; // undefined: not read yet
  acceptedSeq: number; // highest that was added to a batch
  waiting: Batch | undefined;
}

/** The spools of a robot, also of its earlier links. */
export interface RobotSpools {
  spools: Spool[];
  turn: number; // in which one of them was last taken to be stored
}

/** A frame whose records are in a batch. */
export interface BatchedFrame {
  seqs: readonly number[]; // ascending
  passedSeq: number; // highest that was added before it
  done: (outcome: LogOutcome) => void;
}

/** Records of one spool that are stored together. */
export interface Batch {
  number: number; // in the order in which batches began
  spool: Spool;
  seqs: number[];
  lines: KeptLine[];
  length: number; // of the lines
  frames: BatchedFrame[];
  isUrgent: boolean; // of a followed robot: stored without waiting for the second to pass
  isDecided: boolean;
  ignoresQuota: boolean; // a gap record that stands for refused records
}

/** A chunk of this length is closed, and stored without waiting for the second to pass. */
export const chunkLength = 65_536;

export const storedOutcome = ({ spool, ignoresQuota }: Batch, isRefused = ignoresQuota): LogOutcome => ({
  kind: 'stored',
  spool: spool.name,
  seq: spool.storedSeq ?? 0,
  ...(isRefused && { isRefused }),
});

/**
 * The records of a frame that were skipped. Records that this link stored in an attempt without a response do not
 * count: they were only sent again.
 */
export function skippedOf({ seqs, passedSeq }: BatchedFrame, { foundSeq = 0 }: Spool): Skipped | undefined {
  const beforeSeq = Math.max(passedSeq, foundSeq);
  if ((seqs[0] ?? 0) > beforeSeq) return undefined;
  const skipped = seqs.filter((seq) => seq <= beforeSeq);
  const [fromSeq, toSeq] = [skipped[0], skipped.at(-1)];
  return fromSeq === undefined || toSeq === undefined ? undefined : { fromSeq, toSeq, records: skipped.length };
}

/** The gap record takes the place of the records that it stands for. */
export function replaceByGap(batch: Batch, gap: KeptLine): void {
  batch.seqs = batch.seqs.slice(-1);
  batch.lines = [gap];
  batch.ignoresQuota = true;
}

/** Puts a gap record before the first record, with its number: both are stored, or sent again. */
export function prependGap({ seqs, lines }: Batch, gap: KeptLine): void {
  seqs.unshift(seqs[0] ?? 0);
  lines.unshift(gap);
}

/** Removes what is stored already. Returns whether nothing is left. */
export function dropStored({ seqs, lines }: Batch, storedSeq: number): boolean {
  if ((seqs[0] ?? 0) > storedSeq) return false;
  const first = seqs.findIndex((seq) => seq > storedSeq);
  const count = first === -1 ? seqs.length : first;
  seqs.splice(0, count);
  lines.splice(0, count);
  return seqs.length === 0;
}

export const deliveryOf = ({ spool: { link, name }, seqs, lines, ignoresQuota }: Batch): Delivery => ({
  orgId: link.orgId,
  robotId: link.robotId,
  epoch: link.epoch,
  spool: name,
  fromSeq: seqs[0] ?? 0,
  toSeq: seqs.at(-1) ?? 0,
  lines,
  ignoresQuota,
});
