import type { RolloutWave } from '../../../rollout-policies/service.ts';

/** A robot of a deployment. `matches`: whether it matches the selector of each wave; without a selector, true. */
interface Candidate {
  matches: readonly boolean[];
}

/**
 * The wave of each robot, from 1, by the order in which the robots are given. A robot is in the first wave that has
 * room for it and whose selector it matches; those that are in none form one more wave. `total`: number of robots of which
 * percentages are.
 */
export function assignWaves(
  robots: readonly Candidate[],
  waves: readonly Pick<RolloutWave, 'percent' | 'count'>[],
  total = robots.length,
): number[] {
  const open = waves.map(({ percent, count }, index) => ({
    index,
    room: count ?? (percent === undefined ? Infinity : sizeOf(percent, total)),
  }));
  return robots.map(({ matches }) => {
    const wave = open.find(({ room, index }) => room > 0 && matches[index]);
    if (!wave) return waves.length + 1;
    wave.room -= 1;
    return wave.index + 1;
  });
}

/** Rounded up; at least one robot. A product such as 29 * 0.1 is a little more than it should be. */
const sizeOf = (percent: number, robots: number): number => Math.max(1, Math.ceil((robots * percent) / 100 - 1e-9));
