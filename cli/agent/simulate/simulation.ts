import { randomBytes } from 'node:crypto';
import type { SimulatedRobot } from '../../files/simulated-robots.ts';
import { playRobot, type PlayedRobot, type RobotSettings } from './robot.ts';
import { emptyCounts, type Counts } from './tally.ts';
import { startTimerWheel } from './timer-wheel.ts';

interface SimulationSettings extends Pick<
  RobotSettings,
  'backendUrl' | 'socketOptions' | 'profile' | 'seed' | 'agentVersion'
> {
  /** By index. */
  robots: ReadonlyMap<number, SimulatedRobot>;
  /** Robots per second that start to connect. */
  rampPerSecond: number;
}

export interface Simulation {
  readonly counts: Counts;
  /** Indexes of the robots that the service refused permanently. */
  refused(): number[];
  /** Closes every link gracefully. */
  stop(): Promise<void>;
}

/** Maximum number of links in their first connection attempt: more would only wait for each other. */
const maxConnecting = 100;
const rampTickMs = 50;

/** Runs the robots until it is stopped. */
export function startSimulation({ robots, rampPerSecond, ...settings }: SimulationSettings): Simulation {
  const [counts, wheel] = [emptyCounts(), startTimerWheel()];
  const run = randomBytes(6).toString('hex');
  const played = new Map(
    [...robots].map(([index, identity]): [number, PlayedRobot] => [
      index,
      playRobot(identity, index, { ...settings, wheel, counts, run }),
    ]),
  );
  const waiting = played.values();
  let allowed = 0;
  wheel.add(
    {
      run() {
        allowed = Math.min(rampPerSecond, allowed + (rampPerSecond * rampTickMs) / 1000);
        for (; allowed >= 1 && counts.robots.connecting < maxConnecting; allowed -= 1) {
          const next = waiting.next();
          if (next.done) return undefined;
          next.value.start();
        }
        return rampTickMs;
      },
    },
    0,
  );
  return {
    counts,
    refused: () => [...played].flatMap(([index, { whereabouts }]) => (whereabouts === 'refused' ? [index] : [])),
    async stop() {
      wheel.stop();
      await Promise.all([...played.values()].map((robot) => robot.stop()));
    },
  };
}
