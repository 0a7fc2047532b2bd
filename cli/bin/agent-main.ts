#!/usr/bin/env node
/** The process of a standalone agent: `node agent.mjs run` is `cli agent run`. */
import { basename } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { runActiveAgent } from '../commands/agent/agent-launcher.ts';

const [, path = '', ...args] = process.argv;
const { version } = manifest;

async function here(): Promise<number> {
  const file = basename(path);
  // It may have any name: a script for Node, or an executable.
  const name = /\.[cm]?js$/.test(file) ? `node ${file}` : file;
  const [{ runProcess }, { standaloneAgentCatalog: standaloneAgentCatalog }] = await Promise.all([
    import('./run-line.ts'),
    import('../command-specs/standalone-agent.ts'),
  ]);
  return runProcess(standaloneAgentCatalog(name), args, version);
}

// Also the response when an agent checks whether a release is an agent (agent/releases/agent.ts).
if (args.length === 1 && (args[0] === '--version' || args[0] === 'version')) {
  process.stdout.write(`fleet-agent/${version}\n`);
} else {
  void runActiveAgent({ argv: args, words: ['run'], version, here }).then((code) => {
    process.exitCode = code;
  });
}
