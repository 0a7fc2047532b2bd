import { createHash } from 'node:crypto';
import type { AuditEntry } from '../../api/api.ts';

/** A place in the log: the entry with this number, and its hash. A kept copy proves later what was in front of it. */
export interface Head {
  seq: number;
  /** 64 hexadecimal digits, in lower case. */
  hash: string;
}

/** JSON that can be written in one way only (RFC 8785): members in the order of the UTF-16 units of their names, and no blanks. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
}

/** What the first entry of an org's log follows. */
export const startOf = (orgId: string): string => createHash('sha256').update(orgId).digest('hex');

/** The hash that `entry`, without a hash of its own, has behind the one with the hash `previous`. */
export const hashAfter = (previous: string, entry: object): string =>
  createHash('sha256').update(Buffer.from(previous, 'hex')).update(canonicalJson(entry)).digest('hex');

/** Why the log is not what was sealed, in words that name the first entry that does not fit. */
export type Fault = string;

/** Goes along a log from entry to entry, behind `head`. */
export function chainFrom(head: Head) {
  let { seq, hash } = head;
  return {
    /** The last entry that fits. */
    get head(): Head {
      return { seq, hash };
    },

    /** Takes the next entry, all of whose fields count, those among them that this client does not know. Gives a fault for one that does not fit. */
    take({ hash: sealed, ...entry }: AuditEntry): Fault | undefined {
      if (entry.seq > seq + 1) return `entry ${seq + 1} is missing: behind ${seq} comes ${entry.seq}`;
      if (entry.seq !== seq + 1) return `entry ${entry.seq} comes behind entry ${seq}`;
      if (sealed === undefined)
        return `entry ${entry.seq} has no hash yet: the service is giving them to entries of an earlier release; try again later`;
      const computed = hashAfter(hash, entry);
      if (computed !== sealed)
        return `entry ${entry.seq} does not fit its hash: it was changed or put in since, or the one before it was`;
      [seq, hash] = [entry.seq, computed];
      return undefined;
    },
  };
}
