import type { ModelDeployment, ModelRobot } from './walk-model.ts';

const given = ['failed', 'rolled_back', 'cancelled'];

/** Of the deployment and its cause: the rank of the newest deployment at the request. */
const rolledBackAt = ({ id, causeId }: ModelDeployment, ranked: readonly ModelDeployment[]) =>
  ranked.filter((each) => each.id === id || each.id === causeId).map((each) => each.rolledBackAt ?? -Infinity);

/**
 * The deployments that return the robots which applied one that is rolled back, and what it caused. `ranked`: all that
 * began, in that order. Robots that it decides on are noted in `decided`.
 */
export function returnsOf(
  original: ModelDeployment,
  decided: Set<string>,
  ranked: readonly ModelDeployment[],
  robots: ReadonlyMap<string, ModelRobot>,
): ModelDeployment[] {
  const seen = new Set<string>();
  const isSame = (each: ModelDeployment) => each.lane === original.lane && each.key === original.key;
  const groups = new Map<string, Map<string, number>>(); // payload → robots with their waves
  for (const own of ranked.filter((each) => each === original || each.causeId === original.id).toReversed())
    for (const [robotId, target] of own.targets) {
      if (target.status !== 'applied' || decided.has(robotId) || seen.has(robotId)) continue;
      seen.add(robotId);
      const others = ranked.filter((each) => isSame(each) && each !== own && each.targets.has(robotId));
      const isNewer = (each: ModelDeployment) => (each.rank ?? 0) > (own.rank ?? 0);
      const newest = others.findLast(
        (each) => isNewer(each) && !given.includes(each.targets.get(robotId)?.status ?? ''),
      );
      const isReplaced = newest !== undefined && newest.payload !== original.payload;
      const isGone = robots.get(robotId)?.gone === true;
      // It may never receive what it is to have.
      if (isReplaced && !isGone && newest.targets.get(robotId)?.status !== 'applied') continue;
      decided.add(robotId);
      const source = others.findLast(
        (each) =>
          !isNewer(each) &&
          each.targets.get(robotId)?.status === 'applied' &&
          each.payload !== original.payload &&
          !others.some(
            (bad) => bad.payload === each.payload && Math.max(...rolledBackAt(bad, ranked)) >= (each.rank ?? 0),
          ),
      );
      if (isGone || isReplaced || !source) continue;
      const wave = own === original ? target.wave : (original.rollout?.lastWave ?? 1);
      groups.set(source.payload, (groups.get(source.payload) ?? new Map<string, number>()).set(robotId, wave));
    }
  return [...groups].map(([payload, returning]) => {
    const waves = [...new Set(returning.values())].toSorted((one, other) => other - one);
    const sizes = waves.map((wave) => [...returning.values()].filter((each) => each === wave).length);
    return {
      ...original,
      name: `return from ${original.name}`,
      id: undefined,
      causeId: undefined,
      payload,
      isDue: true,
      rank: undefined,
      cancelled: false,
      paused: false,
      begun: false,
      ended: undefined,
      rollbackOf: original,
      decided: undefined,
      rolledBackAt: undefined,
      returning,
      targets: new Map(),
      rollout: {
        sizes,
        pauses: false,
        isLenient: true,
        abort: undefined,
        wave: 0,
        lastWave: 0,
        hasEnded: false,
        hasPaused: false,
      },
    };
  });
}
