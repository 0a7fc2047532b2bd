import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFrame } from '../../src/agent-links/frames.ts';
import { scanLogs } from '../../src/logs/frame-scanner.ts';
import { levels } from '../../src/logs/model.ts';
import { builtinRedactor } from '../../src/log-redactions/service.ts';
import { keepFrame, toLine, type KeptFrame } from '../../src/logs/normalise.ts';
import { anyCharacter } from '../support/arbitraries.ts';

const redactor = builtinRedactor();
const stored = ({ spool, seqs, records }: KeptFrame) => ({
  spool,
  seqs,
  lines: records.map((record) => toLine(record, redactor)),
});

/** What parsing gives; undefined for what is refused, or is another frame. */
function parsed(text: string) {
  const read = readFrame(text);
  return read.kind === 'frame' && read.frame.type === 'logs' ? stored(keepFrame(read.frame)) : undefined;
}

/** Scans a text, and checks that the result is that of parsing. Returns whether the text had the common form. */
function isScanned(text: string): boolean {
  const scanned = scanLogs(text);
  if (scanned) expect(stored(scanned), text).toEqual(parsed(text));
  return scanned !== undefined;
}

const plain = { ts: '2026-11-21T09:00:00.000Z', level: 'info', source: 'journal', message: 'nav started' };

function frameOf(records: readonly object[]): string {
  const numbered = records.map((each, index) => ({ seq: index + 7, ...each }));
  return JSON.stringify({
    type: 'logs',
    spool: '1f0c7b1e2f574f3c9a535f4e9f6f1c11',
    from_seq: 7,
    to_seq: records.length + 6,
    records: numbered,
  });
}

test('frames as the agent writes them are scanned', () => {
  const common: object[] = [
    plain,
    { ...plain, level: 'fatal', source: 'file:/var/log/nav-é.log', message: '' },
    {
      ...plain,
      ts: '2027-12-31T23:59:59Z',
      message: 'a "quoted" C:\\path\n\t\u001b[31mred\u001b[0m \u007f é 🤖 \u2028',
    },
    { ...plain, message: 'x'.repeat(8_000), truncated: true },
    { ...plain, unit: 'nav.service', pid: 812, fields: { program: 'nav' } },
    { ...plain, node: '/nav', fields: {} },
    { ...plain, fields: { a: 'é "', b_2: 0, 'c.d-e': -12, f: 0.5, g: -3.25, h: true, i: null, j: false } },
    { ...plain, fields: { __proto: 1, constructor: 2, file: 'nav.cpp', file_: 3 } },
    { type: 'gap', ...plain, level: 'warn', dropped: 132, reason: 'rate_limit' },
    { ...plain, source: 's'.repeat(128), unit: 'u'.repeat(256), node: 'n'.repeat(256), reason: 'r'.repeat(64) },
  ];
  for (const record of common) expect(isScanned(frameOf([record])), JSON.stringify(record)).toBe(true);
  expect(isScanned(frameOf(common))).toBe(true);
  expect(isScanned(frameOf(Array.from({ length: 500 }, () => plain)))).toBe(true);
});

test('secrets are removed from what is scanned, as from what is parsed', () => {
  const token = 'svc_org_5afb9477d36dc9e2a2ef391d';
  for (const record of [
    { ...plain, message: `sent ${token}` },
    { ...plain, message: 'sent', fields: { token } },
  ]) {
    const text = frameOf([record]);
    expect(isScanned(text)).toBe(true);
    const [line] = parsed(text)?.lines ?? [];
    expect(line).toMatchObject({
      isRedacted: true,
      text: expect.stringContaining('[redacted: service-token]') as string,
    });
    expect(line?.text).not.toContain(token);
  }
});

