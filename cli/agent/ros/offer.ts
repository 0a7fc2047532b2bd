import type { RosGraphs, RosOffer } from './ros-graphs.ts';

const none = 'no ROS graph is configured on this robot';

/**
 * `stateDirectory` distinguishes this agent from others on its machine. Without graphs, a robot does not even read the
 * file of their drivers.
 */
export async function openRosGraphs(offer: RosOffer | undefined, stateDirectory: string): Promise<RosGraphs> {
  if (!offer || offer.urls.length === 0)
    return { sources: [], topic: none, topics: none, health: undefined, logs: () => [], stop: async () => undefined };
  // A bundle of its own (.ci/client-build.mjs).
  const { connectRosGraphs } = await import('./ros-graphs.ts');
  return connectRosGraphs(offer, stateDirectory);
}
