import fc from 'fast-check';
import type { RolloutCreate } from '../../../../../src/rollout-policies/service.ts';

export interface ScenarioRobot {
  tier: string;
  hall: string;
  zone: string | undefined;
  isOnline: boolean;
  isModern: boolean; // its agent keeps windows and asks gates
}

export interface Budget {
  selector?: string;
  group_by: string[];
  max_unavailable?: object | undefined;
  min_available?: object | undefined;
}

/** What an operator, a robot or a machine does. */
export const operations = [
  'create',
  'pause',
  'resume',
  'advance',
  'cancel',
  'rollback',
  'freeze',
  'thaw',
  'offline',
  'online',
  'unhealthy',
  'drift',
  'approve',
  'reject',
  'remove',
  'move',
  'relabel',
  'join',
  'time',
  'crash',
  'work',
] as const;
export type Operation = (typeof operations)[number];

export interface Scenario {
  robots: ScenarioRobot[];
  budgets: Budget[];
  rollouts: RolloutCreate[]; // of the deployments, in turn
  steps: Operation[];
  seed: number; // of what the robots do, and of what is picked
}

const size = fc.oneof(
  fc.record({ count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ percent: fc.integer({ min: 5, max: 45 }) }),
);
const selector = fc.constantFrom('tier=canary', 'hall in (1,2)', '!hall');
const wave = fc.oneof(
  { weight: 3, arbitrary: size },
  { weight: 1, arbitrary: fc.tuple(fc.record({ selector }), size).map(([one, other]) => ({ ...one, ...other })) },
);

const advance = fc.record({
  applied_percent: fc.constantFrom(100, 100, 80, 50),
  min_ended: fc.constantFrom(1, 2),
  soak: fc.constantFrom('0s', '0s', '2s', '10m'),
  offline_after: fc.constantFrom(undefined, undefined, '1m', '10m'),
  then: fc.constantFrom('advance' as const, 'advance' as const, 'approval' as const, 'pause' as const),
});
const approval = fc.record({
  people: fc.constantFrom(1, 2),
  role: fc.constantFrom('operator' as const, 'admin' as const),
  expires: fc.constantFrom('10m', '1d'),
});
type AbortReasons = NonNullable<RolloutCreate['abort']>[number]['reasons'];
const abort = fc.record({
  reasons: fc.constantFrom<AbortReasons>(['any'], ['any'], ['failed', 'timed_out'], ['unhealthy'], ['drift']),
  count: fc.integer({ min: 1, max: 4 }),
  action: fc.constantFrom('pause' as const, 'cancel' as const, 'rollback' as const),
});
const pace = fc.oneof(
  fc.record({ max_in_flight: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ per_minute: fc.constantFrom(6, 60, 600) }),
  fc.record({ max_in_flight: fc.integer({ min: 2, max: 5 }), per_minute: fc.constantFrom(30, 300) }),
  fc
    .record({
      per_minute: fc.constantFrom(6, 60),
      factor: fc.constantFrom(1.5, 2, 10),
      after_applied: fc.integer({ min: 1, max: 4 }),
      limit: fc.constantFrom(undefined, 60, 120),
    })
    .map(({ per_minute, limit, ...growth }) => ({
      per_minute,
      growth: { ...growth, ...(limit !== undefined && { up_to: limit }) },
    })),
);
/** Of each day, in a zone or in that of the robot: some robots are in it and others are not. */
const window = fc
  .record({
    hour: fc.integer({ min: 0, max: 23 }),
    hours: fc.integer({ min: 6, max: 20 }),
    zone: fc.constantFrom('robot', 'robot', 'UTC'),
    activates: fc.boolean(), // the agent keeps these windows, which not each can
  })
  .map(({ hour, hours, zone, activates }) => {
    const openings = [{ cron: `0 ${hour} * * *`, duration: `${hours}h` }];
    return { download: openings, zone, ...(activates && { activate: openings }) };
  });

const rollout: fc.Arbitrary<RolloutCreate> = fc
  .record({
    waves: fc.array(wave, { minLength: 1, maxLength: 3 }),
    advance,
    abort: fc.array(abort, { maxLength: 2 }),
    approval: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: approval }),
    pace: fc.option(pace, { nil: undefined, freq: 2 }),
    windows: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) }, // robots outside of theirs hold up their wave
      { weight: 1, arbitrary: window },
    ),
  })
  .map(({ pace: limit, windows, approval: approvers, advance: { offline_after, ...when }, ...rest }) => ({
    ...rest,
    advance: {
      ...when,
      ...(offline_after !== undefined && { offline_after }),
      ...(!approvers && when.then === 'approval' && { then: 'advance' as const }),
    },
    ...(approvers && { approval: approvers }),
    ...(limit && { pace: limit }),
    ...(windows && { windows }),
  }));

const robot = fc.record({
  tier: fc.constantFrom('canary', 'usual', 'usual'),
  hall: fc.constantFrom('1', '2', '3'),
  zone: fc.constantFrom(undefined, 'UTC', 'Asia/Tokyo', 'America/Phoenix', 'Asia/Kolkata'),
  isOnline: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  isModern: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

const budget: fc.Arbitrary<Budget> = fc
  .record({
    selector: fc.constantFrom(undefined, 'tier=canary'),
    group_by: fc.constantFrom<string[]>([], ['@site'], ['hall']),
    limit: fc.oneof(
      fc.record({
        max_unavailable: fc.oneof(
          fc.record({ count: fc.integer({ min: 1, max: 6 }) }),
          fc.record({ percent: fc.integer({ min: 10, max: 60 }) }),
        ),
      }),
      fc.record({ min_available: fc.record({ percent: fc.integer({ min: 40, max: 80 }) }) }),
    ),
  })
  .map(({ selector: such, group_by, limit }) => ({
    ...(such !== undefined && { selector: such }),
    group_by,
    ...limit,
  }));

const weights: Partial<Record<Operation, number>> = {
  work: 14,
  create: 4,
  online: 3,
  resume: 4,
  approve: 4,
  unhealthy: 3,
  drift: 3,
  time: 4,
  crash: 2,
  pause: 2,
  freeze: 1,
  thaw: 2,
};

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  robots: fc.array(robot, { minLength: 1, maxLength: 40, size: 'max' }),
  budgets: fc.array(budget, { maxLength: 2 }),
  rollouts: fc.array(rollout, { minLength: 1, maxLength: 3 }),
  steps: fc.array(
    fc.oneof(...operations.map((each) => ({ weight: weights[each] ?? 1, arbitrary: fc.constant<Operation>(each) }))),
    { minLength: 8, maxLength: 24, size: 'max' },
  ),
  seed: fc.integer({ min: 1, max: 1_000_000_000 }),
});
