import { apiOf, type Api, type LogRecord, type LogRedactionTestReport, type Reply } from '../api/api.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { usage } from '../command-line/errors.ts';
import { rangeOf } from '../command-line/time-range.ts';
import { readAll } from '../command-line/io.ts';
import { writeRaw } from '../output/render.ts';
import { answeredFieldsHelp, formatOf, isForPeople, needsNames, type View } from '../output/view.ts';
import { printLocalList } from './lists.ts';
import { maxPageRecords } from './logs/logs-flags.ts';
import { scopeOf } from './logs/logs-scope.ts';
import { nameLookup, noNames, type Names } from './name-lookup.ts';

/** A message that the rule would change. A line of `--text` has only its texts. */
interface ChangedMessage extends Partial<Pick<LogRecord, 'ts' | 'received_at' | 'robot_id' | 'seq'>> {
  before: string;
  after: string;
  builtin_rule?: string;
}

type Tested = Pick<LogRecord, 'message'> & Partial<LogRecord>;

const usualRecords = 500;
/** The service's limits of one request. */
const maxMessages = 1_000;
const maxBytes = 262_144;

/** `robots`: names by ID; undefined for lines of `--text`. */
const view = (robots?: Names): View<ChangedMessage> => {
  const shown = robots ? 'table' : 'asked';
  return {
    columns: [
      { field: 'ts', header: 'TIME', shown, whole: true, text: (row) => row.ts ?? row.received_at ?? '' },
      {
        field: 'robot_id',
        header: 'ROBOT',
        shown,
        whole: true,
        text: ({ robot_id: id = '' }) => robots?.get(id) ?? id,
      },
      { field: 'before', shown: 'table', whole: true },
      { field: 'after', shown: 'table', whole: true },
      { field: 'builtin_rule', header: 'BUILT-IN', shown: 'wide' },
      { field: 'seq', shown: 'asked' },
      { field: 'received_at', shown: 'asked' },
    ],
    name: ({ before }) => before,
  };
};

/** Prints what a log redaction rule with this pattern would change in stored log records, or in lines of `--text`. */
export async function testRedaction(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view(noNames))) return;
  const isOfTexts = call.flags.isGiven('text');
  if (isOfTexts) refuseRecordFlags(call);
  const texts = isOfTexts ? await textsOf(call) : [];
  const api = await apiOf(call);
  const tested: Tested[] = isOfTexts ? texts.map((message) => ({ message })) : await recordsOf(call, api);
  const { raw, body } = await testAll(call, api, tested);
  const changed = changedOf(tested, body.data);
  if (formatOf(call) === 'raw') writeRaw(call, raw);
  else await printChanged(call, api, changed, isOfTexts);
  if (tested.length === 0) call.io.note(nothingTested(call));
  else if (isForPeople(call))
    call.io.aside(`${changed.length} of ${tested.length} ${isOfTexts ? 'lines' : 'records'} would change.`);
}

async function printChanged(call: Invocation, api: Api, changed: ChangedMessage[], isOfTexts: boolean): Promise<void> {
  if (isOfTexts) return printLocalList(call, changed, view());
  const names = nameLookup(api);
  if (needsNames(call, view(names))) await names.load(changed.map(({ robot_id: id }) => ['robots', id]));
  await printLocalList(call, changed, view(names));
}

function refuseRecordFlags({ flags }: Invocation): void {
  const other = ['robot', 'fleet', 'site', 'since', 'until', 'limit'].find((name) => flags.isGiven(name));
  if (other !== undefined) throw usage(`--text and --${other} exclude each other`, 'Test lines, or stored records');
}

async function textsOf({ flags, io }: Invocation): Promise<string[]> {
  const texts: string[] = [];
  for (const text of flags.texts('text'))
    if (text === '-') texts.push(...linesOf((await readAll(io.input)).toString('utf8')));
    else texts.push(text);
  if (texts.length === 0)
    throw usage('stdin has no line', 'Example: echo "opened with 1234" | cli redactions test "[0-9]{4}" --text -');
  return texts;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));

/** The newest stored records, the newest first. */
async function recordsOf(call: Invocation, api: Api): Promise<LogRecord[]> {
  const wanted = call.flags.integer('limit') ?? usualRecords;
  const query = { ...rangeOf(call.flags), ...(await scopeOf(call, api)) };
  const records: LogRecord[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(wanted - records.length, maxPageRecords);
    const { body } = await api.get('/api/logs', { query: { ...query, limit, cursor } });
    records.push(...body.items);
    cursor = body.next_cursor;
  } while (cursor !== undefined && records.length < wanted);
  return records;
}

/**
 * One request for as many messages as it may have. Several responses become one of the same form. Without messages, the
 * pattern is checked all the same.
 */
async function testAll(
  { args, flags }: Invocation,
  api: Api,
  tested: readonly Tested[],
): Promise<Pick<Reply<{ data: LogRedactionTestReport }>, 'raw' | 'body'>> {
  const [pattern = ''] = args;
  const replacement = flags.text('replacement');
  const test = (messages: string[]) =>
    api.post('/api/log-redactions/test', {
      body: { pattern, messages, ...(replacement !== undefined && { replacement }) },
    });
  if (tested.length === 0) await test(['']);
  const replies = [];
  for (const messages of batchesOf(tested.map(({ message }) => message))) replies.push(await test(messages));
  const [only] = replies;
  if (only && replies.length === 1) return only;
  const reports = replies.map(({ body }) => body.data);
  const body = {
    data: {
      matched: reports.reduce((sum, { matched }) => sum + matched, 0),
      results: reports.flatMap(({ results }) => results),
    },
  };
  return { raw: Buffer.from(JSON.stringify(body)), body };
}

function batchesOf(messages: readonly string[]): string[][] {
  const batches: string[][] = [];
  let last: string[] = [];
  let room = 0;
  for (const message of messages) {
    const bytes = Buffer.byteLength(message);
    if (bytes > room || last.length === maxMessages) {
      batches.push((last = []));
      room = maxBytes;
    }
    last.push(message);
    room -= bytes;
  }
  return batches;
}

const changedOf = (tested: readonly Tested[], { results }: LogRedactionTestReport): ChangedMessage[] =>
  tested.flatMap(({ ts, received_at, robot_id, seq, message: before }, index) => {
    const result = results[index];
    if (!result?.matched) return [];
    const { message: after, builtin_rule } = result;
    const record = Object.entries({ ts, robot_id, before, after, builtin_rule, seq, received_at });
    return [Object.fromEntries(record.filter(([, value]) => value !== undefined)) as unknown as ChangedMessage];
  });

const nothingTested = ({ flags }: Invocation): string =>
  ['robot', 'fleet', 'site', 'since', 'until'].some((name) => flags.isGiven(name))
    ? 'Nothing was tested: no stored log record matches these filters.'
    : 'Nothing was tested: the org has no log records. Test a line with: cli redactions test <pattern> --text <line>';
