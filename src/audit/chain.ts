import { createHash } from 'node:crypto';
import { canonicalJson } from '../kernel/canonical-json.ts';

/** The predecessor of an org's first entry, so that the log of one org cannot pass for that of another. 32 bytes. */
export const chainStart = (orgId: string): Buffer => createHash('sha256').update(orgId).digest();

/** The hash of an entry (`GET /api/audit`, without its `hash`) that follows the entry with the hash `previous`. */
export const chainHash = (previous: Buffer, entry: object): Buffer =>
  createHash('sha256').update(previous).update(canonicalJson(entry)).digest();
