import { badRequest } from '../kernel/errors.ts';
import { parseSelector } from '../kernel/label-selector.ts';
import { readApproval, refuseUnapproved, type Approval } from './approval.ts';
import { checkDuration } from './duration.ts';
import { readGates, readWindows, type RolloutGates, type RolloutWindows } from './rollout-windows.ts';

/*
 * A rollout, stored and sent as it is: fields have their wire names, and durations are texts such as `30m`. The contract
 * describes them.
 */

/** A part of the robots, with at least one of `selector`, `percent` and `count`. */
export interface RolloutWave {
  name?: string;
  selector?: string;
  percent?: number;
  count?: number;
}

interface Advance {
  applied_percent: number;
  min_ended: number;
  soak: string;
  offline_after?: string;
  then: 'advance' | 'pause' | 'approval';
}

type AbortReason = 'failed' | 'timed_out' | 'rejected' | 'rolled_back' | 'unhealthy' | 'drift' | 'any';

interface AbortRule {
  reasons: AbortReason[];
  percent?: number;
  count?: number;
  min_ended: number;
  within?: string;
  per: 'wave' | 'rollout';
  action: 'pause' | 'cancel' | 'rollback';
}

/** How fast robots receive a deployment, with at least one of these limits. */
export interface RolloutPace {
  max_in_flight?: number;
  per_minute?: number;
  growth?: { factor: number; after_applied: number; up_to?: number }; // only with `per_minute`
  downloads_per_site?: number;
}
/** What happens to older open deployments for the same robots; undefined: `replace`. */
export type Supersede = 'replace' | 'finish' | 'pause';

/** With all defaults. `ignored_windows`: in place of `windows`, of a deployment that ignores them. */
export interface Rollout {
  waves: RolloutWave[];
  advance: Advance;
  abort: AbortRule[];
  pace?: RolloutPace;
  approval?: Approval;
  supersede?: Supersede;
  gates?: RolloutGates;
  windows?: RolloutWindows;
  ignored_windows?: RolloutWindows;
}

/** As a caller requests it. */
export interface RolloutCreate {
  waves: RolloutWave[];
  advance?: Partial<Advance>;
  abort?: (Partial<AbortRule> & Pick<AbortRule, 'reasons'>)[];
  pace?: RolloutPace;
  approval?: Partial<Approval>;
  supersede?: Supersede;
  gates?: Partial<RolloutGates>;
  windows?: Partial<RolloutWindows>;
}

/**
 * Checks a rollout and fills in its defaults. `field`: where the request has it.
 * @throws bad_request, naming the field
 */
export function readRollout(
  field: string,
  { waves, advance = {}, abort = [], pace, approval, supersede, gates, windows }: RolloutCreate,
): Rollout {
  waves.forEach((wave, index) => checkWave(`${field}.waves.${index}`, wave));
  // Rounded, as a sum of decimal fractions may be a little above what it is.
  const percent = Number(waves.reduce((sum, wave) => sum + (wave.percent ?? 0), 0).toFixed(6));
  if (percent > 100) throw badRequest(`${field}.waves: the percentages add up to ${percent} %, more than all robots`);
  const { offline_after: offlineAfter } = advance;
  checkDuration(`${field}.advance.soak`, advance.soak, 0);
  checkDuration(`${field}.advance.offline_after`, offlineAfter, 60);
  if (pace) checkPace(`${field}.pace`, pace);
  refuseUnapproved(field, advance.then, approval);
  return {
    waves,
    advance: {
      applied_percent: advance.applied_percent ?? 100,
      min_ended: advance.min_ended ?? 1,
      soak: advance.soak ?? '0s',
      ...(offlineAfter !== undefined && { offline_after: offlineAfter }),
      then: advance.then ?? 'advance',
    },
    abort: abort.map((rule, index) => readAbort(`${field}.abort.${index}`, rule)),
    ...(pace && { pace }),
    ...(approval && { approval: readApproval(`${field}.approval`, approval) }),
    ...(supersede !== undefined && { supersede }),
    ...(gates && { gates: readGates(`${field}.gates`, gates) }),
    ...(windows && { windows: readWindows(`${field}.windows`, windows) }),
  };
}

/** The rollout of a deployment that ignores its windows. */
export const ignoringWindows = ({ windows, ...rest }: Rollout): Rollout => ({
  ...rest,
  ...(windows && { ignored_windows: windows }),
});

function checkPace(field: string, { per_minute: rate, growth }: RolloutPace): void {
  if (!growth) return;
  if (rate === undefined) throw badRequest(`${field}.growth: needs per_minute, which it multiplies`);
  if (growth.up_to !== undefined && growth.up_to < rate)
    throw badRequest(`${field}.growth.up_to: must be at least per_minute, ${rate}`);
}

function checkWave(field: string, { selector, percent, count }: RolloutWave): void {
  if (percent !== undefined && count !== undefined) throw badRequest(`${field}: percent and count exclude each other`);
  if (selector === undefined && percent === undefined && count === undefined)
    throw badRequest(`${field}: needs selector, percent or count`);
  if (selector !== undefined) parseSelector(`${field}.selector`, selector);
}

function readAbort(field: string, rule: NonNullable<RolloutCreate['abort']>[number]): AbortRule {
  const { reasons, percent, count, within } = rule;
  if ((percent === undefined) === (count === undefined))
    throw badRequest(`${field}: needs ${percent === undefined ? 'percent or count' : 'only one of percent and count'}`);
  if (reasons.includes('any') && reasons.length > 1)
    throw badRequest(`${field}.reasons: any includes the others; send it alone`);
  checkDuration(`${field}.within`, within, 60);
  return { ...rule, min_ended: rule.min_ended ?? 1, per: rule.per ?? 'rollout', action: rule.action ?? 'pause' };
}