test('what parsing would refuse, change, cut or leave out is not scanned', () => {
  const odd: object[] = [
    {},
    { ...plain, level: 'INFO' },
    { ...plain, level: undefined },
    { ...plain, ts: '2026-02-29T09:00:00Z' },
    { ...plain, ts: '2026-11-21 09:00:00Z' },
    { ...plain, source: '' },
    { ...plain, source: 's'.repeat(129) },
    { ...plain, unit: 'u'.repeat(257) },
    { ...plain, node: 'n'.repeat(257) },
    { ...plain, reason: 'r'.repeat(65) },
    { ...plain, message: 7 },
    { ...plain, message: 'é'.repeat(8_193) },
    { ...plain, message: 'a\0b' },
    { ...plain, message: 'a\ud800b' },
    { ...plain, truncated: false },
    { ...plain, pid: 1.5 },
    { ...plain, dropped: -1 },
    { ...plain, fields: { a: 'x'.repeat(8_192) } },
    { ...plain, fields: { a: [1] } },
    { ...plain, fields: { 1: 1 } },
    { ...plain, fields: { a: 1e21, b: 1e-7 } },
    { ...plain, type: 'other' },
    { ...plain, more: 1 },
    { message: 'nav started', ts: plain.ts, level: plain.level, source: plain.source },
  ];
  for (const record of odd) expect(isScanned(frameOf([plain, record])), JSON.stringify(record)).toBe(false);
  expect(isScanned(frameOf([]))).toBe(false);
  expect(isScanned(frameOf(Array.from({ length: 501 }, () => plain)))).toBe(false);
  expect(isScanned(frameOf([{ ...plain, seq: 2 ** 53 }]))).toBe(false);
  expect(isScanned(frameOf([plain, { ...plain, seq: 7 }, plain]))).toBe(false);
});

test('a text that is not exactly the common form is not scanned', () => {
  const text = frameOf([{ ...plain, fields: { a: 1, b: 'c' } }]);
  expect(isScanned(text)).toBe(true);
  const changes: [from: string, to: string][] = [
    ['{"type"', '\ufeff{"type"'],
    ['{"type"', ' {"type"'],
    ['"type":', '"type": '],
    ['"logs"', '"\\u006cogs"'],
    ['"spool":"1', '"spool":".'],
    ['"spool":"1', '"spool":"1\\n'],
    ['"from_seq":7', '"from_seq":6'],
    ['"from_seq":7', '"from_seq":7.0'],
    ['"to_seq":7', '"to_seq":8'],
    ['"seq":7', '"seq":07'],
    ['"seq":7', '"seq":7e0'],
    ['nav started', 'nav\nstarted'],
    ['nav started', 'nav\\/started'],
    ['nav started', 'nav\\u001Bstarted'],
    ['nav started', 'nav\\u000astarted'],
    ['nav started', 'nav\\u0000started'],
    ['nav started', 'nav\\ud83e\\udd16started'],
    ['nav started', 'nav\ud83estarted'],
    ['nav started', 'nav\udd16\ud83estarted'],
    ['"message"', '"message":"twice","message"'],
    ['"a":1,"b"', '"b":1,"b"'],
    ['"a":1,"b"', '"b":1,"a":1,"b"'],
    ['"a":1', '"a":1.0'],
    ['"a":1', '"a":-0'],
    ['"a":1', '"a":0.10'],
    ['"a":1', '"a":12345678901234567'],
    ['"a":1', '"\\u0061":1'],
    [']}', ']} '],
    [']}', ']}]}'],
    [']}', '],"more":1}'],
    [']}', ',]}'],
    [']}', ']'],
  ];
  for (const [from, to] of changes) {
    const changed = text.replace(from, () => to);
    expect(changed).not.toBe(text);
    expect(isScanned(changed), changed).toBe(false);
  }
});

const oddUnit = fc.constantFrom('"', '\\', '\0', '\n', '\ud800', '\udc00', '\u001b', '\u007f', 'é', '🤖', 'x');
const oddText = fc.string({ unit: oddUnit, maxLength: 12 });
const someText = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: anyCharacter, maxLength: 10 }), oddText);
const oddNumber = fc.constantFrom(-0, 1e21, 2 ** 53, 1e-7, 0.1, 123_456.78);
const someNumber = fc.oneof(fc.nat(), fc.integer(), fc.double(), oddNumber);

