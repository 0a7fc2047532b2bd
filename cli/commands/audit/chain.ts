import { createHash } from 'node:crypto';
import type { AuditEntry } from '../../api/api.ts';

/** A position in the log: an entry's number and its hash. A stored copy later proves what preceded it. */
export interface Head {
  seq: number;
  /** 64 lower-case hexadecimal digits. */
  hash: string;
}

/** Canonical JSON (RFC 8785): members ordered by the UTF-16 code units of their names, no whitespace. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
}

/** The hash before the first entry of an org's log. */
export const startOf = (orgId: string): string => createHash('sha256').update(orgId).digest('hex');

/** The hash of `entry`, without its own hash, after the entry with the hash `previous`. */
export const hashAfter = (previous: string, entry: object): string =>
  createHash('sha256').update(Buffer.from(previous, 'hex')).update(canonicalJson(entry)).digest('hex');

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
    take({ hash: sealed, ...entry }: AuditEntry): Fault | undefined {
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
