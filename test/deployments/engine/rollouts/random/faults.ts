import { approved, endedBy, fleet, nights, rolledOut } from './focus.ts';
import type { InvariantName } from './invariants.ts';
import type { Scenario } from './scenario.ts';

/** One fault in the engine. */
export interface Fault {
  name: string;
  /** What its scenarios have, if the random ones rarely come to it. */
  focus: Partial<Scenario>;
  changes: { file: string; from: string; to: string }[];
}

const engine = 'src/deployments/engine';
const one = (name: string, file: string, from: string, to: string, focus: Partial<Scenario> = {}): Fault => ({
  name,
  focus,
  changes: [{ file: `${engine}/${file}`, from, to }],
});

/** By the invariant that must notice them. */
export const faults: Record<InvariantName, readonly [Fault, ...Fault[]]> = {
  failuresWithinLimit: [
    one(
      'abort rules are not looked at',
      'rollouts/decide.ts',
      'const failures = facts.failures.filter(({ atMs }) => atMs > facts.acceptedAtMs);',
      'const failures: Failure[] = [];',
      rolledOut(endedBy('any', { waves: [{ count: 1 }] }), ['work', 'work', 'create']),
    ),
  ],
  nothingSentAfterLimit: [
    one(
      'abort rules need one failure more',
      'rollouts/decide.ts',
      ': robots < count) return undefined;',
      ': robots <= count) return undefined;',
      rolledOut(endedBy('any', { waves: [{ count: 2 }], pace: { max_in_flight: 2 } }), ['work', 'work', 'work']),
    ),
    one(
      'robots that become unhealthy do not count',
      'rollouts/facts.ts',
      'ill.since >= t.dispatched_at',
      'ill.since < t.dispatched_at',
      rolledOut(endedBy('unhealthy', { pace: { max_in_flight: 1 } }), ['work', 'unhealthy', 'unhealthy'], fleet(8, 10)),
    ),
    one(
      'robots that run something else do not count',
      'rollouts/facts.ts',
      'drifts.since >= t.updated_at',
      'drifts.since < t.updated_at',
      rolledOut(endedBy('drift', { pace: { max_in_flight: 1 } }), ['work', 'drift', 'drift'], fleet(8, 10)),
    ),
  ],
  budgetsKept: [
    one(
      'one robot more than the budget allows',
      'admission/rooms.ts',
      'group.unavailable + takenOf(name) >= group.allowed',
      'group.unavailable + takenOf(name) > group.allowed',
    ),
  ],
  paceKept: [
    one(
      'one robot more than the pace allows',
      'admission/pace.ts',
      'Math.max(0, most - inFlight)',
      'Math.max(0, most - inFlight + 1)',
      rolledOut({ pace: { max_in_flight: 2 } }, ['work']),
    ),
    one(
      'a growing pace has no highest rate',
      'admission/pace.ts',
      'growth?.up_to ?? Infinity, maxPerMinute',
      'Infinity, maxPerMinute',
      rolledOut({ pace: { per_minute: 6, growth: { factor: 100, after_applied: 1, up_to: 6 } } }, ['work', 'time']),
    ),
  ],
  sentInWindow: [
    {
      name: 'download windows are always open',
      focus: nights('download'),
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
  ],
  nothingEarly: [
    one(
      'all waves may begin at once',
      'rollouts/start-wave.ts',
      "'o.wave = :wave'",
      "'o.wave >= :wave'",
      rolledOut({}, ['work']),
    ),
  ],
  wavesEarned: [
    one(
      'the soak time is not waited for',
      'rollouts/decide.ts',
      'if (nowMs < untilMs)',
      'if (nowMs < soakStartedAtMs)',
    ),
    one(
      'a new wave does not wait for robots that are offline already',
      'rollouts/facts.ts',
      'now.getTime() - wave.started_at.getTime() >= seconds * 1_000',
      'now.getTime() - wave.started_at.getTime() >= 0',
      rolledOut({ advance: { applied_percent: 50, offline_after: '10m' } }, ['time', 'create', 'work', 'work']),
    ),
    one(
      'robots that became unhealthy since count as well',
      'rollouts/decide.ts',
      'wave.applied - disturbed < need',
      'wave.applied < need',
      rolledOut(
        { waves: [{ count: 2 }], advance: { applied_percent: 50, soak: '10m' } },
        ['work', 'unhealthy', 'time'],
        fleet(4, 5),
      ),
    ),
  ],
  approvedFirst: [
    one(
      'one person fewer is enough',
      'approvals/decide-approval.ts',
      'given >= rollout.approval.people',
      'given >= rollout.approval.people - 1',
      approved({ people: 2 }),
    ),
    one(
      'its author may approve it',
      'approvals/decide-approval.ts',
      "if (row.author_id === wish.by.id) return { kind: 'author' };",
      '',
      approved({ people: 1 }),
    ),
    one(
      'every role may approve it',
      'approvals/decide-approval.ts',
      'hasAtLeastRole(wish.by.role, rollout.approval.role)',
      "hasAtLeastRole(wish.by.role, 'viewer')",
      approved({ people: 1, role: 'admin' }),
    ),
    one(
      'further waves need no approval',
      'rollouts/decide.ts',
      "if (then === 'advance') return { kind: 'advance' };",
      "if (then !== 'pause') return { kind: 'advance' };",
      approved({ people: 1 }, { then: 'approval' }),
    ),
  ],
  pauseHolds: [
    {
      name: 'dispatch does not look at pauses',
      focus: rolledOut({}, ['create', 'pause', 'work']),
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
  ],
  ableRobotsOnly: [
    one(
      'agents without windows get orders with windows',
      'holds.ts',
      "`(${of}.required_capabilities <> '{}' and (",
      "`(${of}.required_capabilities = '{never}' and (",
      nights('activate'),
    ),
  ],
  sentOnce: [
    one(
      'an order that its robot gave up is sent again',
      'model.ts',
      'isCancelOrder || reason === windowEnded',
      'isCancelOrder || reason !== windowEnded',
      rolledOut({ advance: { applied_percent: 0 } }, ['work']),
    ),
  ],
  wavesAsPlanned: [
    one(
      'waves are passed over',
      'rollouts/worker.ts',
      'wave: nextWave });',
      'wave: Math.min(nextWave + 1, due.lastWave) });',
      rolledOut({ waves: [{ count: 1 }, { count: 1 }, { count: 1 }], advance: { applied_percent: 0 } }, ['work']),
    ),
  ],
  whatIsDueIsDone: [
    one(
      'nothing is decided on',
      'rollouts/worker.ts',
      'if (!(await decideNext(kind))) return lockedMs;',
      'return Math.max(lockedMs, Number(await Promise.resolve(0)));',
    ),
  ],
  everyTargetEndsOrWaits: [
    one(
      'a wave begins without its robots',
      'rollouts/start-wave.ts',
      "wave.isGradual || releaseTargets(trx, key, 'o.wave = :wave', key)",
      "wave.isGradual || releaseTargets(trx, key, 'o.wave < :wave', key)",
      rolledOut({ waves: [{ percent: 100 }] }, ['work'], fleet(2, 5)),
    ),
    one(
      'a rollout that waits is never decided on again',
      'rollouts/worker.ts',
      'at: isOver ? null : new Date(againAt),',
      'at: isOver || againAt > 0 ? null : new Date(againAt),',
      rolledOut({ waves: [{ count: 1 }], advance: { soak: '10m' } }, [], fleet(2, 5)),
    ),
  ],
  offlineHoldsUpNothing: [
    one(
      'robots that are offline for long hold up their wave',
      'rollouts/facts.ts',
      'make_interval(secs => :seconds)',
      'make_interval(secs => 1000 * :seconds)',
      rolledOut(
        { waves: [{ count: 2 }], advance: { offline_after: '1m' } },
        ['create', 'work', 'work', 'time', 'time'],
        fleet(20, 2),
      ),
    ),
  ],
  countsAreRight: [
    one(
      'robots that roll back are not counted',
      'write-transitions.ts',
      "`${status} = c.${status} + d.${status}`).join(', ')}, event_seq",
      "`${status} = c.${status} + ${status === 'rolled_back' ? '0 * ' : ''}d.${status}`).join(', ')}, event_seq",
      rolledOut({ advance: { applied_percent: 0 } }, ['work']),
    ),
  ],
};
