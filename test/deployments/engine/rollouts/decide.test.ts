import { expect, test } from 'vitest';
import {
  decideRollout,
  type Failure,
  type FailureCause,
  type RolloutFacts,
  type WaveFacts,
} from '../../../../src/deployments/engine/rollouts/decide.ts';
import { readRollout, type RolloutCreate } from '../../../../src/rollout-policies/service.ts';

const nowMs = 1_000_000_000;
const minute = 60_000;

const wave = (facts: Partial<WaveFacts> = {}): WaveFacts => ({
  wave: 1,
  total: 10,
  applied: 0,
  failed: 0,
  offline: 0,
  held: 0,
  soakStartedAtMs: undefined,
  hasEnded: false,
  isSkipped: false,
  ...facts,
});

let robots = 0;
const failures = (count: number, cause: FailureCause = 'failed', more: Partial<Failure> = {}): Failure[] =>
  Array.from({ length: count }, () => ({ robotId: `r${(robots += 1)}`, wave: 1, atMs: nowMs, cause, ...more }));

function decide(rollout: Omit<RolloutCreate, 'waves'>, facts: Partial<RolloutFacts>) {
  const known = {
    nowMs,
    waves: [wave()],
    lastWave: 3,
    nextWave: (facts.waves?.at(-1)?.wave ?? 1) + 1,
    approvedWave: 0,
    failures: [],
    acceptedAtMs: -Infinity,
    ...facts,
  };
  return decideRollout(readRollout('rollout', { waves: [{ count: 10 }, { count: 10 }], ...rollout }), known);
}

test('a wave whose robots have all applied the release ends, one in which some have not does not', () => {
  expect(decide({}, { waves: [wave({ applied: 10 })] })).toEqual({ kind: 'advance' });
  expect(decide({}, { waves: [wave({ applied: 9 })] })).toEqual({ kind: 'wait' });
});

test('a wave ends when its threshold is reached, while the last robots still work', () => {
  const advance = { applied_percent: 75 };
  expect(decide({ advance }, { waves: [wave({ applied: 7 })] })).toEqual({ kind: 'wait' });
  expect(decide({ advance }, { waves: [wave({ applied: 8 })] })).toEqual({ kind: 'advance' });
  expect(decide({ advance }, { waves: [wave({ applied: 8, failed: 2 })], failures: failures(2) })).toEqual({
    kind: 'advance',
  });
});

test('a wave waits for the number of robots that must have ended, at most for all', () => {
  const advance = { applied_percent: 10, min_ended: 5 };
  expect(decide({ advance }, { waves: [wave({ applied: 4 })] })).toEqual({ kind: 'wait' });
  expect(decide({ advance }, { waves: [wave({ applied: 4, failed: 1 })], failures: failures(1) })).toEqual({
    kind: 'advance',
  });
  expect(decide({ advance }, { waves: [wave({ total: 3, applied: 3 })] })).toEqual({ kind: 'advance' });
});

test('with a threshold of 0 a wave ends when all its robots have, however, but for those that are offline', () => {
  const advance = { applied_percent: 0, min_ended: 0 };
  const failed = failures(3);
  expect(decide({ advance }, { waves: [wave({ applied: 6, failed: 3 })], failures: failed })).toEqual({ kind: 'wait' });
  expect(decide({ advance }, { waves: [wave({ applied: 7, failed: 3 })], failures: failed })).toEqual({
    kind: 'advance',
  });
  expect(decide({ advance }, { waves: [wave({ applied: 6, failed: 3, offline: 1 })], failures: failed })).toEqual({
    kind: 'advance',
  });
  expect(decide({ advance }, { waves: [wave({ offline: 10 })] })).toEqual({ kind: 'advance' });
});

test('of two rules that are reached, a rollback goes before a cancel, and that before a pause', () => {
  const ruleOf = (action: 'pause' | 'cancel' | 'rollback') => ({ reasons: ['any' as const], count: 1, action });
  const facts = { waves: [wave({ failed: 1 })], failures: failures(1) };
  expect(decide({ abort: [ruleOf('pause'), ruleOf('rollback'), ruleOf('cancel')] }, facts)).toMatchObject({
    kind: 'rollback',
  });
  expect(decide({ abort: [ruleOf('pause'), ruleOf('cancel')] }, facts)).toMatchObject({ kind: 'cancel' });
});

