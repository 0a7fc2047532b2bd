import { apiOf } from '../api/api.ts';
import { usage } from '../command-line/errors.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { renderObject } from '../output/render.ts';
import { statusLine } from '../output/status-line.ts';
import { answeredFieldsHelp, isForPeople, isPlain, type View } from '../output/view.ts';
import type { Head } from './audit/chain.ts';
import { findExports, verifyExports } from './audit/exported-files.ts';
import { verifyLog, type VerifiedLog } from './audit/live-log.ts';

/** The result. Pass `head` to the next call as `--from`. */
interface Verified extends Head {
  entries: number;
  first: number;
  head: string;
}

const view: View<Verified> = {
  columns: [
    { field: 'entries', shown: 'table' },
    { field: 'first', shown: 'asked' },
    { field: 'seq', shown: 'asked' },
    { field: 'hash', shown: 'asked' },
    { field: 'head', shown: 'table', whole: true },
  ],
  name: ({ head }) => head,
};

/** Reads the log from its beginning, or from a stored head, and checks each entry against its hash. */
export async function verifyAudit(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const from = headOf(call.flags.text('from'));
  const folder = call.flags.text('files');
  if (folder === undefined && call.flags.on('offline')) throw usage('--offline needs --files');
  const progress = statusLine(call);
  const onProgress = (done: number) => progress.show(`${done.toLocaleString('en-US')} entries fit`);
  const verified = await (
    folder === undefined
      ? verifyLog(await apiOf(call), { from, known: keptHead(from), onProgress })
      : verifyFiles(call, folder, { from, onProgress })
  ).finally(() => progress.clear());
  await print(call, verified);
  if (folder !== undefined && verified.first > 1)
    call.io.note(`Entries 1 to ${verified.first - 1} were not verified: no file has them.`);
}

/** The exported files, and then the log of the service, unless `--offline`. */
async function verifyFiles(
  call: Invocation,
  folder: string,
  { from, onProgress }: { from: Head | undefined; onProgress: (entries: number) => void },
): Promise<VerifiedLog> {
  const files = await findExports(folder);
  const isOffline = call.flags.on('offline');
  const api = isOffline ? undefined : await apiOf(call);
  const orgId = api
    ? ((await api.get('/api/audit', { query: { limit: 1 } })).orgId ?? '')
    : onlyOrg([...new Set(files.map((file) => file.org_id))], call.flags.text('org'));
  const exported = await verifyExports(files, orgId, { known: from, onProgress });
  const { first, head } = exported;
  if (!api) {
    if (from && from.seq > head.seq) throw usage(`--from: the files end at entry ${head.seq}`);
    return { entries: head.seq - first + 1, first, head, anchor: undefined };
  }
  const known = [{ ...head, source: 'the exported files' as const }, ...keptHead(from)];
  const log = await verifyLog(api, {
    from: undefined,
    onProgress,
    known: known.filter(({ seq }) => seq >= head.seq), // an older one was found in the files
  });
  return { entries: log.head.seq - first + 1, first, head: log.head, anchor: undefined };
}

const keptHead = (from: Head | undefined) => (from ? [{ ...from, source: '--from' as const }] : []);

function onlyOrg(found: readonly string[], chosen: string | undefined): string {
  if (chosen !== undefined) return chosen;
  const [only = '', other] = found;
  if (other !== undefined)
    throw usage(`the files are of ${found.length} orgs`, `Choose one with --org <id>: ${found.join(', ')}`);
  return only;
}

async function print(call: Invocation, { entries, first, head, anchor }: VerifiedLog): Promise<void> {
  const found: Verified = { entries, first, ...head, head: `${head.seq}:${head.hash}` };
  if (isPlain(call)) call.io.out.write(`${found.head}\n`);
  else {
    const body = { data: found };
    await renderObject(call, { raw: Buffer.from(JSON.stringify(body)), body }, found, view);
  }
  if (anchor && first === anchor.seq + 1)
    call.io.note(
      `Verified entries ${first} to ${head.seq}; the log says that entries before ${first} were exported on ${anchor.exported_at} and deleted. Verify their files with --files <folder>.`,
    );
  if (!isPlain(call) && !isForPeople(call)) return;
  const fits =
    entries === 1 ? '1 entry fits its hash.' : `${entries.toLocaleString('en-US')} entries fit their hashes.`;
  call.io.aside(
    `${call.io.err.paint(fits, 'good')}\n` +
      `Keep this head where the service cannot reach it. Next time: cli audit verify --from ${head.seq}:${head.hash.slice(0, 8)}…`,
  );
}

function headOf(text: string | undefined): Head | undefined {
  if (text === undefined) return undefined;
  const [, seq, hash = ''] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || Number(seq) > Number.MAX_SAFE_INTEGER)
    throw usage(
      `--from: "${text}" is not the head of an audit log`,
      'Use what an earlier cli audit verify printed: <seq>:<64 hexadecimal digits>',
    );
  return { seq: Number(seq), hash };
}
