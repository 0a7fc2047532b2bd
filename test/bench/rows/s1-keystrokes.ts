import { pair, pick, quantile } from '../harness/pairing.ts';
import { limitLine, ratioLine, type Row } from '../harness/row.ts';
import { ofOurs, ofSsh, startEcho, typeKeys } from '../harness/shell-client.ts';
import { startBenchShell } from '../harness/shell-robot.ts';
import { startSshd } from '../peers/sshd.ts';

/** Typed before anything counts: the JIT has seen it all then, on both sides of ours. */
const warmUpKeys = 1_500;

/** From a key that is given to the client to its echo from a terminal on the robot, with connections that are open already. */
export const keystrokesRow: Row = {
  id: 'S1',
  work: 'a key through cli, service and agent to a terminal and back',
  against: 'ssh -tt',
  async run(context) {
    const keys = context.requests(2_500);
    await using shell = await startBenchShell(await context.database('s1'));
    await using sshd = await startSshd();
    const ours = await startEcho(ofOurs(shell));
    const peer = sshd && (await startEcho(ofSsh(sshd)));
    const timesOf = async (side: typeof ours) => {
      const times = await typeKeys(side, keys);
      return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
    };
    try {
      for (const side of [ours, peer]) if (side) await typeKeys(side, warmUpKeys);
      if (!peer) {
        context.note('S1  there is no sshd to hold it against: apt-get install openssh-server');
        const { p50, p99 } = await timesOf(ours);
        return [limitLine('p50 ms (no sshd)', p50), limitLine('p99 ms (no sshd)', p99)];
      }
      const rounds = await pair({
        rounds: context.rounds(7),
        ours: () => timesOf(ours),
        peer: () => timesOf(peer),
      });
      return [
        ratioLine(
          'p50 ms',
          pick(rounds, ({ p50 }) => p50),
          1.1,
        ),
        ratioLine(
          'p99 ms',
          pick(rounds, ({ p99 }) => p99),
          1.5,
        ),
      ];
    } finally {
      for (const side of [ours, peer]) side?.stdin.end('\u0004');
      for (const side of [ours, peer]) side?.kill('SIGTERM');
    }
  },
};
