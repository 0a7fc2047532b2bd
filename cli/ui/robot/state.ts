import type { HealthTrail, Robot } from '../data/data.ts';
import { age } from '../components/age.ts';
import type { Segment } from '../components/line.ts';
import { stateOf, stateSign, stateTones, problemsOf } from '../screens/robot-rows.ts';
import type { Signs } from '../theme.ts';
import type { Ui } from '../ui.ts';
import { healthRows } from './health-rows.ts';

/** How it is, as in lists; beside that what its health warns of. Of one that is away, that stands in its health. */
export function robotState(robot: Robot, trail: HealthTrail | undefined, signs: Signs): Segment[] {
  const state = stateOf(robot);
  const more = state === 'offline' ? `, last seen ${ago(age(robot.last_seen_at))}` : '';
  const failures = state === 'degraded' ? `: ${problemsOf(robot).join(', ')}` : '';
  const said = { text: `${stateSign(state, signs)} ${state}${more}${failures}`, tone: stateTones[state] };
  if (!robot.online) return [said];
  const warnings = healthRows(trail?.points.slice(-1) ?? []).flatMap(({ label, warning }) =>
    warning === undefined ? [] : [`${label.trim()} ${warning}`],
  );
  return [said, ...(warnings.length === 0 ? [] : [{ text: `  ${signs.degraded} ${warnings.join(', ')}`, tone: 'warn' as const }])]; // prettier-ignore
}

export const ago = (text: string) => (text === 'now' || text === '' ? 'just now' : `${text} ago`);

/** The robot that a view is about; undefined while nobody knows it, or once it was removed. */
export const robotOf = ({ data }: Ui, robotId: string | undefined): Robot | undefined =>
  robotId === undefined ? undefined : data.robots.get().value?.byId.get(robotId);