/** In the order of the common form, each with or without these. */
const commonRecord = fc.record(
  {
    type: fc.constant('gap'),
    ts: fc.date({ min: new Date(0), max: new Date('2999-12-31'), noInvalidDate: true }).map((at) => at.toISOString()),
    level: fc.constantFrom(...levels),
    source: fc.constantFrom('journal', 'rosout:/nav', 'file:/var/log/é.log'),
    message: someText,
    truncated: fc.constant(true),
    unit: fc.constantFrom('nav.service', 'u'),
    pid: fc.nat(),
    node: fc.constant('/nav'),
    fields: fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom(null, 0.5, -1.25)),
    ),
    dropped: fc.nat(),
    reason: fc.constantFrom('quota', 'damaged'),
  },
  { requiredKeys: ['ts', 'level', 'source', 'message'] },
);
const fields = fc.dictionary(
  fc.oneof(fc.constantFrom('a', 'program', '__proto__', '0', '12', 'file.line'), someText),
  fc.oneof(someText, someNumber, fc.jsonValue({ maxDepth: 3 })),
);
const members = [
  'seq',
  'type',
  'ts',
  'level',
  'source',
  'message',
  'truncated',
  'unit',
  'pid',
  'fields',
  'reason',
  'more',
];
const oddRecord = fc
  .tuple(commonRecord, fc.constantFrom(...members), fc.oneof(someText, someNumber, fc.jsonValue(), fields))
  .map(([record, name, value]) => ({ ...record, [name]: value }));

/** What is put into a text, or takes the place of some of it. */
const pieces = [
  ...String.raw`" \ { } [ ] , : 0 1 - -0 .0 1e3 9007199254740993 null é 🤖`.split(' '),
  ...String.raw`\u0000 \u001b \u001B \u000a \n \/ \" \\ \ud83e \ud83e\udd16 \u00e9 \\u0000`.split(' '),
  ...String.raw`{} [[[[ ]]]] "__proto__":{}, "seq":7, "a":1, ,"a":1 {"seq":8}, "message":"","`.split(' '),
  ...['', ' ', '\n', '\0', '\ufeff', '\ud83e', '\udd16', '\u2028'],
];
const share = fc.nat(1_000).map((thousandths) => thousandths / 1_000);
/** Removes characters of a text, and puts a piece or a copy of another part there. Places are shares of the length. */
const edit = fc.record({
  at: share,
  removed: fc.constantFrom(0, 1, 2, 8),
  added: fc.oneof(fc.constantFrom(...pieces), fc.record({ at: share, length: fc.nat(40) })),
});

function edited(text: string, { at, removed, added }: typeof edit extends fc.Arbitrary<infer Edit> ? Edit : never) {
  const place = (of: number) => Math.floor(of * text.length);
  const piece = typeof added === 'string' ? added : text.slice(place(added.at), place(added.at) + added.length);
  return text.slice(0, place(at)) + piece + text.slice(place(at) + removed);
}

/** Checks texts, and returns how many of them were scanned. */
function countScanned(texts: fc.Arbitrary<string>): number {
  let count = 0;
  fc.assert(
    fc.property(texts, (text) => {
      if (isScanned(text)) count += 1;
    }),
    { numRuns: 3_000 },
  );
  return count;
}

test('whatever is scanned of odd records is what parsing gives, line by line', () => {
  const records = fc.array(fc.oneof({ weight: 3, arbitrary: commonRecord }, oddRecord), { maxLength: 3 });
  expect(countScanned(records.map(frameOf))).toBeGreaterThan(300);
});

test('whatever is scanned of texts that are nearly frames is what parsing gives, line by line', () => {
  const common = fc.array(commonRecord, { minLength: 1, maxLength: 2 }).map(frameOf);
  const texts = fc.tuple(common, fc.array(edit, { maxLength: 2 })).map(([text, edits]) => edits.reduce(edited, text));
  expect(countScanned(texts)).toBeGreaterThan(300);
});
