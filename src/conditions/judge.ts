import { dueMs, nextState, type StateChange } from './condition-state.ts';
import { evaluate } from './evaluate.ts';
import { factsOf, type Facts, type Snapshot } from './facts.ts';
import { severityRank, type CompiledRule } from './model.ts';
import type { Maintenance, RobotRecord, StatusNote, StatusWrite } from './status-store.ts';

/** What an evaluation decides of a robot. */
interface Judgement {
  write: StatusWrite;
  /** Whether callers see a change; otherwise only what the next evaluation needs differs. */
  isVisible: boolean;
}

/**
 * Whether a snapshot changes nothing, as that of nearly every robot at nearly every time: no condition is there or ended
 * lately, and none begins.
 */
export function changesNothing(
  robot: RobotRecord,
  rules: readonly CompiledRule[],
  snapshot: Snapshot,
  nowMs: number,
): boolean {
  const { pending, firing, ended } = robot.state;
  if (!robot.isKnown || robot.maintenance || robot.maintenanceNow) return false;
  if (!isEmpty(pending) || !isEmpty(firing) || !isEmpty(ended)) return false;
  if (robot.isRetired) return true;
  const facts = factsOfRobot(robot, snapshot, nowMs);
  return !rules.some((rule) => rule.appliesTo(robot.place) && evaluate(rule.expression, facts) === true);
}

/** Evaluates the rules of an org for one of its robots with its latest snapshot, if it has sent one. */
export function judge(
  robot: RobotRecord,
  rules: readonly CompiledRule[],
  snapshot: Snapshot | undefined,
  nowMs: number,
): Judgement {
  const applying = robot.isRetired ? [] : rules.filter((rule) => rule.appliesTo(robot.place));
  const facts = factsOfRobot(robot, snapshot, nowMs);
  const change = nextState(robot.state, applying, facts, nowMs);
  const due = dueMs(change.state, applying);
  const isKnown = robot.isKnown || snapshot !== undefined;
  const { maintenance, maintenanceNow } = robot;
  const hasOtherWindow = maintenance?.id !== maintenanceNow?.id || maintenance?.until !== maintenanceNow?.until;
  return {
    write: {
      orgId: robot.orgId,
      robotId: robot.robotId,
      version: robot.version,
      isKnown,
      severity: maintenanceNow ? 0 : severityOf(change),
      state: change.state,
      dueAt: due === undefined ? undefined : new Date(due),
      maintenance: maintenanceNow,
      notes: [...windowNotes(maintenance, maintenanceNow), ...conditionNotes(change)],
    },
    isVisible:
      change.started.length > 0 ||
      change.ended.length > 0 ||
      change.isReplaced ||
      isKnown !== robot.isKnown ||
      hasOtherWindow,
  };
}

const factsOfRobot = (robot: RobotRecord, snapshot: Snapshot | undefined, nowMs: number): Facts =>
  factsOf(snapshot, {
    offline: robot.offlineSeconds,
    reconnects: nowMs < robot.reconnectsUntilMs ? robot.reconnects : 0,
    agentVersion: robot.agentVersion,
  });

function isEmpty(record: object): boolean {
  for (const _key in record) return false;
  return true;
}

const severityOf = ({ state }: StateChange): number =>
  Math.max(0, ...Object.values(state.firing).map(({ condition }) => severityRank[condition.severity]));

const conditionNotes = ({ started, ended }: StateChange): StatusNote[] => [
  ...ended.map(({ rule_id, name, severity, since }) => ({
    kind: 'condition_ended' as const,
    details: { rule_id, name, severity, since },
  })),
  ...started.map(({ rule_id, name, severity, message }) => ({
    kind: 'condition_started' as const,
    details: { rule_id, name, severity, message },
  })),
];

/** One entry when the robot enters or leaves maintenance; another window without a pause between is neither. */
function windowNotes(before: Maintenance | null, after: Maintenance | null): StatusNote[] {
  if (!before && after) return [{ kind: 'maintenance_started', details: { until: after.until, reason: after.reason } }];
  return before && !after ? [{ kind: 'maintenance_ended', details: { reason: before.reason } }] : [];
}
