#!/usr/bin/env node
/** The process of the client. `--version` answers before anything else is loaded: scripts ask for it often. */
import manifest from '../package.json' with { type: 'json' };

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === 'version')) {
  process.stdout.write(`${manifest.version}\n`);
} else {
  void import('./run.ts')
    .then(({ run }) => run(args, manifest.version))
    .then((code) => {
      process.exitCode = code;
    });
}
