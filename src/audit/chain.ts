import { createHash } from 'node:crypto';
import { canonicalJson } from '../kernel/canonical-json.ts';

/** The predecessor of an org's first entry, so that the log of one org cannot pass for that of another. 32 bytes. */
export const chainStart = (orgId: string): Buffer => createHash('sha256').update(orgId).digest();

/** The hash of an entry that follows the entry with the hash `previous`. `text`: the canonical entry. */
export const chainHashOfText = (previous: Buffer, text: string): Buffer =>
  createHash('sha256').update(previous).update(text).digest();

/** The hash of an entry (`GET /api/audit`, without its `hash`) that follows the entry with the hash `previous`. */
export const chainHash = (previous: Buffer, entry: object): Buffer => chainHashOfText(previous, canonicalJson(entry));
