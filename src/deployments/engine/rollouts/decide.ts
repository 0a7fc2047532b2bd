import { parseDuration } from '../../../kernel/duration.ts';
import type { Rollout } from '../../../rollout-policies/service.ts';
import type { PauseCode } from '../model.ts';

/**
 * Why a robot did not apply the release, or does not run it well. No abort rule counts `unreached`, which never had the
 * chance, and `removed`, which left while it rolled back.
 */
export type FailureCause =
  ('failed' | 'timed_out' | 'rejected' | 'rolled_back') | ('unreached' | 'removed') | ('unhealthy' | 'drift');

export interface Failure {
  robotId: string;
  wave: number;
  atMs: number;
  cause: FailureCause;
}

/** Robots of a wave that has begun. Cancelled targets, as those of removed robots, are in none of these numbers. */
export interface WaveFacts {
  wave: number;
  total: number;
  applied: number;
  failed: number; // or rolled back
  offline: number; // that hold it up no longer, as they are offline for too long
  held: number; // that a pin or maintenance keeps from it
  soakStartedAtMs: number | undefined;
  hasEnded: boolean; // also if it is skipped
  isSkipped: boolean;
}

/** What is known of a rollout at one instant. */
export interface RolloutFacts {
  nowMs: number;
  waves: readonly WaveFacts[]; // those that have begun, in order
  lastWave: number;
  nextWave: number; // that follows the current one, without skipped ones
  approvedWave: number; // the latest that people approved
  /** Of all waves that have begun; also robots that applied it and became unhealthy, or run something else. */
  failures: readonly Failure[];
  /** Failures until then no longer count. */
  acceptedAtMs: number;
}

export type Decision =
  /** The current wave has ended, and `nextWave` begins. */
  | { kind: 'advance' }
  /** `endsWave`: the current wave has ended, and a resume begins the next one. */
  | {
      kind: 'pause';
      code: Exclude<PauseCode, 'requested' | 'superseded' | 'frozen'>;
      message: string;
      endsWave: boolean;
    }
  | { kind: 'cancel' | 'rollback'; message: string }
  /**
   * Nothing now. `soakStartedAtMs`: undefined if the soak time does not pass; `untilMs`: when it will have passed.
   * `isDisturbed`: it would pass, but for robots that became unhealthy or run something else.
   */
  | { kind: 'wait'; soakStartedAtMs?: number; untilMs?: number; isDisturbed?: boolean };

type AbortRule = Rollout['abort'][number];

/**
 * What follows in a rollout. Abort rules take precedence. A wave has ended when enough of its robots have applied the
 * release, and did so for the soak time. One in which too many failed for that never ends: the rollout pauses. The last
 * wave needs no end: the deployment ends with its robots.
 */
export function decideRollout(rollout: Rollout, facts: RolloutFacts): Decision {
  const failures = facts.failures.filter(({ atMs }) => atMs > facts.acceptedAtMs);
  const reached = rollout.abort
    .map((rule) => ({ rule, message: limitReached(rule, facts, failures) }))
    .filter(({ message }) => message !== undefined)
    .sort((one, other) => severityOf(other.rule) - severityOf(one.rule))[0];
  if (reached?.message !== undefined)
    return reached.rule.action === 'pause'
      ? { kind: 'pause', code: 'aborted', message: reached.message, endsWave: false }
      : { kind: reached.rule.action, message: reached.message };
  const current = facts.waves.at(-1);
  if (!current || current.wave >= facts.lastWave) return { kind: 'wait' };
  // Nothing was learned from a wave without robots: who approved it approved the next one too.
  if (current.total === 0 && !current.isSkipped) return { kind: 'advance' };
  if (!current.hasEnded) return judgeWave(rollout.advance, facts.nowMs, current, failures);
  if (rollout.advance.then !== 'approval' || facts.approvedWave >= facts.nextWave) return { kind: 'advance' };
  return {
    kind: 'pause',
    code: 'approval',
    message: `wave ${current.wave}: it was ${current.isSkipped ? 'skipped' : 'ended'}`,
    endsWave: true,
  };
}

/** Of several rules that are reached, the one that does most is followed. */
const severityOf = ({ action }: AbortRule): number => ['pause', 'cancel', 'rollback'].indexOf(action);

