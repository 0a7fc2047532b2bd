import { readSelector } from '../../../kernel/label-selector.ts';
import type { RolloutWave } from '../../../rollout-policies/service.ts';

/** A robot of a deployment. `labels`: needed only if a wave has a selector. */
interface Candidate {
  id: string;
  labels: Readonly<Record<string, string>>;
}

/**
 * The wave of each robot, from 1, by the order in which the robots are given. A robot is in the first wave that has
 * room for it and whose selector it matches; those that are in none form one more wave.
 */
export function assignWaves(robots: readonly Candidate[], waves: readonly RolloutWave[]): number[] {
  const open = waves.map(({ selector, percent, count }, index) => ({
    number: index + 1,
    labels: Object.entries(selector === undefined ? {} : readSelector('selector', selector)),
    room: count ?? (percent === undefined ? Infinity : sizeOf(percent, robots.length)),
  }));
  return robots.map(({ labels }) => {
    const wave = open.find(
      (each) =>
        each.room > 0 && each.labels.every(([name, value]) => Object.hasOwn(labels, name) && labels[name] === value),
    );
    if (!wave) return waves.length + 1;
    wave.room -= 1;
    return wave.number;
  });
}

/** Rounded up; at least one robot. A product such as 29 * 0.1 is a little more than it should be. */
const sizeOf = (percent: number, robots: number): number => Math.max(1, Math.ceil((robots * percent) / 100 - 1e-9));
