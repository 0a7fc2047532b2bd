import type { LinkRef } from './batch.ts';

/** Robots that are remembered. */
const maxRobots = 20_000;

/** The newest link of each robot that failed. Once it failed, so have those before it. */
export function failedLinks() {
  const epochs = new Map<string, number>();
  const has = ({ robotId, epoch }: LinkRef): boolean => epoch <= (epochs.get(robotId) ?? -1);

  return {
    has,
    add(link: LinkRef): void {
      if (has(link)) return;
      epochs.delete(link.robotId); // keeps the map in the order of failures
      epochs.set(link.robotId, link.epoch);
      const [oldest] = epochs.keys();
      if (epochs.size > maxRobots && oldest !== undefined) epochs.delete(oldest);
    },
  };
}
