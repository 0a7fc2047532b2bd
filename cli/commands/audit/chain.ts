import { hash as hashOf } from 'node:crypto';
import type { AuditEntry } from '../../api/api.ts';
import { canonicalJson } from './canonical-json.ts';

/** A position in the log: an entry's number and its hash. A stored copy later proves what preceded it. */
export interface Head {
  seq: number;
  /** 64 lower-case hexadecimal digits. */
  hash: string;
}

/** The hash before the first entry of an org's log. */
export const startOf = (orgId: string): string => hashOf('sha256', orgId);

const hashBytes = 32;
let room = Buffer.allocUnsafe(16_384);

/** The hash of `entry`, without its own hash, after the entry with the hash `previous`. */
export const hashAfter = (previous: string, entry: object): string =>
  hashAfterText(previous, canonicalJson(entry, 'hash'));

/** The hash of an entry in canonical form. */
export function hashAfterText(previous: string, text: string): string {
  const mostBytes = hashBytes + 3 * text.length;
  if (mostBytes > room.length) room = Buffer.allocUnsafe(mostBytes);
  room.write(previous, 'hex');
  return hashOf('sha256', room.subarray(0, hashBytes + room.write(text, hashBytes)));
}

/** Why the log differs from the sealed one; names the first entry that does not match. */
export type Fault = string;

/** Verifies a log entry by entry, from after `head`. */
export function chainFrom(head: Head) {
  let { seq, hash } = head;
  return {
    /** The last valid entry. */
    get head(): Head {
      return { seq, hash };
    },

    /**
     * Verifies the next entry. All its fields count, also those unknown to this client. Returns a fault if the entry
     * does not match.
     */
    take(entry: AuditEntry): Fault | undefined {
      const { hash: sealed } = entry;
      if (entry.seq > seq + 1) return `entry ${seq + 1} is missing: after ${seq} follows ${entry.seq}`;
      if (entry.seq !== seq + 1) return `entry ${entry.seq} follows entry ${seq}`;
      if (sealed === undefined)
        return `entry ${entry.seq} has no hash yet: the service is computing them for entries of an earlier release; try again later`;
      const computed = hashAfter(hash, entry);
      if (computed !== sealed)
        return `entry ${entry.seq} does not fit its hash: it was changed or put in since, or the one before it was`;
      [seq, hash] = [entry.seq, computed];
      return undefined;
    },
  };
}
