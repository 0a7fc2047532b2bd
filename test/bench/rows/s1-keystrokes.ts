import { pair, pick, quantile } from '../harness/pairing.ts';
import { limitLine, ratioLine, type Line, type Row } from '../harness/row.ts';
import { ofOurs, ofSsh, startEcho, typeKeys } from '../harness/shell-client.ts';
import { startBenchShell } from '../harness/shell-robot.ts';
import { startSshd, type SshClient } from '../peers/sshd.ts';

/** Typed before anything counts: the JIT has seen it all then, on both sides of ours. */
const warmUpKeys = 1_500;

interface Goals {
  p50?: number;
  p99?: number;
}
type Echo = Awaited<ReturnType<typeof startEcho>>;

/**
 * From a key that is given to the client to its echo from a terminal on the robot, with connections that are open already.
 * Ours passes the service, so its equal goes through a jump host.
 */
export const keystrokesRow: Row = {
  id: 'S1',
  work: 'a key through cli, service and agent to a terminal and back',
  against: 'ssh -J, ssh',
  async run(context) {
    const keys = context.requests(2_500);
    await using shell = await startBenchShell(await context.database('s1'));
    await using sshd = await startSshd();
    const echoes: Echo[] = [];
    const begin = async (echo: Promise<Echo>) => {
      echoes.push(await echo);
      await typeKeys(await echo, warmUpKeys);
      return echo;
    };
    const timesOf = async (side: Echo) => {
      const times = await typeKeys(side, keys);
      return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
    };
    try {
      const ours = await begin(startEcho(ofOurs(shell)));
      if (!sshd) {
        context.note('S1  there is no sshd to hold it against: apt-get install openssh-server');
        const { p50, p99 } = await timesOf(ours);
        return [limitLine('p50 ms (no sshd)', p50), limitLine('p99 ms (no sshd)', p99)];
      }
      const lines: Line[] = [];
      const peers: [string, SshClient, Goals][] = [
        ['ssh -J', sshd.jumping, { p50: 0.9, p99: 1.2 }],
        ['ssh', sshd.direct, {}],
      ];
      for (const [name, client, goals] of peers) {
        const peer = await begin(startEcho(ofSsh(client)));
        const rounds = await pair({
          rounds: context.rounds(5),
          ours: () => timesOf(ours),
          peer: () => timesOf(peer),
        });
        for (const figure of ['p50', 'p99'] as const)
          lines.push(
            ratioLine(
              `${name}: ${figure} ms`,
              pick(rounds, (times) => times[figure]),
              goals[figure],
            ),
          );
      }
      return lines;
    } finally {
      for (const echo of echoes) echo.stdin.end('\u0004');
      for (const echo of echoes) echo.kill('SIGTERM');
    }
  },
};
