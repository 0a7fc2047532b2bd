import type { Expression } from './expression.ts';

/** How much a condition affects a robot. */
export type Severity = 'degraded' | 'unhealthy';
/** Stored as a number, so that the greatest of several is the robot's. */
export const severityRank: Readonly<Record<Severity, number>> = { degraded: 1, unhealthy: 2 };

/** Of which robots a rule is evaluated: all of the org, or those of a site, of a fleet, or with all these labels. */
export type Scope =
  { kind: 'org' } | { kind: 'site'; id: string } | { kind: 'fleet'; id: string } | { kind: 'label'; selector: string };

/** The fields that a caller sets. */
export interface RuleSettings {
  name: string;
  scope: Scope;
  expression: string;
  forSeconds: number; // how long the expression holds before the condition begins
  clear: string | undefined; // ends the condition; undefined: that the expression no longer holds
  severity: Severity;
  enabled: boolean;
}

export interface ConditionRule extends RuleSettings {
  id: string;
  builtin: boolean; // created with the org
  createdAt: Date;
  updatedAt: Date;
}

/** A rule as it is evaluated. */
export interface CompiledRule {
  id: string;
  name: string;
  severity: Severity;
  appliesTo(robot: RobotPlace): boolean;
  expression: Expression;
  forMs: number;
  clear: Expression | undefined;
}

/** What scopes depend on. */
export interface RobotPlace {
  siteId: string;
  fleetId: string;
  labels: Readonly<Record<string, string>>;
}

/** A condition of a robot. Stored in wire format, so the fields have their wire names. */
export interface RobotCondition {
  rule_id: string;
  name: string;
  severity: Severity;
  since: string;
  message: string; // the values that made it begin
}

/** Most rules of an org. */
export const maxRules = 100;
/** Longest wait before a condition begins. */
export const maxForSeconds = 7 * 86_400;

/** What a maintenance window covers. */
export interface WindowTarget {
  kind: 'robot' | 'fleet' | 'site';
  id: string;
}

/** A time in which the conditions of robots do not count. */
export interface MaintenanceWindow {
  id: string;
  target: WindowTarget;
  reason: string;
  createdAt: Date;
  endsAt: Date;
  endedAt: Date | undefined; // undefined while it lasts
}
