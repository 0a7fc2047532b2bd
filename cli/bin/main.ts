#!/usr/bin/env node
/** The process of the client. `--version` is handled before anything else is loaded: scripts call it often. */
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

if (args.length === 1 && (args[0] === '--version' || args[0] === 'version')) {
  // Node's stream for it takes two milliseconds to load.
  writeSync(1, `${version}\n`);
} else {
  void run().then((code) => {
    process.exitCode = code;
  });
}
