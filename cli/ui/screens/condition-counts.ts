import { derivedRows, perUi } from '../table/derived-rows.ts';
import type { Tone } from '../theme.ts';
import { robotRows } from './robot-rows.ts';

/** Robots with a condition of that name, in maintenance or not, as the filter `condition` finds them. */
export interface ConditionCount {
  name: string;
  severity: string;
  robots: number;
  /** Of these, robots in maintenance, where it does not count. */
  silenced: number;
  /** When it began at the robot that has it for the shortest time. */
  newest: string;
}

export const severityTone = (severity: string): Tone => (severity === 'unhealthy' ? 'bad' : 'warn');

/** The worst first, then those of most robots. */
export const conditionCounts = perUi((ui) =>
  derivedRows(robotRows(ui), [], (rows): ConditionCount[] => {
    const counts = new Map<string, ConditionCount>();
    for (const { robot, conditions } of rows) {
      if (conditions.length === 0) continue;
      const seen = conditions.length > 1 ? new Set<string>() : undefined;
      for (const { name, severity, since } of conditions) {
        const count = counts.get(name) ?? { name, severity, robots: 0, silenced: 0, newest: since };
        // Two rules may have one name.
        if (!seen?.has(name)) {
          count.robots += 1;
          if (robot.maintenance) count.silenced += 1;
        }
        seen?.add(name);
        if (severity === 'unhealthy') count.severity = severity;
        if (since > count.newest) count.newest = since;
        counts.set(name, count);
      }
    }
    const isWorse = ({ severity }: ConditionCount) => Number(severity === 'unhealthy');
    return [...counts.values()].sort(
      (one, other) => isWorse(other) - isWorse(one) || other.robots - one.robots || (one.name < other.name ? -1 : 1),
    );
  }),
);
