import type { Rollout } from '../../../../../src/rollout-policies/service.ts';
import type { Happening } from './history.ts';

/** A deployment, and all that was committed of it, in order. */
export interface Case {
  id: string;
  rollout: Rollout | undefined;
  isUrgent: boolean;
  happenings: readonly Happening[];
  /** The waves of its plan by robot; undefined without one. */
  planned: ReadonlyMap<string, number> | undefined;
}

/** Gives a sentence if it is broken. */
export type Invariant = (of: Case) => string | undefined;

export const isDispatch = ({ kind, facts }: Happening) => kind === 'moved' && facts.to === 'dispatched';
export const isEnd = (status = '') => ['applied', 'failed', 'rolled_back', 'cancelled'].includes(status);
export const isUnreached = (reason: string | null = '') => reason === 'expired' || reason === 'too_many_orders';
export const isFailure = ({ kind, facts: { to, reason } }: Happening) =>
  kind === 'moved' && (to === 'failed' || to === 'rolled_back') && !isUnreached(reason) && reason !== 'robot_removed';

/**
 * Robots that applied it, and the causes for which they do not count: they became unhealthy since it was sent to them, or run
 * something else since they applied it. What a person accepted by a resume is none. `see`: takes the happenings in order.
 */
export function readRunning() {
  const applied = new Set<string>();
  const causes = new Map<string, Set<string>>();
  const disturbed = (such: (cause: string) => boolean = () => true) =>
    [...applied].filter((robot) => [...(causes.get(robot) ?? [])].some(such));
  return {
    applied: applied as ReadonlySet<string>,
    disturbed,
    see({ kind, robot, facts }: Happening): void {
      if (facts.isAccepting) causes.clear();
      if (robot === null) return;
      const own = causes.get(robot) ?? new Set<string>();
      causes.set(robot, own);
      if (kind === 'disturbed' && facts.cause) own[facts.isOn ? 'add' : 'delete'](facts.cause);
      if (kind !== 'moved') return;
      if (facts.to === 'dispatched') own.delete('unhealthy');
      if (facts.to === 'applied') own.delete('drift');
      if (facts.to === 'applied') applied.add(robot);
    },
  };
}
