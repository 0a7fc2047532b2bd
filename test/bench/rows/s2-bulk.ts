import { pair } from '../harness/pairing.ts';
import { atLeastLine, limitLine, type Line, type Row } from '../harness/row.ts';
import { ofOurs, ofSsh, readBulk } from '../harness/shell-client.ts';
import { startBenchShell } from '../harness/shell-robot.ts';
import { startSshd } from '../peers/sshd.ts';

const kinds = [
  { name: 'terminal', isTerminal: true, goal: 0.8 },
  { name: 'pipe', isTerminal: false, goal: 0.6 },
];

/** What a command prints, read as fast as it comes: with the start of the client and the end of the command. */
export const bulkRow: Row = {
  id: 'S2',
  work: '800 MB that a command prints, in a terminal and on pipes: MB/s',
  against: 'ssh -tt, ssh -T',
  async run(context) {
    const megabytes = context.requests(800);
    await using shell = await startBenchShell(await context.database('s2'));
    await using sshd = await startSshd();
    if (!sshd) context.note('S2  there is no sshd to hold it against: apt-get install openssh-server');
    const lines: Line[] = [];
    for (const { name, isTerminal, goal } of kinds) {
      const ours = () => readBulk(ofOurs(shell), isTerminal, megabytes);
      if (!sshd) {
        lines.push(limitLine(`MB/s, ${name} (no sshd)`, await ours()));
        continue;
      }
      const peer = () => readBulk(ofSsh(sshd.direct), isTerminal, megabytes);
      lines.push(atLeastLine(`MB/s, ${name}`, await pair({ rounds: context.rounds(3), ours, peer }), goal));
    }
    return lines;
  },
};
