import type { HealthTrail, Robot } from '../../stores/data.ts';
import { age } from '../components/age.ts';
import type { Signs, Tone } from '../theme.ts';
import type { Ui } from '../ui.ts';
import { healthRows } from './health-rows.ts';

/** Its last words count while it is there: what was wrong before it went away is in its health. */
export function robotState(robot: Robot, trail: HealthTrail | undefined, signs: Signs): { text: string; tone: Tone } {
  const seen = age(robot.last_seen_at);
  if (robot.last_seen_at === undefined) return { text: `${signs.unknown} never seen`, tone: 'quiet' };
  if (!robot.online) return { text: `${signs.offline} offline, last seen ${ago(seen)}`, tone: 'warn' };
  const troubles = [
    ...(robot.duplicate_agent_at === undefined ? [] : ['two agents']),
    ...(Object.values(robot.reported.releases).some(({ drift }) => drift !== undefined) ? ['drifted'] : []),
    ...healthRows(trail?.points.slice(-1) ?? []).flatMap(({ label, warning }) =>
      warning === undefined ? [] : [`${label.trim()} ${warning}`],
    ),
  ];
  if (troubles.length > 0) return { text: `${signs.degraded} degraded: ${troubles.join(', ')}`, tone: 'warn' };
  return { text: `${signs.online} online`, tone: 'good' };
}

export const ago = (text: string) => (text === 'now' || text === '' ? 'just now' : `${text} ago`);

/** The robot that a view is about; undefined while nobody knows it, or once it was removed. */
export const robotOf = ({ data }: Ui, robotId: string | undefined): Robot | undefined =>
  robotId === undefined ? undefined : data.robots.get().value?.byId.get(robotId);
