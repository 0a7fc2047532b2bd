import pino from 'pino';
import { createRecorder, metricService, metricUpkeep } from '../../src/robot-metrics/service.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, type IsolatedWorld } from '../support/world.ts';

const noLines = pino({ level: 'silent' });

/** Recorders of several replicas on one database, with a clock that a test moves. */
export async function startMetrics(startAt: Date) {
  const world: IsolatedWorld = await startIsolatedWorld();
  const { robot_id: robotId } = await robotsOf(world).enroll();
  const robot = { orgId: world.orgId, robotId };
  const clock = { ms: startAt.getTime() };
  const nowMs = () => clock.ms;
  return {
    world,
    robot,
    clock,
    replica: () => createRecorder({ db: world.db, log: noLines, nowMs, flushEveryMs: 3_600_000 }),
    upkeep: metricUpkeep(world.db, nowMs),
    service: metricService(world.db, nowMs),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
