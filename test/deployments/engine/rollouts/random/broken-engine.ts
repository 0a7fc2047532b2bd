import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Operation, Scenario } from './scenario.ts';
import type { walk } from './walk.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

/** One fault in the engine, and the invariant that notices it. */
export interface Fault {
  invariant: string;
  name: string;
  /** What its scenarios have, if the random ones rarely come to it. */
  focus?: Partial<Scenario>;
  changes: { file: string; from: string; to: string }[];
}

const engine = 'src/deployments/engine';
const one = (
  invariant: string,
  name: string,
  file: string,
  from: string,
  to: string,
  focus: Partial<Scenario> = {},
): Fault => ({
  ...{ invariant, name, focus, changes: [{ file: `${engine}/${file}`, from, to }] },
});

/** Many robots, two at a time, in waves that failures alone do not stop. */
const manyFailures: Partial<Scenario> = {
  budgets: [],
  rollouts: [
    {
      waves: [{ count: 2 }],
      advance: { applied_percent: 0 },
      abort: [{ reasons: ['any'], count: 1, action: 'cancel' }],
      pace: { max_in_flight: 2 },
    },
  ],
  steps: Array.from({ length: 20 }, () => 'work'),
};

const openings = (hours: number) => [{ cron: '0 0 * * *', duration: `${hours}h` }];
/** At each time of the day some zones are outside of it. */
const nights: Partial<Scenario> = {
  budgets: [],
  rollouts: [{ waves: [{ percent: 100 }], windows: { download: openings(6) } }],
  steps: ['work', 'work'],
};
/** Not each agent keeps them. */
const activation: Partial<Scenario> = {
  ...nights,
  rollouts: [{ waves: [{ percent: 100 }], windows: { activate: openings(6) } }],
};

const manyRobots = Array.from({ length: 20 }, (_each, index) => ({
  ...{ tier: 'usual', hall: '1', zone: undefined, isModern: true },
  isOnline: index % 5 > 0,
}));
/** A rollout in two waves for 20 robots, of which 4 are offline, and what happens to it. */
const twoWaves = (terms: object, steps: Operation[]): Partial<Scenario> => ({
  ...{ robots: manyRobots, budgets: [], steps: Array.from({ length: 6 }, () => steps).flat() },
  rollouts: [{ waves: [{ count: 10 }], ...terms }],
});
const approved = (approval: object, advance: object = {}) =>
  twoWaves({ approval, advance: { applied_percent: 50, ...advance } }, ['approve', 'work', 'work']);