test('a wave that can no longer reach its threshold pauses the rollout at once', () => {
  expect(decide({}, { waves: [wave({ applied: 2, failed: 1 })], failures: failures(1) })).toEqual({
    kind: 'pause',
    code: 'wave_failed',
    message: 'wave 1: 1 of 10 robots did not apply it; at least 100 % must',
    endsWave: false,
  });
});

test('failures that a person accepted by a resume count no longer', () => {
  const before = failures(2, 'failed', { atMs: nowMs - minute });
  const facts = { waves: [wave({ applied: 8, failed: 2 })], failures: before };
  expect(decide({}, facts)).toMatchObject({ code: 'wave_failed' });
  expect(decide({}, { ...facts, acceptedAtMs: nowMs - minute })).toEqual({ kind: 'advance' });
  const one = [...before, ...failures(1)];
  expect(
    decide({}, { waves: [wave({ applied: 7, failed: 3 })], failures: one, acceptedAtMs: nowMs - minute }),
  ).toMatchObject({
    message: 'wave 1: 1 of 8 robots did not apply it; at least 100 % must',
  });
});

test('robots that are offline for too long hold up no wave', () => {
  expect(decide({}, { waves: [wave({ applied: 8, offline: 2 })] })).toEqual({ kind: 'advance' });
  expect(decide({}, { waves: [wave({ applied: 1, offline: 9 })] })).toEqual({ kind: 'advance' });
});

test('a wave does not end before the robots that must have ended have, however many are offline', () => {
  expect(decide({}, { waves: [wave({ offline: 10 })] })).toEqual({ kind: 'wait' });
  const advance = { min_ended: 3, offline_after: '1h' };
  expect(decide({ advance }, { waves: [wave({ applied: 2, offline: 8 })] })).toEqual({ kind: 'wait' });
  expect(decide({ advance }, { waves: [wave({ applied: 3, offline: 7 })] })).toEqual({ kind: 'advance' });
});

test('held robots hold up no wave, but one of held robots only waits unless no robot must have ended', () => {
  expect(decide({}, { waves: [wave({ applied: 8, held: 2 })] })).toEqual({ kind: 'advance' });
  const advance = { min_ended: 9 };
  expect(decide({ advance }, { waves: [wave({ applied: 8, held: 2 })] })).toEqual({ kind: 'advance' });
  expect(decide({ advance }, { waves: [wave({ applied: 7, held: 2 })] })).toEqual({ kind: 'wait' });
  expect(decide({}, { waves: [wave({ held: 10 })] })).toEqual({ kind: 'wait' });
  expect(decide({ advance }, { waves: [wave({ held: 10 })] })).toEqual({ kind: 'wait' });
  expect(decide({ advance: { min_ended: 0 } }, { waves: [wave({ held: 10 })] })).toEqual({ kind: 'advance' });
});

test('robots that expire fail a wave only if offline robots hold it up', () => {
  const facts = { waves: [wave({ applied: 8, failed: 2 })], failures: failures(2, 'unreached') };
  expect(decide({}, facts)).toMatchObject({ code: 'wave_failed' });
  expect(decide({ advance: { offline_after: '1h' } }, facts)).toEqual({ kind: 'advance' });
});

test('a wave of which no robot was reached in all its time pauses the rollout', () => {
  const facts = { waves: [wave({ failed: 10 })], failures: failures(10, 'unreached') };
  expect(decide({ advance: { offline_after: '1h' } }, facts)).toEqual({
    kind: 'pause',
    code: 'wave_failed',
    message: 'wave 1: only 0 of 10 robots were reached; at least 1 must be',
    endsWave: false,
  });
  expect(decide({ advance: { offline_after: '1h' } }, { ...facts, acceptedAtMs: nowMs })).toEqual({ kind: 'advance' });
});

test('a robot that is removed while it rolls back counts in no wave and in no rule', () => {
  const facts = { waves: [wave({ applied: 9, failed: 1 })], failures: failures(1, 'removed') };
  expect(decide({ abort: [{ reasons: ['any'], count: 1 }] }, facts)).toEqual({ kind: 'advance' });
});

test('the soak time begins when the threshold is reached, and the wave ends with it', () => {
  const advance = { soak: '30m' };
  const at = (facts: Partial<WaveFacts>) => decide({ advance }, { waves: [wave({ applied: 10, ...facts })] });
  expect(at({})).toEqual({ kind: 'wait', soakStartedAtMs: nowMs, untilMs: nowMs + 30 * minute });
  const soakStartedAtMs = nowMs - 30 * minute + 1;
  expect(at({ soakStartedAtMs })).toEqual({ kind: 'wait', soakStartedAtMs, untilMs: nowMs + 1 });
  expect(at({ soakStartedAtMs: soakStartedAtMs - 1 })).toEqual({ kind: 'advance' });
});

