import type { LinkRef, RobotSpools, Spool } from './batch.ts';

/** Spools that are remembered. How far a forgotten one is stored is read again. */
const maxSpools = 20_000;
/** The same of one robot: as many as its agent may have. */
const maxSpoolsOfRobot = 64;

/** The spools of this replica's robots. They are found by their robots, whose ids are hashed once: a key made for each frame is not. */
export function createSpools() {
  const robots = new Map<string, RobotSpools>(); // by id
  let count = 0; // of spools
  let forgetAt = maxSpools;

  /** Forgets the idle spools of the oldest robots, enough that this does not run for every new one. */
  function forgetOldest(): void {
    const enough = count - maxSpools / 10;
    for (const [robotId, robot] of robots) {
      if (count <= enough) break;
      forgetIdle(robot, () => true);
      if (robot.spools.length === 0) robots.delete(robotId);
    }
    // If most of them are busy, the next run waits until there are as many new ones.
    forgetAt = Math.max(maxSpools, count + maxSpools / 10);
  }

  function forgetIdle(robot: RobotSpools, isOld: (spool: Spool) => boolean): void {
    const kept = robot.spools.filter((spool) => spool.waiting !== undefined || !isOld(spool));
    count -= robot.spools.length - kept.length;
    robot.spools = kept;
  }

  return {
    find(link: LinkRef, name: string): Spool {
      const known = robots.get(link.robotId);
      for (const spool of known?.spools ?? []) if (spool.name === name && spool.link.epoch === link.epoch) return spool;
      if (count >= forgetAt) forgetOldest();
      const robot = known ?? { spools: [], turn: 0 };
      robots.set(link.robotId, robot); // it may have been forgotten just now
      const isCrowded = robot.spools.length >= maxSpoolsOfRobot;
      forgetIdle(robot, (spool) => isCrowded || spool.link.epoch < link.epoch);
      const spool: Spool = {
        robot,
        link,
        name,
        foundSeq: undefined,
        storedSeq: undefined,
        acceptedSeq: 0,
        waiting: undefined,
      };
      robot.spools.push(spool);
      count += 1;
      return spool;
    },
  };
}
