import type { HealthTrail, Robot } from '../data/data.ts';
import { age } from '../components/age.ts';
import type { Segment } from '../components/line.ts';
import { stateOf, stateSign, stateTones, problemsOf } from '../screens/robot-rows.ts';
import type { Signs } from '../theme.ts';
import type { Ui } from '../ui.ts';
import { healthRows } from './health-rows.ts';

/** The state as in lists, with health warnings beside it. Of an offline robot, these are on the Health tab only. */
export function robotState(robot: Robot, trail: HealthTrail | undefined, signs: Signs): Segment[] {
  const state = stateOf(robot);
  const more = state === 'offline' ? `, last seen ${ago(age(robot.last_seen_at))}` : '';
  const failures =
    (state === 'degraded' || state === 'unhealthy') && problemsOf(robot).length > 0
      ? `: ${problemsOf(robot).join(', ')}`
      : '';
  const said = { text: `${stateSign(state, signs)} ${state}${more}${failures}`, tone: stateTones[state] };
  if (!robot.online) return [said];
  const warnings = healthRows(trail?.points.slice(-1) ?? []).flatMap(({ label, warning }) =>
    warning === undefined ? [] : [`${label.trim()} ${warning}`],
  );
  return [said, ...(warnings.length === 0 ? [] : [{ text: `  ${signs.degraded} ${warnings.join(', ')}`, tone: 'warn' as const }])]; // prettier-ignore
}

export const ago = (text: string) => (text === 'now' || text === '' ? 'just now' : `${text} ago`);

/** The robot of a view; undefined while it is not known, or after it was removed. */
export const robotOf = ({ data }: Ui, robotId: string | undefined): Robot | undefined =>
  robotId === undefined ? undefined : data.robots.get().value?.byId.get(robotId);