test('robots that became unhealthy, or run something else, interrupt the soak time', () => {
  const facts = { waves: [wave({ applied: 10, soakStartedAtMs: nowMs - 29 * minute })] };
  for (const cause of ['unhealthy', 'drift'] as const) {
    const advance = { soak: '30m', applied_percent: 90 };
    expect(decide({ advance }, { ...facts, failures: failures(1, cause) })).toMatchObject({
      soakStartedAtMs: nowMs - 29 * minute,
    });
    expect(decide({ advance }, { ...facts, failures: failures(2, cause) })).toEqual({
      kind: 'wait',
      isDisturbed: true,
    });
    expect(decide({ advance }, { ...facts, failures: failures(2, cause, { wave: 2 }) })).toMatchObject({
      soakStartedAtMs: nowMs - 29 * minute,
    });
  }
});

test('a robot that is unhealthy and runs something else is one robot', () => {
  const [one] = failures(1, 'unhealthy');
  const both = one ? [one, { ...one, cause: 'drift' as const }] : [];
  expect(decide({ advance: { applied_percent: 90 } }, { waves: [wave({ applied: 10 })], failures: both })).toEqual({
    kind: 'advance',
  });
  expect(decide({ abort: [{ reasons: ['any'], count: 2 }] }, { failures: both })).toEqual({ kind: 'wait' });
});

test('by its policy a rollout pauses after each wave, and the resume begins the next', () => {
  const advance = { then: 'pause' as const };
  expect(decide({ advance }, { waves: [wave({ applied: 10 })] })).toEqual({
    kind: 'pause',
    code: 'wave_ended',
    message: 'wave 1: 10 of 10 robots applied it',
    endsWave: true,
  });
  expect(decide({ advance }, { waves: [wave({ applied: 10, hasEnded: true })] })).toEqual({ kind: 'advance' });
});

test('a wave without robots ends at once, whatever follows', () => {
  expect(decide({ advance: { then: 'pause', soak: '1h' } }, { waves: [wave({ total: 0 })] })).toEqual({
    kind: 'advance',
  });
});

test('nothing follows the last wave', () => {
  const last = [wave(), wave({ wave: 3, applied: 10 })];
  expect(decide({}, { waves: last })).toEqual({ kind: 'wait' });
  expect(
    decide({}, { waves: [wave({ wave: 3, applied: 1, failed: 1 })], failures: failures(1, 'failed', { wave: 3 }) }),
  ).toEqual({
    kind: 'wait',
  });
});

const limit = (rule: object) => ({
  abort: [{ reasons: ['failed' as const], ...rule }],
  advance: { applied_percent: 1 },
});

test('an abort rule stops the rollout when its number of robots is reached', () => {
  const facts = (count: number) => ({ waves: [wave({ applied: 5, failed: count })], failures: failures(count) });
  expect(decide(limit({ count: 3 }), facts(2))).toEqual({ kind: 'advance' });
  expect(decide(limit({ count: 3 }), facts(3))).toEqual({
    kind: 'pause',
    code: 'aborted',
    message: 'the rollout: 3 of 8 ended robots (failed); the limit is 3',
    endsWave: false,
  });
});

test('a percentage is one of the robots that have ended, once enough of them have', () => {
  const facts = (applied: number, count: number) => ({
    waves: [wave({ total: 100, applied, failed: count })],
    failures: failures(count),
  });
  const rule = limit({ percent: 20, min_ended: 10 });
  expect(decide(rule, facts(3, 5)).kind).toBe('advance');
  expect(decide(rule, facts(8, 2))).toMatchObject({
    message: 'the rollout: 2 of 10 ended robots (failed); the limit is 20 %',
  });
  expect(decide(rule, facts(9, 2)).kind).toBe('advance');
});

