import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deploymentMoves, targetMoves } from '../../../generated/protocol.js';
import {
  hasEnded,
  isTerminal,
  nextTransition,
  noCounts,
  statusAfter,
  targetStatuses,
  type TransitionTrigger,
  type DeploymentStatus,
  type TargetStatus,
} from '../../../src/deployments/engine/model.ts';

const words = [
  'waiting',
  'dispatched',
  'downloading',
  'installing',
  'verifying',
  'cancelling',
  'rolling_back',
  'applied',
  'failed',
  'rolled_back',
  'cancelled',
  'polishing',
  '',
];
const flags = [true, false];
const causes: TransitionTrigger[] = [
  { kind: 'dispatched' },
  { kind: 'cancelled' },
  { kind: 'superseded' },
  { kind: 'queue_full' },
  { kind: 'robot_removed' },
  { kind: 'deadline' },
  ...words.flatMap((status) =>
    flags.flatMap((isProven) =>
      flags.map((isCancelOrder): TransitionTrigger => ({ kind: 'reported', status, isProven, isCancelOrder })),
    ),
  ),
];
/** Most of what happens in a life that goes on; any cause ends one story in three. */
const gentle = causes.filter(
  (cause) =>
    cause.kind === 'dispatched' ||
    (cause.kind === 'reported' && /ing$|^cancelled$/.test(cause.status) && cause.isCancelOrder),
);
const report = (
  status: string,
  more: Partial<Extract<TransitionTrigger, { kind: 'reported' }>> = {},
): TransitionTrigger => ({
  kind: 'reported',
  status,
  isProven: true,
  isCancelOrder: false,
  ...more,
});

/** A seeded generator (mulberry32): a million runs in seconds, and the same ones each time. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

test('in a million random stories of a target every move is legal, an end is final and whatever has not ended has a deadline', () => {
  const random = seeded(20_261_121);
  let moves = 0;
  const reached = new Set<string>();
  for (let story = 0; story < 1_000_000; story += 1) {
    let status: TargetStatus = 'waiting';
    for (let left = 1 + random(60); left > 0 && !isTerminal(status); left -= 1) {
      const among = random(4) === 0 ? causes : gentle;
      const cause = among[random(among.length)] as TransitionTrigger;
      const move = nextTransition(status, cause);
      if (!move) continue;
      if (!targetMoves[status].includes(move.to)) throw new Error(`${status} → ${move.to} by ${cause.kind}`);
      if ((move.deadline === 'ended') !== isTerminal(move.to)) throw new Error(`${move.to} has ${move.deadline}`);
      status = move.to;
      moves += 1;
    }
    reached.add(status);
  }
  expect(moves).toBeGreaterThan(2_000_000);
  expect([...reached].sort()).toEqual([...targetStatuses].sort());
});

test('nothing moves what has ended, and every legal move has a cause', () => {
  for (const status of targetStatuses.filter(isTerminal))
    for (const cause of causes) expect(nextTransition(status, cause)).toBeUndefined();
  for (const from of targetStatuses) {
    const made = new Set(causes.flatMap((cause) => nextTransition(from, cause)?.to ?? []));
    expect([...made].sort()).toEqual([...targetMoves[from]].sort());
  }
});

test('the deadline ends every status that has not ended', () => {
  for (const status of targetStatuses.filter((each) => !isTerminal(each)))
    expect(isTerminal(nextTransition(status, { kind: 'deadline' })?.to ?? status)).toBe(true);
});

test('a deployment goes by its counts alone: legal moves only, and its end is what its robots came to', () => {
  const step = fc.record({ target: fc.nat(4), cause: fc.constantFrom(...causes) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isCancelled) => {
      const targets: TargetStatus[] = Array.from({ length: 5 }, () => 'waiting');
      const counts = { ...noCounts(), waiting: 5 };
      let status: DeploymentStatus = isCancelled ? 'cancelling' : 'pending';
      for (const { target, cause } of steps) {
        const before = targets[target] as TargetStatus;
        const move = nextTransition(before, cause);
        if (!move) continue;
        targets[target] = move.to;
        counts[before] -= 1;
        counts[move.to] += 1;
        const after = statusAfter(status, counts);
        if (after !== status) expect(deploymentMoves[status]).toContain(after);
        status = after;
        expect(hasEnded(status)).toBe(targets.every(isTerminal));
      }
      const has = (each: TargetStatus) => targets.includes(each);
      if (targets.every(isTerminal))
        expect(status).toBe(
          has('failed') ? 'failed' : has('rolled_back') ? 'rolled_back' : has('applied') ? 'applied' : 'cancelled',
        );
      else if (isCancelled) expect(status).toBe('cancelling');
      expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(5);
    }),
    { numRuns: 5_000 },
  );
});

test('a cancelled target that was handed out is the robot’s to end, and work that goes on changes nothing', () => {
  for (const status of ['dispatched', 'downloading', 'installing', 'verifying'] as const)
    expect(nextTransition(status, { kind: 'cancelled' })).toMatchObject({ to: 'cancelling', deadline: 'active' });
  expect(nextTransition('rolling_back', { kind: 'cancelled' })).toBeUndefined();
  for (const word of ['downloading', 'installing', 'verifying', 'polishing'])
    expect(nextTransition('cancelling', report(word))).toBeUndefined();
  expect(nextTransition('cancelling', report('cancelled'))).toMatchObject({ to: 'cancelled' });
  expect(nextTransition('cancelling', report('applied'))).toMatchObject({ to: 'applied' });
  expect(nextTransition('cancelling', { kind: 'deadline' })).toMatchObject({ to: 'cancelled', reason: 'forced' });
});

test('a robot that stopped what nobody asked it to stop has failed, and a withdrawn target waits again', () => {
  expect(nextTransition('installing', report('cancelled'))).toMatchObject({ to: 'failed', reason: 'agent_cancelled' });
  expect(nextTransition('installing', report('cancelled', { isCancelOrder: true }))).toMatchObject({
    to: 'waiting',
    deadline: 'expiry',
  });
  expect(nextTransition('rolling_back', report('cancelled', { isCancelOrder: true }))).toMatchObject({ to: 'failed' });
});

test('a robot cannot claim what only the service can know, as that it was offline for too long', () => {
  for (const reason of ['expired', 'forced', 'robot_removed', 'superseded', 'too_many_orders', 'wave_skipped'])
    for (const [from, status] of [
      ['dispatched', 'failed'],
      ['cancelling', 'cancelled'],
      ['dispatched', 'installing'],
      ['installing', 'applied'],
    ] as const)
      expect(nextTransition(from, report(status, { reason }))?.reason).toBe(`agent_${reason}`);
  expect(nextTransition('installing', report('failed', { reason: 'timed_out' }))?.reason).toBe('timed_out');
});

test('an applied without its proof has failed, a status that is not known changes nothing, and steps may be missing', () => {
  expect(nextTransition('installing', report('applied', { isProven: false }))).toMatchObject({
    to: 'failed',
    reason: 'digest_mismatch',
  });
  expect(nextTransition('dispatched', report('polishing'))).toBeUndefined();
  expect(nextTransition('verifying', report('polishing'))).toBeUndefined();
  expect(nextTransition('dispatched', report('applied'))).toMatchObject({ to: 'applied' });
  expect(nextTransition('installing', report('downloading'))).toBeUndefined();
  expect(nextTransition('waiting', report('applied'))).toBeUndefined();
});