function judgeWave(
  { applied_percent: percent, min_ended: minEnded, soak, offline_after: offlineAfter, then }: Rollout['advance'],
  nowMs: number,
  wave: WaveFacts,
  failures: readonly Failure[],
): Decision {
  const inWave = failures.filter((each) => each.wave === wave.wave);
  const numberOf = (such: (cause: FailureCause) => boolean) => inWave.filter(({ cause }) => such(cause)).length;
  const removed = numberOf((cause) => cause === 'removed');
  // It held up its wave no longer while it was offline, and does not as it expires.
  const expired = offlineAfter === undefined ? 0 : numberOf((cause) => cause === 'unreached');
  const failed = numberOf((cause) => !isOfRunning(cause)) - removed - expired;
  const candidates = wave.total - wave.held - (wave.failed - failed - expired); // without those that were accepted or removed
  const members = Math.max(0, candidates - expired - wave.offline);
  const need = Math.ceil((members * percent) / 100 - slack);
  const pause = (message: string): Decision => ({
    kind: 'pause',
    code: 'wave_failed',
    endsWave: false,
    message: `wave ${wave.wave}: ${message}`,
  });
  if (members - failed < need)
    return pause(`${failed} of ${members} robots did not apply it; at least ${percent} % must`);
  const ended = wave.applied + failed;
  // Nothing is learned from a wave whose robots are all held: it waits for one of them, or for people.
  const least = Math.min(minEnded, wave.held > 0 ? Math.max(1, candidates) : candidates);
  if (ended < least && wave.applied + wave.failed >= wave.total)
    return pause(`only ${ended} of ${candidates} robots were reached; at least ${least} must be`);
  const isEnough = percent === 0 ? ended >= members : wave.applied >= need;
  if (!isEnough || ended < least) return { kind: 'wait' };
  const disturbed = new Set(inWave.filter(({ cause }) => isOfRunning(cause)).map(({ robotId }) => robotId)).size;
  if (wave.applied - disturbed < need) return { kind: 'wait', isDisturbed: true };
  const soakStartedAtMs = wave.soakStartedAtMs ?? nowMs;
  const untilMs = soakStartedAtMs + msOf(soak);
  if (nowMs < untilMs) return { kind: 'wait', soakStartedAtMs, untilMs };
  if (then === 'advance') return { kind: 'advance' };
  const counted = `${wave.applied} of ${members} robots applied it`;
  const code = then === 'pause' ? 'wave_ended' : 'approval';
  return { kind: 'pause', code, message: `wave ${wave.wave}: ${counted}`, endsWave: true };
}

/** A product such as 29 * 0.1 is a little more than it should be. */
const slack = 1e-9;

/** Of robots that applied the release. */
const isOfRunning = (cause: FailureCause): boolean => cause === 'unhealthy' || cause === 'drift';

/** What a rule counted, if that reaches its limit; of its waves the first that does. */
function limitReached(rule: AbortRule, facts: RolloutFacts, failures: readonly Failure[]): string | undefined {
  const sinceMs = rule.within === undefined ? -Infinity : facts.nowMs - msOf(rule.within);
  const counted = failures.filter(({ cause, atMs }) => atMs > sinceMs && counts(rule, cause));
  if (counted.length === 0) return undefined;
  if (rule.per === 'rollout') return overLimit(rule, 'the rollout', facts.waves, counted, failures);
  return facts.waves
    .map((wave) => overLimit(rule, `wave ${wave.wave}`, [wave], counted, failures))
    .find((message) => message !== undefined);
}

/** A robot whose earlier reports were lost seems to have rejected it: `failed` counts it too. */
const counts = ({ reasons }: AbortRule, cause: FailureCause): boolean =>
  cause !== 'unreached' &&
  cause !== 'removed' &&
  (reasons.includes('any') || reasons.includes(cause) || (cause === 'rejected' && reasons.includes('failed')));

function overLimit(
  { reasons, percent, count, min_ended: minEnded, within }: AbortRule,
  scope: string,
  waves: readonly WaveFacts[],
  counted: readonly Failure[],
  failures: readonly Failure[],
): string | undefined {
  const isIn = ({ wave }: Failure) => waves.some((each) => each.wave === wave);
  const robots = new Set(counted.filter(isIn).map(({ robotId }) => robotId)).size;
  const failed = failures.filter((each) => isIn(each) && !isOfRunning(each.cause)).length;
  const ended = waves.reduce((sum, { applied }) => sum + applied, failed);
  if (robots === 0 || ended < minEnded) return undefined;
  if (count === undefined ? robots * 100 < (percent ?? 0) * ended - slack : robots < count) return undefined;
  const limit = count === undefined ? `${percent} %` : String(count);
  const time = within === undefined ? '' : ` within ${within}`;
  return `${scope}: ${robots} of ${ended} ended robots${time} (${reasons.join(', ')}); the limit is ${limit}`;
}

const msOf = (duration: string): number => (parseDuration(duration) ?? 0) * 1_000; // checked when it was created
