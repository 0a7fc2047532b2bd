import { expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { canonicalJson as asClient } from '../../cli/commands/audit/canonical-json.ts';
import { chainFrom, hashAfter, startOf } from '../../cli/commands/audit/chain.ts';
import { chainHash, chainStart } from '../../src/audit/chain.ts';
import { canonicalJson } from '../../src/kernel/canonical-json.ts';

const orgId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01';

test('the example of the contract is the beginning of a log whose hashes are true', () => {
  const { items } = contract.paths['/api/audit'].get.responses['200'].content['application/json'].example;
  let previous = chainStart(orgId);
  for (const { hash, ...entry } of items) {
    previous = chainHash(previous, entry);
    expect(previous.toString('hex')).toBe(hash);
  }
  expect(items.map(({ seq }) => seq)).toEqual([1, 2]);
});

test.each([
  [
    'members by the UTF-16 units of their names',
    '{"\uFB33":1,"\u{1F600}":2,"a":3,"B":4,"":5}',
    '{"":5,"B":4,"a":3,"\u{1F600}":2,"\uFB33":1}',
  ],
  [
    'members of members too, and none of a list',
    '{"b":[{"z":1,"y":[2,1]}],"a":null}',
    '{"a":null,"b":[{"y":[2,1],"z":1}]}',
  ],
  ['names that are numbers as texts', '{"10":1,"9":2,"1":3}', '{"1":3,"10":1,"9":2}'],
  [
    'numbers by their value',
    '[1.0, 1e3, 1E21, 0.000001, 1e-7, -0, 4.50, 9007199254740991]',
    '[1,1000,1e+21,0.000001,1e-7,0,4.5,9007199254740991]',
  ],
  [
    'texts with what must be escaped',
    '["\\u000f\\n\\"\\\\/\\u20ac\\u2028", "\\ud83d\\ude00"]',
    '["\\u000f\\n\\"\\\\/€\u2028","\u{1F600}"]',
  ],
  [
    'a member that JavaScript knows by another meaning',
    '{"b":{"__proto__":{"x":1}},"__proto__":2}',
    '{"__proto__":2,"b":{"__proto__":{"x":1}}}',
  ],
  ['blanks left out', ' { "a" : [ ] , "b" : { } } ', '{"a":[],"b":{}}'],
])('canonical JSON has %s, for the service and for the client', (_, text, canonical) => {
  expect(canonicalJson(JSON.parse(text))).toBe(canonical);
  expect(asClient(JSON.parse(text))).toBe(canonical);
});

test('the log of one org is not that of another', () => {
  const entry = { seq: 1, operation: 'createOrg' };
  const other = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c02';
  expect(chainHash(chainStart(orgId), entry)).not.toEqual(chainHash(chainStart(other), entry));
  expect(hashAfter(startOf(orgId), entry)).toBe(chainHash(chainStart(orgId), entry).toString('hex'));
});

test('an entry without a hash, one twice and one too early are faults, and the chain stays where it was', () => {
  const start = { seq: 0, hash: startOf(orgId) };
  const chain = chainFrom(start);
  const entry = { seq: 1, at: '', actor_kind: 'admin', operation: 'createOrg', object_kind: 'org', object_id: orgId };
  expect(chain.take(entry)).toContain('entry 1 has no hash yet');
  expect(chain.take({ ...entry, seq: 2 })).toBe('entry 1 is missing: after 0 follows 2');
  expect(chain.head).toEqual(start);
  const hash = hashAfter(start.hash, entry);
  expect(chain.take({ ...entry, hash })).toBeUndefined();
  expect(chain.take({ ...entry, hash })).toBe('entry 1 follows entry 1');
  // Numbers that pass by the next whole one: behind them no entry would be the one of a head that was kept.
  for (const seq of [1.5, Number.NaN]) {
    const between = { ...entry, seq };
    expect(chain.take({ ...between, hash: hashAfter(hash, between) })).toBe(`entry ${seq} follows entry 1`);
  }
  expect(chain.head).toEqual({ seq: 1, hash });
});
