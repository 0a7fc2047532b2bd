#!/usr/bin/env node
/** The process of the client. `--version` answers before anything else is loaded: scripts ask for it often. */
import manifest from '../package.json' with { type: 'json' };

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === 'version')) {
  process.stdout.write(`${manifest.version}\n`);
} else {
  const { run } = await import('./run.ts');
  process.exitCode = await run(args, manifest.version);
}
