import { evaluate, explain } from './evaluate.ts';
import type { Facts } from './facts.ts';
import type { CompiledRule, RobotCondition } from './model.ts';

/*
 * The conditions of one robot. For each rule:
 *
 *   clear   → pending  the expression holds, and the rule waits before it begins
 *   pending → clear    the expression does not hold
 *   clear, pending → firing  the expression has held for long enough
 *   firing  → clear    the rule's `clear` holds, or without one: the expression does not hold; not before its hold ends
 *
 * A value that is missing changes nothing: a program that fails once neither starts nor ends a condition. After
 * `missingMs` without it, the condition ends. A condition that begins again within an hour is held for a
 * minute, and each further time twice as long, so that values that flap cost a few entries of the timeline, not
 * thousands.
 */

export interface ConditionState {
  /** By rule ID. Instants are ms since the epoch. One that a clock ahead stored counts as now. */
  pending: Record<string, { sinceMs: number; message: string }>;
  firing: Record<string, { condition: RobotCondition; holdMs: number; missingSinceMs?: number }>;
  /** Conditions that ended within the last hour. */
  ended: Record<string, { atMs: number; holdMs: number }>;
}

export interface StateChange {
  state: ConditionState;
  started: RobotCondition[];
  ended: RobotCondition[];
  /** A condition continues under another name or severity, or with an earlier start. */
  isReplaced: boolean;
}

/** Of the second time within an hour. */
const firstHoldMs = 60_000;
const longestHoldMs = 32 * 60_000;
const rememberedMs = 3_600_000;
export const missingMs = 15 * 60_000;

export const noConditions: ConditionState = { pending: {}, firing: {}, ended: {} };

/** The state after new values of the robot, or after a change of its rules: those that apply to it. */
export function nextState(
  state: ConditionState,
  rules: readonly CompiledRule[],
  facts: Facts,
  nowMs: number,
): StateChange {
  const next: ConditionState = { pending: {}, firing: {}, ended: {} };
  const change: StateChange = { state: next, started: [], ended: [], isReplaced: false };
  for (const rule of rules) {
    const firing = state.firing[rule.id];
    if (firing) keepOrEnd(rule, firing);
    else waitOrStart(rule, state.pending[rule.id]);
  }
  for (const [id, firing] of Object.entries(state.firing))
    if (!next.firing[id] && !next.ended[id]) change.ended.push(firing.condition); // its rule no longer applies
  for (const [id, ended] of Object.entries(state.ended))
    if (nowMs - ended.atMs < rememberedMs && !next.firing[id] && !next.ended[id])
      next.ended[id] = { ...ended, atMs: Math.min(ended.atMs, nowMs) };
  return change;

  function keepOrEnd(rule: CompiledRule, firing: ConditionState['firing'][string]): void {
    const truth = evaluate(rule.expression, facts);
    const isCleared = rule.clear ? evaluate(rule.clear, facts) === true : truth === false;
    const missingSinceMs = truth === undefined ? Math.min(firing.missingSinceMs ?? nowMs, nowMs) : undefined;
    const isOver = isCleared || (missingSinceMs !== undefined && nowMs - missingSinceMs >= missingMs);
    const { condition: stored } = firing;
    const sinceMs = Math.min(Date.parse(stored.since), nowMs);
    const since = new Date(sinceMs).toISOString();
    if (isOver && nowMs - sinceMs >= firing.holdMs) {
      next.ended[rule.id] = { atMs: nowMs, holdMs: firing.holdMs };
      change.ended.push({ ...stored, since });
      return;
    }
    const { name, severity } = rule;
    const isSame = stored.name === name && stored.severity === severity && stored.since === since;
    if (!isSame) change.isReplaced = true;
    next.firing[rule.id] = {
      condition: isSame ? stored : { ...stored, name, severity, since },
      holdMs: firing.holdMs,
      ...(missingSinceMs !== undefined && { missingSinceMs }),
    };
  }

  function waitOrStart(rule: CompiledRule, pending: ConditionState['pending'][string] | undefined): void {
    const truth = evaluate(rule.expression, facts);
    if (truth === false || (truth === undefined && !pending)) return;
    const sinceMs = Math.min(pending?.sinceMs ?? nowMs, nowMs);
    const message = truth === true ? explain(rule.expression, facts) : (pending?.message ?? '');
    if (nowMs - sinceMs < rule.forMs) next.pending[rule.id] = { sinceMs, message };
    else start(rule, message);
  }

  function start({ id, name, severity }: CompiledRule, message: string): void {
    const before = state.ended[id];
    const isAgain = before !== undefined && nowMs - before.atMs < rememberedMs;
    const condition = { rule_id: id, name, severity, since: new Date(nowMs).toISOString(), message };
    next.firing[id] = { condition, holdMs: isAgain ? heldLonger(before.holdMs) : 0 };
    change.started.push(condition);
  }
}

const heldLonger = (holdMs: number) => Math.min(Math.max(2 * holdMs, firstHoldMs), longestHoldMs);

/** When the first pending condition may begin; undefined if none is pending. */
export function dueMs({ pending }: ConditionState, rules: readonly CompiledRule[]): number | undefined {
  let due: number | undefined;
  for (const { id, forMs } of rules) {
    const waiting = pending[id];
    if (waiting && (due === undefined || waiting.sinceMs + forMs < due)) due = waiting.sinceMs + forMs;
  }
  return due;
}
