import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineSplitter } from '../../../../cli/agent/logs/lines.ts';
import { cutMessage, recordOf } from '../../../../cli/agent/logs/parse.ts';
import { anyCharacter } from '../../../support/arbitraries.ts';

const parsed = (text: string) => recordOf('exec:x', text);

test('a plain line is a message of level info, also if it looks like more', () => {
  for (const text of [
    'ERROR: it burns',
    '{not json}',
    '{"level":"error"}',
    'level=error',
    'a msg=x level=warn',
    '[]',
    '{}',
  ]) {
    expect(parsed(text)).toMatchObject({ level: 'info', message: text, source: 'exec:x' });
    expect(parsed(text)).not.toHaveProperty('fields');
  }
});

test.each([
  ['{"level":"WARNING","msg":"hot","celsius":81}', 'warn', 'hot', { celsius: 81 }],
  ['{"level":50,"time":1763715600123,"msg":"boom"}', 'error', 'boom', undefined],
  ['{"severity":"critical","message":"down","ts":"2026-11-21T09:00:00Z"}', 'fatal', 'down', undefined],
  ['{"message":"text","level":{"odd":1}}', 'info', 'text', undefined],
  ['{"msg":"hi","level":"constructor"}', 'info', 'hi', undefined],
  ['ts=2026-11-21T09:00:00Z level=error msg="it said \\"no\\"" code=7', 'error', 'it said "no"', { code: '7' }],
])('%s', (text, level, message, fields) => {
  expect(parsed(text)).toMatchObject({ level, message });
  expect(parsed(text).fields).toEqual(fields);
});

test.each([
  ['level=error err="disk full" disk=/dev/sda ts=2026-11-21T09:00:00Z', 'error'],
  ['{"severity":"ERROR","text":"x1","time":"2026-11-21T09:00:00Z"}', 'error'],
  ['{"level":"warn","msg":{"obj":1},"timestamp":"2026-11-21T09:00:00Z"}', 'warn'],
])('without a message key the whole line is the message, with its level and time: %s', (text, level) => {
  expect(parsed(text)).toEqual({ source: 'exec:x', level, message: text, ts: '2026-11-21T09:00:00Z' });
});

test.each([
  ['{"level":"error","event":"disk full","disk":"/dev/sda"}', 'error', 'disk full', { disk: '/dev/sda' }],
  ['level=warning event="disk is slow" disk=/dev/sda', 'warn', 'disk is slow', { disk: '/dev/sda' }],
  ['{"level":"warn","message":"hot","event":"limit"}', 'warn', 'hot', { event: 'limit' }],
  ['{"level":"warn","msg":{"obj":1},"message":"hot"}', 'warn', 'hot', { msg: { obj: 1 } }],
])('the first text among msg, message and event is the message: %s', (text, level, message, fields) => {
  expect(parsed(text)).toMatchObject({ level, message, fields });
});

test.each([
  'set level=error for x',
  'x=1 level=error for x',
  'level=high tank=fuel',
  '{"level":50,"tank":"fuel","ts":1763715600}',
  '{"event":"door","state":"open"}',
])('a line that only looks like a log line stays a message of level info: %s', (text) => {
  expect(parsed(text)).toMatchObject({ level: 'info', message: text });
  expect(parsed(text)).not.toHaveProperty('fields');
  expect(Date.now() - Date.parse(parsed(text).ts)).toBeLessThan(60_000);
});

test('an instant is taken as the line says it, and from the clock where that is nonsense', () => {
  const at = (ts: unknown) => parsed(JSON.stringify({ msg: 'x', ts })).ts;
  const day = '2025-11-21T09:00:00.123Z';
  for (const ts of [1763715600.123, 1763715600123, 1763715600123000, '1763715600123']) expect(at(ts)).toBe(day);
  expect(at('2026-11-21 09:00:00.123456+09:00')).toBe('2026-11-21T09:00:00.123456+09:00');
  for (const ts of [-1, 0, 5, '2026-13-41T00:00:00Z', 'yesterday', null, {}, 1e300])
    expect(Math.abs(Date.parse(at(ts)) - Date.now())).toBeLessThan(5000);
});

test('any text gives a record, at most 16 KiB of whole characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), fc.nat(400), (text, times) => {
      const record = parsed(text.repeat(times));
      expect(Buffer.byteLength(record.message)).toBeLessThanOrEqual(16_384);
      expect(JSON.parse(JSON.stringify(record))).toEqual(record);
    }),
    { numRuns: 200 },
  );
  expect(cutMessage('é'.repeat(8193))).toEqual({ message: 'é'.repeat(8192), isLong: true });
  expect(cutMessage(`a${'é'.repeat(8192)}`)).toEqual({ message: `a${'é'.repeat(8191)}`, isLong: true });
});

test('lines are the same however their bytes arrive, also those that are not UTF-8', () => {
  const invalid = ['ff', 'c3', 'f09f', 'eda080', '80'].map((hex) => Buffer.from(hex, 'hex'));
  const valid = ['a', 'ä', '\n', '\r\n', 'long '.repeat(10)].map((part) => Buffer.from(part));
  const text = fc.array(fc.constantFrom(...valid, ...invalid), { maxLength: 40 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(30)), (parts, cuts) => {
      const whole = Buffer.concat(parts);
      const splitter = lineSplitter(1000);
      const lines = [];
      let start = 0;
      for (const length of [...cuts, whole.length]) {
        lines.push(...splitter.push(whole.subarray(start, start + length)));
        start += length;
      }
      const rest = splitter.rest();
      const all = [...lines, ...(rest ? [rest] : [])];
      const expected = whole.toString('utf8').split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(all.map((line) => line.text)).toEqual(expected.map((line) => line.replace(/\r$/, '')));
      expect(all.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(whole.length);
    }),
  );
});
