/** Notice of a change: ids only, less than 1 KiB. The row in Postgres is authoritative; a lost hint only adds delay. */
export type Hint =
  /** A member of the org lost a right: discard what is cached about its tokens. */
  | { topic: 'access_changed'; orgId: string }
  /** A newer link of a robot, with this epoch, replaced one that another replica holds. */
  | { topic: 'link_changed'; orgId: string; robotId: string; epoch: number }
  /**
   * An operator requested a token rotation for a robot at this time. 0: from a replica of the previous release, which
   * does not send it.
   */
  | { topic: 'rotation_wanted'; orgId: string; robotId: string; wantedAtMs: number }
  /** Condition rules or maintenance windows of the org changed, or robots await a review. */
  | { topic: 'conditions_changed'; orgId: string }
  /** Log redaction rules of the org changed. */
  | { topic: 'redactions_changed'; orgId: string }
  /** A robot moved, its labels changed, or a pin or maintenance holds it no longer. */
  | { topic: 'robot_changed'; orgId: string; robotId: string }
  /** A robot was removed; its pending work ends. */
  | { topic: 'robot_removed'; orgId: string; robotId: string }
  /** A deployment is due, or one may become due before the next known due time. */
  | { topic: 'deployment_due'; orgId: string }
  /** This replica has viewers that follow the logs of a robot. Repeat within 30 s. */
  | { topic: 'logs_followed'; orgId: string; robotId: string; replicaId: string }
  /** New log entries are stored for a robot that another replica follows. */
  | { topic: 'logs_stored'; orgId: string; robotId: string }
  /** Robots of a deployment have new orders, or orders to stop. */
  | { topic: 'orders_changed'; orgId: string; deploymentId: string };

/** A hint as it travels. */
export interface Message {
  id: string | undefined; // of a recorded hint; undefined for one that is not recorded
  hint: Hint;
}

export const writeMessage = ({ id, hint }: Message): string => JSON.stringify({ ...hint, id });

/** Undefined for a text of another form, such as a hint of a newer replica. */
export function readMessage(text: string): Message | undefined {
  try {
    const parsed = JSON.parse(text) as (Partial<Hint> & { id?: unknown }) | null;
    const hint = parsed ? readHint(parsed) : undefined;
    return hint && { id: typeof parsed?.id === 'string' ? parsed.id : undefined, hint };
  } catch {
    return undefined;
  }
}

function readHint(hint: Partial<Hint>): Hint | undefined {
  if (typeof hint.orgId !== 'string') return undefined;
  const { orgId } = hint;
  switch (hint.topic) {
    case 'access_changed':
    case 'conditions_changed':
    case 'redactions_changed':
    case 'deployment_due':
      return { topic: hint.topic, orgId };
    case 'orders_changed':
      return typeof hint.deploymentId === 'string'
        ? { topic: hint.topic, orgId, deploymentId: hint.deploymentId }
        : undefined;
    case 'logs_followed':
      return typeof hint.robotId === 'string' && typeof hint.replicaId === 'string'
        ? { topic: hint.topic, orgId, robotId: hint.robotId, replicaId: hint.replicaId }
        : undefined;
    case 'rotation_wanted':
      return typeof hint.robotId === 'string'
        ? { topic: hint.topic, orgId, robotId: hint.robotId, wantedAtMs: hint.wantedAtMs ?? 0 }
        : undefined;
    case 'logs_stored':
    case 'robot_changed':
    case 'robot_removed':
      return typeof hint.robotId === 'string' ? { topic: hint.topic, orgId, robotId: hint.robotId } : undefined;
    case 'link_changed':
      return typeof hint.robotId === 'string' && typeof hint.epoch === 'number'
        ? { topic: hint.topic, orgId, robotId: hint.robotId, epoch: hint.epoch }
        : undefined;
    case undefined:
    default:
      return undefined;
  }
}