test('a rule counts its reasons only, failed also what may have been rejected, and any all but robots that were never reached', () => {
  const facts = (cause: FailureCause) => ({ waves: [wave({ applied: 5, failed: 1 })], failures: failures(1, cause) });
  const causes = ['failed', 'timed_out', 'rejected', 'rolled_back', 'unhealthy', 'drift'] as const;
  for (const cause of causes)
    for (const reason of causes)
      expect(decide(limit({ reasons: [reason], count: 1 }), facts(cause)).kind, `${reason} ${cause}`).toBe(
        reason === cause || (reason === 'failed' && cause === 'rejected') ? 'pause' : 'advance',
      );
  for (const cause of causes) expect(decide(limit({ reasons: ['any'], count: 1 }), facts(cause)).kind).toBe('pause');
  expect(decide(limit({ reasons: ['any'], count: 1 }), facts('unreached')).kind).toBe('advance');
});

test('a rule with a time counts only what happened within it', () => {
  const rule = limit({ count: 1, within: '10m' });
  const facts = (ago: number) => ({
    waves: [wave({ applied: 5, failed: 1 })],
    failures: failures(1, 'failed', { atMs: nowMs - ago }),
  });
  expect(decide(rule, facts(10 * minute)).kind).toBe('advance');
  expect(decide(rule, facts(10 * minute - 1))).toMatchObject({
    message: 'the rollout: 1 of 6 ended robots within 10m (failed); the limit is 1',
  });
});

test('a rule per wave counts each wave for itself, earlier ones too', () => {
  const two = [...failures(2), ...failures(1, 'failed', { wave: 2 })];
  const waves = [wave({ applied: 8, failed: 2 }), wave({ wave: 2, applied: 9, failed: 1 })];
  expect(decide(limit({ count: 3 }), { waves, failures: two }).kind).toBe('pause');
  expect(decide(limit({ count: 3, per: 'wave' }), { waves, failures: two }).kind).toBe('advance');
  expect(decide(limit({ count: 2, per: 'wave' }), { waves, failures: two })).toMatchObject({
    message: 'wave 1: 2 of 10 ended robots (failed); the limit is 2',
  });
});

test('an abort goes before the end of a wave, and a cancel before a pause', () => {
  const facts = { waves: [wave({ applied: 9, failed: 1, hasEnded: true })], failures: failures(1) };
  const pause = { reasons: ['failed' as const], count: 1 };
  expect(decide({ abort: [pause] }, facts).kind).toBe('pause');
  expect(decide({ abort: [pause, { ...pause, action: 'cancel' }] }, facts)).toEqual({
    kind: 'cancel',
    message: 'the rollout: 1 of 10 ended robots (failed); the limit is 1',
  });
});

test('abort rules hold in the last wave too', () => {
  const facts = {
    waves: [wave({ wave: 3, applied: 5, failed: 1 })],
    failures: failures(1, 'failed', { wave: 3 }),
  };
  expect(decide(limit({ count: 1 }), facts).kind).toBe('pause');
});

test('a wave whose next one needs approval pauses when it ends, and goes on only with the approval', () => {
  const rollout = { advance: { then: 'approval' }, approval: {} } as const;
  const asks = { kind: 'pause', code: 'approval', endsWave: true };
  expect(decide(rollout, { waves: [wave({ applied: 10 })], approvedWave: 1 })).toMatchObject(asks);
  const ended = { waves: [wave({ hasEnded: true })] };
  expect(decide(rollout, { ...ended, approvedWave: 1 })).toMatchObject(asks);
  expect(decide(rollout, { ...ended, approvedWave: 2 })).toEqual({ kind: 'advance' });
  expect(decide(rollout, { waves: [wave({ total: 0 })], approvedWave: 1 })).toEqual({ kind: 'advance' });
});

test('a skipped wave has ended, and the next one that is not skipped needs its approval, also if nothing was sent', () => {
  const skipped = wave({ wave: 2, total: 0, hasEnded: true, isSkipped: true });
  const approval = { advance: { then: 'approval' as const }, approval: {} };
  expect(decide({}, { waves: [skipped] })).toEqual({ kind: 'advance' });
  expect(decide(approval, { waves: [skipped], approvedWave: 2, lastWave: 4 })).toEqual({
    kind: 'pause',
    code: 'approval',
    endsWave: true,
    message: 'wave 2: it was skipped',
  });
  const beforeSkipped = { waves: [wave({ applied: 10, hasEnded: true })], nextWave: 3, lastWave: 4 };
  expect(decide(approval, { ...beforeSkipped, approvedWave: 2 })).toMatchObject({ code: 'approval' });
  expect(decide(approval, { ...beforeSkipped, approvedWave: 3 })).toEqual({ kind: 'advance' });
});
