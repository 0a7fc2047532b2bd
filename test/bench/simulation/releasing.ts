import type { Random } from '../../support/random.ts';
import { costs } from './costs.ts';
import { stepSeconds, timeline } from './timeline.ts';

interface Rollout {
  robots: number;
  replicas: number;
  /** Shortest and longest time of the work before each report but the first, which answers the order. */
  work: readonly (readonly [number, number])[];
  random: Random;
}

export interface Released {
  mostSeconds: number; // until 99 % are applied
  allSeconds: number;
  longestQueue: number; // of reports
  cores: number; // while there are reports
}

/** A release to all robots of a cell, whose reports queue for one process that records all of them. */
export function releaseToAll({ robots, replicas, work, random }: Rollout): Released {
  const reports = timeline();
  const sent = new Uint8Array(robots);
  const spanSeconds = robots / replicas / costs.ordersPerSecond;
  const workSeconds = (step: number) => {
    const [least, most] = work[step] ?? [0, 0];
    return least + (random.below(1_000) / 1_000) * (most - least);
  };
  for (let robot = 0; robot < robots; robot += 1)
    reports.add(costs.targetsSeconds + (random.below(1_000) / 1_000) * spanSeconds, robot);
  const queue: number[] = [];
  let first = 0;
  let applied = 0;
  let mayRecord = 0;
  const result = { mostSeconds: 0, allSeconds: 0, longestQueue: 0 };
  while (!reports.isEmpty || first < queue.length) {
    const { atSeconds, due } = reports.next();
    for (const robot of due) queue.push(robot);
    result.longestQueue = Math.max(result.longestQueue, queue.length - first);
    mayRecord = first < queue.length ? mayRecord + stepSeconds / costs.reportSeconds : 0;
    for (; mayRecord >= 1 && first < queue.length; mayRecord -= 1) {
      const robot = queue[first++] ?? 0;
      const done = (sent[robot] = (sent[robot] ?? 0) + 1);
      if (done <= work.length) {
        reports.add(atSeconds + stepSeconds + workSeconds(done - 1), robot);
        continue;
      }
      applied += 1;
      result.allSeconds = atSeconds;
      if (applied <= 0.99 * robots) result.mostSeconds = atSeconds;
    }
  }
  return { ...result, cores: (robots * (work.length + 1) * costs.reportCpuSeconds) / result.allSeconds };
}
