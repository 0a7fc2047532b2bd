import { expect, test } from 'vitest';
import { check, type State } from './checker.ts';
import { emptyHistory, type Call, type History } from './history.ts';

const bounds = { revokedMs: 2_000, offlineMs: 5_000 };
const nothing: State = { sites: [], deployments: [], appliedAgain: [], artifacts: [], logs: [] };
const call = (kind: Call['kind'], key: string, change: Partial<Call> = {}): Call => ({
  kind,
  key,
  startMs: 0,
  endMs: 10,
  outcome: 'ok',
  status: 201,
  ...change,
});
const unknown = { outcome: 'unknown', status: 0 } as const;

/** The broken promises of such a history and state. */
const found = (history: Partial<History>, state: Partial<State> = {}) =>
  check({ ...emptyHistory(), ...history }, { ...nothing, ...state }, bounds).map(
    ({ promise, text }) => `${promise}: ${text}`,
  );

test('a history whose acknowledged writes are all stored once breaks no promise', () => {
  const calls = [
    call('site', 'a', unknown),
    call('site', 'a', { id: '1' }),
    call('site', 'b', unknown),
    call('deployment', 'c', { id: '2' }),
    call('upload', 'd'),
    call('read', '', { outcome: 'unknown', status: 503 }),
  ];
  const deployments = [{ id: '2', key: 'c', hasEnded: true }];
  expect(found({ calls }, { sites: ['a', 'another'], deployments, artifacts: ['d'] })).toEqual([]);
});

test.each(['site', 'deployment', 'upload'] as const)('an acknowledged %s that is not stored is lost', (kind) => {
  expect(found({ calls: [call(kind, 'a', unknown), call(kind, 'a')] })).toEqual([`loss: ${kind} a is missing`]);
});

test('a write that was stored twice is found, also if it was never acknowledged', () => {
  const calls = [call('site', 'a'), call('site', 'b', unknown)];
  expect(found({ calls }, { sites: ['a', 'a', 'b', 'b'] })).toEqual([
    'double: site a is stored 2 times',
    'double: site b is stored 2 times',
  ]);
});

test('retries with one key that return different IDs are found', () => {
  const calls = [call('site', 'a', { id: '1' }), call('site', 'a', { id: '2' })];
  expect(found({ calls }, { sites: ['a'] })).toEqual(['double: site a has several IDs']);
});

test('a deployment that is applied twice by a robot, or never ends, is found', () => {
  const appliedAgain = [{ deploymentId: 'd', robotId: 'r', count: 2 }];
  const deployments = [{ id: 'd', key: 'k', hasEnded: false }];
  expect(found({}, { appliedAgain, deployments })).toEqual([
    'double: robot r applied deployment d 2 times',
    'ending: deployment d has not ended',
  ]);
});

test.each([
  ['a missing record', ['s 1 text', 's 3'], 'loss: record 3 of spool s comes after 1'],
  ['a doubled record', ['s 1', 's 2', 's 2', 's 3'], 'double: record 2 of spool s comes after 2'],
  ['a reordered record', ['s 1', 's 2', 's 3', 's 2'], 'order: record 2 of spool s comes after 3'],
  ['an acknowledged record at the end', ['s 1', 's 2'], 'loss: spool s is acknowledged up to 3 and stored up to 2'],
])('%s of a log is found', (_, messages, violation) => {
  const acknowledgements = [{ robotId: 'r', spool: 's', upTo: 3 }];
  expect(found({ acknowledgements }, { logs: [{ robotId: 'r', messages }] })).toEqual([violation]);
});

test('spools of one log may alternate, and records that were not acknowledged may be stored', () => {
  const acknowledgements = [{ robotId: 'r', spool: 's', upTo: 1 }];
  expect(found({ acknowledgements }, { logs: [{ robotId: 'r', messages: ['s 1', 't 1', 's 2'] }] })).toEqual([]);
});

test('a robot that is shown as offline while its link works is found after the bound', () => {
  const links = [{ robotId: 'r', startMs: 0, heardMs: 20_000 }];
  const seenAt = (atMs: number, robotId = 'r') => found({ links, sightings: [{ robotId, atMs, online: false }] });
  expect([seenAt(4_000), seenAt(21_000), seenAt(9_000, 'other')]).toEqual([[], [], []]);
  expect(seenAt(9_000)).toEqual(['presence: robot r is linked and shown as offline']);
});

test('a revoked token that works after the bound is found', () => {
  const uses = (startMs: number) => [call('revoke', 't', { endMs: 100 }), call('use', 't', { startMs })];
  expect([found({ calls: uses(50) }), found({ calls: uses(2_000) })]).toEqual([[], []]);
  expect(found({ calls: uses(2_200) })).toEqual(['revocation: token t worked 2100 ms after its revocation']);
  expect(found({ calls: [call('use', 't', { startMs: 9_000 })] })).toEqual([]);
});

test('a stream whose records are missing, doubled or out of order is found; skipped ones are not missing', () => {
  const read = (numbers: number[], skipped = 0) => found({ readings: [{ stream: 'log', numbers, skipped }] });
  expect([read([]), read([4, 5, 6]), read([1, 5], 3)]).toEqual([[], [], []]);
  expect(read([1, 2, 5])).toEqual(['stream: log: 2 records are missing']);
  expect([read([1, 2, 2]), read([2, 1])].flat()).toEqual(
    Array<string>(2).fill('stream: log: a record came twice or out of order'),
  );
  expect(found({ readings: [{ stream: 'shell', numbers: [], skipped: 0, failure: 'it ended' }] })).toEqual([
    'stream: shell: it ended',
  ]);
});

test('a 500 and a broken audit chain are found', () => {
  const calls = [call('read', '', { outcome: 'unknown', status: 500 })];
  expect(found({ calls }, { auditFailure: 'entry 4 was changed' })).toEqual([
    'error: 500: read ',
    'audit: entry 4 was changed',
  ]);
});
