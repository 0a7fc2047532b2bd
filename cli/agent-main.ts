#!/usr/bin/env node
/** The process of an agent that was installed alone: `node agent.mjs run` is `cli agent run`. */
import manifest from '../package.json' with { type: 'json' };
import { run } from './run.ts';

const args = process.argv.slice(2);
const [first] = args;
/** These are about the program, not of the agent. */
const isGeneral = first === 'version' || first === '--version';
const words = first === 'help' ? ['help', 'agent', ...args.slice(1)] : isGeneral ? ['version'] : ['agent', ...args];

void run(words, manifest.version).then((code) => {
  process.exitCode = code;
});
