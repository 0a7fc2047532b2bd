#!/usr/bin/env node
/** The process of the client. `--version` and `--help` are handled before anything else is loaded. */
import { writeSync } from 'node:fs';
import manifest from '../../package.json' with { type: 'json' };

const args = process.argv.slice(2);
const { version } = manifest;
const here = () => import('./run.ts').then(({ run }) => run(args, version));

/** A line that may run the agent goes through the launcher, which knows which agent is in effect. */
const run = () =>
  args.includes('agent') && args.includes('run')
    ? import('../commands/agent/agent-launcher.ts').then(({ runActiveAgent: runActiveAgent }) =>
        runActiveAgent({ argv: args, words: ['agent', 'run'], version, here }),
      )
    : here();

const [first = '--help', second] = args;
const isOnly = (...words: readonly string[]) => second === undefined && words.includes(first);

if (isOnly('--version', 'version')) {
  // Node's stream for it takes two milliseconds to load.
  writeSync(1, `${version}\n`);
} else if (isOnly('--help', '-h')) {
  void import('./root-help.ts').then(({ showRootHelp }) => showRootHelp(version));
} else {
  void run().then((code) => {
    process.exitCode = code;
  });
}
