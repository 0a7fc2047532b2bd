import { createHash } from 'node:crypto';

/**
 * JSON that can be written in one way only, as RFC 8785 has it: members in the order of the UTF-16 units of their names, no blanks, texts and
 * numbers as JavaScript writes them. Takes what `JSON.parse` gives.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
}

/** What the first entry of an org follows: so the log of one org cannot pass for that of another. 32 bytes. */
export const chainStart = (orgId: string): Buffer => createHash('sha256').update(orgId).digest();

/** The hash of an entry, as `GET /api/audit` gives it but without its `hash`, that follows the entry with the hash `previous`. */
export const chainHash = (previous: Buffer, entry: object): Buffer =>
  createHash('sha256').update(previous).update(canonicalJson(entry)).digest();
