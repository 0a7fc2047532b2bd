import { apiOf, type Api, type AuditEntry } from '../api/api.ts';
import { chainFrom, startOf, type Fault, type Head } from './audit/chain.ts';
import { CliError, usage } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { renderObject } from '../output/render.ts';
import { statusLine } from '../output/status-line.ts';
import { answeredFieldsHelp, isForPeople, isPlain, type View } from '../output/view.ts';
import type { Invocation } from '../command-line/command-spec.ts';

/** Entries per request; the API's maximum. */
const pageEntries = 1_000;

/** The result. Pass `head` to the next call as `--from`. */
interface Verified extends Head {
  entries: number;
  head: string;
}

const view: View<Verified> = {
  columns: [
    { field: 'entries', shown: 'table' },
    { field: 'seq', shown: 'asked' },
    { field: 'hash', shown: 'asked' },
    { field: 'head', shown: 'table', whole: true },
  ],
  name: ({ head }) => head,
};

/** Reads the log from its beginning, or from a stored head, and checks each entry against its hash. */
export async function verifyAudit(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const kept = headOf(call.flags.text('from'));
  const api = await apiOf(call);
  const progress = statusLine(call);
  const { entries, head } = await verify(api, kept, (done) =>
    progress.show(`${done.toLocaleString('en-US')} entries fit`),
  ).finally(() => progress.clear());
  const found: Verified = { entries, ...head, head: `${head.seq}:${head.hash}` };
  if (!isPlain(call)) {
    const body = { data: found };
    await renderObject(call, { raw: Buffer.from(JSON.stringify(body)), body }, found, view);
    if (!isForPeople(call)) return;
  } else call.io.out.write(`${found.head}\n`);
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

async function verify(api: Api, kept: Head | undefined, onProgress: (entries: number) => void) {
  // The head's entry is verified too, which needs the entry before it; the head vouches for both.
  let after = kept === undefined ? 0 : Math.max(kept.seq - 2, 0);
  let chain: ReturnType<typeof chainFrom> | undefined;
  let entries = 0;
  for (let items: AuditEntry[] = [], isFirst = true; isFirst || items.length === pageEntries; isFirst = false) {
    const reply = await api.get('/api/audit', { query: { after, limit: pageEntries } });
    items = reply.body.items;
    for (const entry of items) {
      if (!chain) {
        chain = chainFrom(after === 0 ? { seq: 0, hash: startOf(reply.orgId ?? '') } : trusted(entry, after + 1));
        if (after > 0) continue;
      }
      refuse(chain.take(entry));
      entries += 1;
      if (kept?.seq === entry.seq && kept.hash !== chain.head.hash)
        refuse(
          `entry ${entry.seq} is not the one of --from: it, or one before it, was changed, and all hashes since were computed again`,
        );
    }
    after = items.at(-1)?.seq ?? after;
    onProgress(entries);
  }
  if (!chain || chain.head.seq < (kept?.seq ?? 1))
    throw broken(
      kept
        ? `entry ${kept.seq} is missing: the log ends before it`
        : 'the log is empty, and each begins with an entry of its org',
    );
  return { entries, head: chain.head };
}

/** The entry before the head; its own predecessor is not checked. */
function trusted({ seq, hash }: AuditEntry, expected: number): Head {
  if (seq !== expected || hash === undefined) throw broken(`entry ${expected} is missing`);
  return { seq, hash };
}

function refuse(fault: Fault | undefined): void {
  if (fault !== undefined) throw broken(fault);
}

const broken = (fault: Fault) =>
  new CliError(`the audit log is not intact: ${fault}`, {
    code: 'conflict',
    exit: exitCode.error,
    hint: 'List the entries around it with: cli audit list --after <seq>',
  });
