import type { Api, AuditAnchor, AuditEntry } from '../../api/api.ts';
import { broken, unverifiable } from './broken.ts';
import { chainFrom, startOf, type Head } from './chain.ts';

/** Entries per request; the API's maximum. */
const pageEntries = 1_000;

export interface VerifiedLog {
  entries: number;
  /** The first entry that was verified. */
  first: number;
  head: Head;
  /** Where the log begins, if its oldest entries were exported and deleted. */
  anchor: AuditAnchor | undefined;
}

/** A head that somebody kept. The log must have it, or begin after it. */
interface KnownHead extends Head {
  source: '--from' | 'the exported files';
}

interface Wanted {
  known: readonly KnownHead[];
  /** Read from this head on; undefined: from the beginning. */
  from: Head | undefined;
  onProgress: (entries: number) => void;
}

/**
 * Verifies the log that the service has. Where the log begins after exported entries, one of its own entries must record that:
 * otherwise entries were removed.
 * @throws CliError
 */
export async function verifyLog(api: Api, { known, from, onProgress }: Wanted): Promise<VerifiedLog> {
  // The head's entry is verified too, which needs the entry before it; the head vouches for both.
  let after = from === undefined ? 0 : Math.max(from.seq - 2, 0);
  let chain: ReturnType<typeof chainFrom> | undefined;
  let unproven: AuditAnchor | undefined;
  let anchor: AuditAnchor | undefined;
  let entries = 0;
  const begin = (at: AuditAnchor) => {
    for (const head of known) refuseOlder(head, at);
    [unproven, entries] = [at, 0];
    return chainFrom(at);
  };
  for (
    let [items, isFirst]: [AuditEntry[], boolean] = [[], true];
    isFirst || hasMore(items, unproven);
    isFirst = false
  ) {
    const reply = await api.get('/api/audit', { query: { after, limit: pageEntries } });
    ({ items, anchor } = reply.body);
    for (const entry of items) {
      // A trim that takes effect after the service has read the page leaves entries from before the anchor in it.
      const begins = anchor && entry.seq > anchor.seq ? anchor : undefined;
      if (!chain && after > (begins?.seq ?? 0)) {
        chain = chainFrom(trusted(entry, after + 1));
        continue;
      }
      chain ??= begins ? begin(begins) : chainFrom({ seq: 0, hash: startOf(reply.orgId ?? '') });
      // The log may be trimmed while it is read.
      if (anchor && entry.seq === anchor.seq + 1 && entry.seq > chain.head.seq + 1) chain = begin(anchor);
      const fault = chain.take(entry);
      if (fault !== undefined) throw broken(fault);
      entries += 1;
      if (unproven && records(entry, unproven)) unproven = undefined;
      for (const head of known) refuseOther(head, chain.head);
    }
    after = items.at(-1)?.seq ?? after;
    onProgress(entries);
  }
  if (unproven) throw broken(`entries up to ${unproven.seq} are missing, and no entry records their export`);
  const last = Math.max(...known.map(({ seq }) => seq), 1);
  if (!chain || chain.head.seq < last)
    throw broken(
      known.length > 0
        ? `entry ${last} is missing: the log ends before it`
        : 'the log is empty, and each begins with an entry of its org',
    );
  return { entries, first: chain.head.seq - entries + 1, head: chain.head, anchor };
}

/** The entry about the beginning of the log is sealed before the service returns the anchor, so it is found by the next request at the latest. */
const hasMore = (items: readonly AuditEntry[], unproven: AuditAnchor | undefined): boolean =>
  items.length === pageEntries || (unproven !== undefined && items.length > 0);

const recorded = ['seq', 'hash', 'exported_at', 'file_sha256'] as const;

const records = ({ operation, after }: AuditEntry, anchor: AuditAnchor): boolean =>
  operation === 'trimAudit' && recorded.every((name) => after?.[name] === anchor[name]);

/** The entry before the head; its own predecessor is not checked. */
function trusted({ seq, hash }: AuditEntry, expected: number): Head {
  if (seq !== expected || hash === undefined) throw broken(`entry ${expected} is missing`);
  return { seq, hash };
}

function refuseOther({ source, ...head }: KnownHead, found: Head): void {
  if (head.seq === found.seq && head.hash !== found.hash)
    throw broken(
      `entry ${head.seq} is not the one of ${source}: it, or one before it, was changed, and all hashes since were computed again`,
    );
}

function refuseOlder(head: KnownHead, anchor: AuditAnchor): void {
  refuseOther(head, anchor);
  if (head.seq >= anchor.seq) return;
  throw unverifiable(
    `the log begins at entry ${anchor.seq + 1}, after entry ${head.seq} of ${head.source}: older entries were exported on ${anchor.exported_at} and deleted`,
    'Verify the exported files with it: cli audit verify --files <folder>',
  );
}