export const faults: Fault[] = [
  one(
    'failuresWithinLimit',
    'abort rules are not looked at',
    'rollouts/decide.ts',
    'const failures = facts.failures.filter(({ atMs }) => atMs > facts.acceptedAtMs);',
    'const failures: Failure[] = [];',
    manyFailures,
  ),
  one(
    'nothingSentAfterLimit',
    'abort rules need one failure more',
    'rollouts/decide.ts',
    ': robots < count) return undefined;',
    ': robots <= count) return undefined;',
    manyFailures,
  ),
  one(
    'budgetsKept',
    'one robot more than the budget allows',
    'admission/rooms.ts',
    'group.unavailable + takenOf(name) >= group.allowed',
    'group.unavailable + takenOf(name) > group.allowed',
  ),
  one(
    'paceKept',
    'one robot more than the pace allows',
    'admission/pace.ts',
    'Math.max(0, most - inFlight)',
    'Math.max(0, most - inFlight + 1)',
  ),
  {
    invariant: 'sentInWindow',
    name: 'download windows are always open',
    focus: nights,
    changes: [
      {
        file: `${engine}/dispatching.ts`,
        from: 'return !window || windowState(window, now, timezone).isOpen;',
        to: 'return Boolean(window ?? now ?? timezone ?? windowState);',
      },
      {
        file: `${engine}/admission/download-windows.ts`,
        from: 'if (!window) return undefined;',
        to: 'if (window) return undefined;',
      },
    ],
  },
  one('nothingEarly', 'all waves may begin at once', 'rollouts/start-wave.ts', "'o.wave = :wave'", "'o.wave >= :wave'"),
  one(
    'wavesEarned',
    'the soak time is not waited for',
    'rollouts/decide.ts',
    'if (nowMs < untilMs)',
    'if (nowMs < soakStartedAtMs)',
  ),
  {
    invariant: 'pauseHolds',
    name: 'dispatch does not look at pauses',
    changes: [
      {
        file: `${engine}/holds.ts`,
        from: "`${of}.status in ('pending', 'in_progress') and not ${isHeld(of)}`",
        to: "`${of}.status in ('pending', 'in_progress', 'paused')`",
      },
      {
        file: `${engine}/dispatching.ts`,
        from: "(status === 'pending' || status === 'in_progress') && !isFrozen;",
        to: "status !== 'cancelling' || isFrozen;",
      },
    ],
  },
  one(
    'ableRobotsOnly',
    'agents without windows get orders with windows',
    'holds.ts',
    "`(${of}.required_capabilities <> '{}' and (",
    "`(${of}.required_capabilities = '{never}' and (",
    activation,
  ),
  one(
    'wavesAsPlanned',
    'waves are passed over',
    'rollouts/worker.ts',
    'wave: nextWave });',
    'wave: Math.min(nextWave + 1, due.lastWave) });',
  ),
  one(
    'whatIsDueIsDone',
    'nothing is decided on',
    'rollouts/worker.ts',
    'if (!(await decideNext())) return lockedMs;',
    'return Math.max(lockedMs, Number(await Promise.resolve(0)));',
  ),
  one(
    'everyTargetEndsOrWaits',
    'a rollout that waits is never decided on again',
    'rollouts/worker.ts',
    'at: isOver ? null : new Date(againAt),',
    'at: isOver || againAt > 0 ? null : new Date(againAt),',
    {
      ...twoWaves({ waves: [{ count: 2 }], advance: { applied_percent: 50, soak: '10m' } }, ['work']),
      robots: manyRobots.slice(0, 6),
    },
  ),
  one(
    'nothingSentAfterLimit',
    'robots that become unhealthy do not count',
    'rollouts/facts.ts',
    'ill.since >= t.dispatched_at',
    'ill.since < t.dispatched_at',
    twoWaves(
      {
        advance: { applied_percent: 10 },
        abort: [{ reasons: ['unhealthy'], count: 1, action: 'cancel' }],
        pace: { max_in_flight: 3 },
      },
      ['work', 'unhealthy'],
    ),
  ),
  one(
    'nothingSentAfterLimit',
    'robots that run something else do not count',
    'rollouts/facts.ts',
    'drifts.since >= t.updated_at',
    'drifts.since < t.updated_at',
    twoWaves(
      {
        advance: { applied_percent: 10 },
        abort: [{ reasons: ['drift'], count: 1, action: 'pause' }],
        pace: { max_in_flight: 3 },
      },
      ['work', 'drift'],
    ),
  ),
  one(
    'paceKept',
    'a growing pace has no highest rate',
    'admission/pace.ts',
    'growth?.up_to ?? Infinity, maxPerMinute',
    'Infinity, maxPerMinute',
    twoWaves({ pace: { per_minute: 6, growth: { factor: 100, after_applied: 1, up_to: 6 } } }, ['work', 'time']),
  ),
  one(
    'wavesEarned',
    'a new wave does not wait for robots that are offline already',
    'rollouts/facts.ts',
    'now.getTime() - wave.started_at.getTime() >= seconds * 1_000',
    'now.getTime() - wave.started_at.getTime() >= 0',
    twoWaves({ advance: { applied_percent: 50, offline_after: '10m' } }, ['time', 'create', 'work', 'work']),
  ),
  one(
    'offlineHoldsUpNothing',
    'robots that are offline for long hold up their wave',
    'rollouts/facts.ts',
    'make_interval(secs => :seconds)',
    'make_interval(secs => 1000 * :seconds)',
    twoWaves({ waves: [{ count: 3 }], advance: { offline_after: '1m' } }, ['create', 'work', 'work', 'time', 'time']),
  ),
  one(
    'wavesEarned',
    'robots that became unhealthy since count as well',
    'rollouts/decide.ts',
    'wave.applied - disturbed < need',
    'wave.applied < need',
    twoWaves({ advance: { applied_percent: 50, soak: '10m' } }, ['work', 'unhealthy', 'unhealthy', 'time']),
  ),
  one(
    'approvedFirst',
    'one person fewer is enough',
    'approvals/decide-approval.ts',
    'given >= rollout.approval.people',
    'given >= rollout.approval.people - 1',
    approved({ people: 2 }),
  ),
  one(
    'approvedFirst',
    'its author may approve it',
    'approvals/decide-approval.ts',
    "if (row.author_id === wish.by.id) return { kind: 'author' };",
    '',
    approved({ people: 1 }),
  ),
  one(
    'approvedFirst',
    'every role may approve it',
    'approvals/decide-approval.ts',
    'hasAtLeastRole(wish.by.role, rollout.approval.role)',
    "hasAtLeastRole(wish.by.role, 'viewer')",
    approved({ people: 1, role: 'admin' }),
  ),
  one(
    'approvedFirst',
    'further waves need no approval',
    'rollouts/decide.ts',
    "if (then === 'advance') return { kind: 'advance' };",
    "if (then !== 'pause') return { kind: 'advance' };",
    approved({ people: 1 }, { then: 'approval' }),
  ),
  one(
    'sentOnce',
    'an order that its robot gave up is sent again',
    'model.ts',
    'isCancelOrder || reason === windowEnded',
    'isCancelOrder || reason !== windowEnded',
  ),
];

/** The walk with this fault in the engine: that of a copy of the tree. @throws if the text that changes is not there once */
export async function brokenWalk(folder: string, { changes }: Fault): Promise<typeof walk> {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    ['src', 'test', 'generated'].map((each) => cp(join(root, each), join(folder, each), { recursive: true })),
  );
  await Promise.all(
    ['node_modules', 'spec', 'docs', 'dist', 'cli', 'package.json', 'tsconfig.json'].map((each) =>
      symlink(join(root, each), join(folder, each)),
    ),
  );
  for (const { file, from, to } of changes) {
    const text = await readFile(join(folder, file), 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`);
    await writeFile(
      join(folder, file),
      text.replace(from, () => to),
    );
  }
  const path = join(folder, 'test/deployments/engine/rollouts/random/walk.ts');
  return ((await import(/* @vite-ignore */ path)) as { walk: typeof walk }).walk;
}
