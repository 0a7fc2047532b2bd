import { seedFleet, seedRobotTokens } from '../harness/fleet-data.ts';
import { startStreamProcess } from '../harness/links.ts';
import { pair, pick } from '../harness/pairing.ts';
import { startReplicas } from '../harness/replicas.ts';
import { ratioLine, type Row } from '../harness/row.ts';
import { openShell, type } from '../harness/typing.ts';

const keys = 1_000;
const p50GoalRatio = 1.3;

/**
 * Keys of two shells of one robot: of a viewer at the replica that the robot is linked to, and of one at another. Hints have no part
 * in it, so there is no NATS.
 */
export const shellsAcrossRow: Row = {
  id: 'S5',
  work: 'keystrokes of a viewer at one replica, the robot linked to another',
  against: 'a viewer at the same replica',
  async run(context) {
    const database = await context.database('s5');
    const fleet = await seedFleet(database.url, 1);
    const [token = ''] = await seedRobotTokens(database.url, fleet);
    const [robotId = ''] = fleet.robotIds;
    await using replicas = await startReplicas(database.url, 2);
    await using robot = await startStreamProcess();
    await robot.run({ kind: 'link', url: replicas.url(1), token });
    const across = await openShell(replicas.url(0), robotId, fleet.userToken);
    const beside = await openShell(replicas.url(1), robotId, fleet.userToken);
    const count = context.requests(keys);
    const rounds = await pair({
      rounds: context.rounds(9),
      ours: () => type(across, count),
      peer: () => type(beside, count),
    });
    for (const shell of [across, beside]) shell.terminate();
    return [
      ratioLine(
        'p50 ms',
        pick(rounds, ({ p50Ms }) => p50Ms),
        p50GoalRatio,
      ),
      ratioLine(
        'p99 ms',
        pick(rounds, ({ p99Ms }) => p99Ms),
      ),
    ];
  },
};
