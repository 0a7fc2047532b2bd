import type { Random } from '../../support/random.ts';
import { rules } from './costs.ts';
import { stepSeconds, timeline } from './timeline.ts';

interface Storm {
  robots: number; // that have no link
  replicas: number; // that accept links, as a load balancer gives them by chance
  downSeconds: number; // before that nothing accepts them
  random: Random;
}

export interface Returned {
  mostSeconds: number; // from the moment at which links are accepted, until 99 % have one
  allSeconds: number;
  longestQueue: number; // most robots that were refused, and wait
}

const fine = 1_000_000;
/** 0 up to 1. */
const chance = (random: Random) => random.below(fine) / fine;

/** Ceilings of 2, 4, 8, 16, 30, 30 … s, each times 0.5 to 1, as agents wait. */
const backoffSeconds = (attempt: number, random: Random) =>
  Math.min(30, 2 ** (attempt + 1)) * (0.5 + chance(random) / 2);

interface Replica {
  allowed: number;
  refused: number;
}

/** Undefined for a link that is accepted, else the wait that the agent is asked for. All replicas count as busy throughout. */
function askSeconds(replica: Replica, random: Random): number | undefined {
  if (replica.allowed >= 1) {
    replica.allowed -= 1;
    return undefined;
  }
  replica.refused += 1;
  const within = Math.ceil(1 + (2 * replica.refused) / rules.admitPerSecond);
  return 1 + random.below(Math.min(rules.longestRetrySeconds, within));
}

/** How agents come back, with their backoff, to replicas that accept 500 of them a second each. */
export function comeBack({ robots, replicas, downSeconds, random }: Storm): Returned {
  const attempts = timeline();
  const tries = new Uint8Array(robots);
  const isWaiting = new Uint8Array(robots);
  const all = Array.from({ length: replicas }, (): Replica => ({ allowed: rules.admitPerSecond, refused: 0 }));
  for (let robot = 0; robot < robots; robot += 1) attempts.add(backoffSeconds(0, random), robot);
  const share = rules.admitPerSecond * stepSeconds;
  const result = { mostSeconds: 0, allSeconds: 0, longestQueue: 0 };
  let [linked, queue] = [0, 0];
  while (!attempts.isEmpty) {
    const { atSeconds, due } = attempts.next();
    for (const replica of all) {
      replica.allowed = Math.min(rules.admitPerSecond, replica.allowed + share);
      replica.refused = Math.max(0, replica.refused - share);
    }
    for (const robot of due) {
      if (atSeconds < downSeconds) {
        tries[robot] = Math.min(10, (tries[robot] ?? 0) + 1);
        attempts.add(atSeconds + backoffSeconds(tries[robot] ?? 0, random), robot);
        continue;
      }
      const waitSeconds = askSeconds(random.pick(all), random);
      const wasWaiting = isWaiting[robot] ?? 0;
      isWaiting[robot] = waitSeconds === undefined ? 0 : 1;
      queue += isWaiting[robot] - wasWaiting;
      if (waitSeconds !== undefined) {
        attempts.add(atSeconds + waitSeconds * (1 + chance(random) / 4), robot);
        continue;
      }
      linked += 1;
      if (linked <= 0.99 * robots) result.mostSeconds = atSeconds - downSeconds;
      result.allSeconds = atSeconds - downSeconds;
    }
    result.longestQueue = Math.max(result.longestQueue, queue);
  }
  return result;
}
