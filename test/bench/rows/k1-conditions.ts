import { setTimeout as sleep } from 'node:timers/promises';
import { createConditionEngine } from '../../../src/conditions/service.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { seedFleet } from '../harness/fleet-data.ts';
import { healthBeat } from '../harness/links.ts';
import { median } from '../harness/pairing.ts';
import { backendCpuMs } from '../harness/postgres-cpu.ts';
import { limitLine, type Row } from '../harness/row.ts';
import { silentBus } from '../harness/silent-bus.ts';

type Snapshot = Parameters<ReturnType<typeof createConditionEngine>['port']['beat']>[1];

const robots = 10_000;
const heartbeatMs = 10_000;
const sliceMs = 500;
const goalPercent = 2;
/** Of 1,000 robots, so many begin or end a condition with a heartbeat: each robot one in 80 minutes. */
const changing = 2;
/** Of 1,000 robots, so many have a condition that is pending. */
const pending = 10;

const ordinary = (JSON.parse(healthBeat) as { health: NonNullable<Snapshot> }).health;
const stopped = { ...ordinary, estop: true };
const busy = { ...ordinary, cpu: { percent: 99 } };

/** What a robot sends in a round. Most values are well, as they are in a fleet. */
function snapshotOf(robot: number, round: number): Snapshot {
  const [turn, hasEnded] = [Math.floor(round / 2), round % 2 === 1];
  if (!hasEnded && (robot + turn * changing) % 1_000 < changing) return stopped;
  return robot % 1_000 >= 1_000 - pending ? busy : ordinary;
}

/** The built-in rules of an org for all of its robots, with their heartbeats at the speed at which they come. */
export const conditionsRow: Row = {
  id: 'K1',
  work: 'conditions of 10,000 robots with a heartbeat per 10 s: Node + Postgres CPU',
  against: 'a limit',
  async run(context) {
    const database = await context.database('k1');
    const { orgId, robotIds } = await seedFleet(database.url, robots);
    const db = openDatabase(database.url);
    const engine = createConditionEngine({
      db,
      bus: silentBus,
      log: createLogger('silent', []),
      databaseMs: Date.now,
    });
    const watches = robotIds.map((robotId) => engine.port.watch({ orgId, robotId }));
    const perSlice = (robots * sliceMs) / heartbeatMs;

    async function heartbeats(round: number): Promise<void> {
      const startedAt = performance.now();
      for (let at = 0; at < robots; at += perSlice) {
        for (const [index, watch] of watches.slice(at, at + perSlice).entries())
          engine.port.beat(watch, snapshotOf(at + index, round));
        await sleep(Math.max(0, startedAt + ((at + perSlice) / perSlice) * sliceMs - performance.now()));
      }
    }
    const percentOf = async (work: () => Promise<void>) => {
      const percent = (ms: number) => (ms * 100) / heartbeatMs;
      // The CPU of Postgres is read outside the time of this process: it takes some itself.
      const backends = await backendCpuMs(database.url);
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      return {
        node: percent((user + system) / 1_000),
        postgres: percent((await backendCpuMs(database.url)) - backends),
      };
    };
    engine.start();
    try {
      await heartbeats(0); // reads every robot
      await heartbeats(1);
      const rounds: { node: number; postgres: number }[] = [];
      const count = context.rounds(4);
      for (let round = 2; round < 2 + count; round += 1) rounds.push(await percentOf(() => heartbeats(round)));
      const { rows } = await db.raw<{ rows: [{ many: string }] }>('select count(*) as many from timeline_unnumbered');
      // Without those of the last round, which may not be stored yet.
      const expected = (robots / 1_000) * changing * Math.ceil((1 + count) / 2);
      if (Number(rows[0].many) < expected) throw new Error(`${rows[0].many} of ${expected} changes are stored`);
      return [
        limitLine('% of a core', median(rounds.map(({ node, postgres }) => node + postgres)), goalPercent),
        limitLine('% of a core, Postgres', median(rounds.map(({ postgres }) => postgres))),
      ];
    } finally {
      await engine.stop();
      await db.destroy();
    }
  },
};
