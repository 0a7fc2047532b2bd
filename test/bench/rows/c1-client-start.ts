import { built } from '../harness/built.ts';
import { timeNode } from '../harness/child.ts';
import { fastestOf, pair } from '../harness/pairing.ts';
import { ratioLine, type Row } from '../harness/row.ts';

/** A sample is the fastest of this many starts. */
export const startsPerSample = 3;

/** Wall time of the two commands that only speak of the client itself. */
export const clientStartRow: Row = {
  id: 'C1',
  work: 'cli --version, cli --help',
  against: 'node -e 0',
  async run(context) {
    const bare = fastestOf(startsPerSample, () => timeNode(['-e', '0']));
    const script = built('dist/cli/main.js');
    const cli = (flag: string) => fastestOf(startsPerSample, () => timeNode([script, flag]));
    const rounds = context.rounds(21);
    return [
      ratioLine('ms, cli --version', await pair({ rounds, ours: cli('--version'), peer: bare }), 1.1),
      ratioLine('ms, cli --help', await pair({ rounds, ours: cli('--help'), peer: bare }), 1.3),
    ];
  },
};
