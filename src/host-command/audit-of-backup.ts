import { join } from 'node:path';
import { chainHash, chainStart, entryColumns } from '../audit/service.ts';
import { readLines } from '../platform/db/copy/files.ts';
import { BackupError, tableFile, type Manifest } from '../platform/db/copy/manifest.ts';

interface Head {
  orgId: string;
  seq: number;
  hash: Buffer;
}

const json = new Set(['before', 'after']);

/**
 * Verifies the audit chain of each org in a backup: every entry against its hash, and the numbers. Entries that the
 * service had not sealed at that moment come last, without a number. Undefined for format 1, whose rows have no order.
 * @throws BackupError naming the first entry that does not match
 */
export async function verifyAuditOf(
  folder: string,
  { format, tables }: Manifest,
): Promise<{ orgs: number; entries: number } | undefined> {
  const table = tables.find(({ name }) => name === 'audit');
  if (format === 1 || !table) return undefined;
  const found = { orgs: 0, entries: 0 };
  let head: Head | undefined;
  for await (const line of readLines(join(folder, tableFile('audit')))) {
    const row = rowOf(line, table.columns);
    const orgId = row.get('org_id') ?? '';
    if (head?.orgId !== orgId) {
      head = { orgId, seq: 0, hash: chainStart(orgId) };
      found.orgs += 1;
    }
    const hash = row.get('hash');
    if (hash === undefined) continue;
    head = next(head, row, hash.replace(/^\\x/, ''));
    found.entries += 1;
  }
  return found;
}

function next({ orgId, seq, hash }: Head, row: ReadonlyMap<string, string>, sealed: string): Head {
  const broken = (reason: string) => new BackupError(`the audit log of org ${orgId} is broken: ${reason}`);
  const number = Number(row.get('seq'));
  if (number !== seq + 1) throw broken(`after entry ${seq} follows ${number}`);
  const computed = chainHash(hash, entryOf(row));
  if (computed.toString('hex') !== sealed) throw broken(`entry ${number} does not match its hash`);
  return { orgId, seq: number, hash: computed };
}

/** As the API sends it. */
function entryOf(row: ReadonlyMap<string, string>): object {
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
