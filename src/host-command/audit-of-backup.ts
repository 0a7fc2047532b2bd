import { join } from 'node:path';
import { chainHash, chainStart, entryColumns } from '../audit/service.ts';
import { readLines } from '../platform/db/copy/files.ts';
import { BackupError, tableFile, type Manifest } from '../platform/db/copy/manifest.ts';

interface Head {
  orgId: string;
  seq: number;
  hash: Buffer;
  /** Where the log began, until an entry about it was found. */
  unproven?: Anchor | undefined;
}

/** The last entry of an org that was exported and deleted. */
interface Anchor {
  seq: number;
  hash: string; // in hex
  exportedAt: string;
  fileSha256: string;
}

interface VerifiedAudit {
  orgs: number;
  entries: number;
  /** Orgs whose oldest entries were exported and deleted, and the time of the last export. */
  trimmed: number;
  lastExportAt: string;
}

/** What is looked at here; all fields are verified. */
interface Entry {
  operation?: string;
  after?: { seq?: number; hash?: string; exported_at?: string; file_sha256?: string };
}

const json = new Set(['before', 'after']);

/**
 * Verifies the audit chain of each org in a backup: every entry against its hash, and the numbers. Entries that the
 * service had not sealed at that moment come last, without a number. A log whose oldest entries were exported begins after
 * them, and one of its entries says so. Undefined for format 1, whose rows have no order.
 * @throws BackupError naming the first entry that does not match
 */
export async function verifyAuditOf(folder: string, { format, tables }: Manifest): Promise<VerifiedAudit | undefined> {
  const table = tables.find(({ name }) => name === 'audit');
  if (format === 1 || !table) return undefined;
  const anchors = await anchorsOf(folder, tables);
  const exports = [...anchors.values()].map(({ exportedAt }) => exportedAt).sort();
  const found = { orgs: 0, entries: 0, trimmed: anchors.size, lastExportAt: exports.at(-1) ?? '' };
  let head: Head | undefined;
  for await (const line of readLines(join(folder, tableFile('audit')))) {
    const row = rowOf(line, table.columns);
    const orgId = row.get('org_id') ?? '';
    if (head?.orgId !== orgId) {
      refuseUnproven(head);
      head = startOf(orgId, anchors.get(orgId));
      anchors.delete(orgId);
      found.orgs += 1;
    }
    const hash = row.get('hash');
    // A trim that was interrupted leaves entries from before the anchor.
    if (hash === undefined || Number(row.get('seq')) <= (head.unproven?.seq ?? 0)) continue;
    head = next(head, row, hash.replace(/^\\x/, ''));
    found.entries += 1;
  }
  refuseUnproven(head);
  for (const orgId of anchors.keys()) throw brokenLog(orgId, 'all its entries are missing');
  return found;
}

/** By org; empty for a backup of a release that trims no log. */
async function anchorsOf(folder: string, tables: Manifest['tables']): Promise<Map<string, Anchor>> {
  const anchors = new Map<string, Anchor>();
  const table = tables.find(({ name }) => name === 'audit_trims');
  if (!table) return anchors;
  for await (const line of readLines(join(folder, tableFile('audit_trims')))) {
    const row = rowOf(line, table.columns);
    const [orgId = '', seq] = [row.get('org_id'), Number(row.get('seq'))];
    if (!row.has('effective_at') || seq <= (anchors.get(orgId)?.seq ?? 0)) continue;
    const [hash = '', fileSha256 = ''] = ['hash', 'file_sha256'].map((each) => row.get(each)?.replace(/^\\x/, ''));
    anchors.set(orgId, { seq, hash, exportedAt: instant(row.get('exported_at') ?? ''), fileSha256 });
  }
  return anchors;
}

const startOf = (orgId: string, anchor: Anchor | undefined): Head =>
  anchor
    ? { orgId, seq: anchor.seq, hash: Buffer.from(anchor.hash, 'hex'), unproven: anchor }
    : { orgId, seq: 0, hash: chainStart(orgId) };

const brokenLog = (orgId: string, reason: string) =>
  new BackupError(`the audit log of org ${orgId} is broken: ${reason}`);

function refuseUnproven(head: Head | undefined): void {
  if (head?.unproven)
    throw brokenLog(head.orgId, `entries up to ${head.unproven.seq} are missing, and no entry records their export`);
}

function next({ orgId, seq, hash, unproven }: Head, row: ReadonlyMap<string, string>, sealed: string): Head {
  const number = Number(row.get('seq'));
  if (number !== seq + 1) throw brokenLog(orgId, `after entry ${seq} follows ${number}`);
  const entry = entryOf(row);
  const computed = chainHash(hash, entry);
  if (computed.toString('hex') !== sealed) throw brokenLog(orgId, `entry ${number} does not match its hash`);
  return { orgId, seq: number, hash: computed, unproven: unproven && !records(entry, unproven) ? unproven : undefined };
}

const records = ({ operation, after }: Entry, { seq, hash, exportedAt, fileSha256 }: Anchor): boolean =>
  operation === 'trimAudit' &&
  after?.seq === seq &&
  after.hash === hash &&
  after.exported_at === exportedAt &&
  after.file_sha256 === fileSha256;

/** As the API sends it. */
function entryOf(row: ReadonlyMap<string, string>): Entry {
  const entry: Record<string, unknown> = {};
  for (const column of entryColumns) {
    const text = row.get(column);
    if (text === undefined) continue;
    if (column === 'seq') entry[column] = Number(text);
    else if (column === 'at') entry[column] = instant(text);
    else entry[column] = json.has(column) ? (JSON.parse(text) as unknown) : text;
  }
  return entry;
}

/** `2026-11-21 09:00:00.12+00` as `2026-11-21T09:00:00.120Z`. */
const instant = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`;

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A line of text COPY; null columns are left out. */
function rowOf(line: string, columns: readonly string[]): Map<string, string> {
  const row = new Map<string, string>();
  line.split('\t').forEach((field, index) => {
    const column = columns[index];
    if (column === undefined || field === '\\N') return;
    row.set(
      column,
      field.replace(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign),
    );
  });
  return row;
}
