import fc from 'fast-check';
import { expect, test } from 'vitest';
import { healthRows } from '../../../../cli/ui/robot/health-rows.ts';

const rowsOf = (diagnostics: unknown) => healthRows([{ atMs: 1, snapshot: { extra: { diagnostics } } }]);

test('whatever a robot sends as its diagnostics is told, or left out', () => {
  expect(rowsOf(null)).toEqual([]);
  expect(rowsOf({ error: { toString: 1 }, ok: 2, worst: [null, { name: { toString: 1 }, level: 'warn' }] })).toEqual([
    expect.objectContaining({ label: 'ROS', text: '2 ok', warning: undefined }),
    expect.objectContaining({ label: '  ?', text: '?: ?' }),
    expect.objectContaining({ label: '  warn', text: '?: ?' }),
  ]);
  const count = fc.oneof(fc.jsonValue(), fc.constant({ toString: 1, valueOf: 1 }));
  const diagnostics = fc.record(
    { ok: count, warn: count, error: count, stale: count, worst: fc.oneof(fc.array(count), fc.jsonValue()) },
    { requiredKeys: [] },
  );
  const extra = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.record({ diagnostics: fc.oneof(diagnostics, fc.jsonValue()) }),
  );
  fc.assert(
    fc.property(extra, (said) => {
      for (const { label, text } of healthRows([{ atMs: 1, snapshot: { extra: said } }]))
        expect([typeof label, typeof text]).toEqual(['string', 'string']);
    }),
  );
});
