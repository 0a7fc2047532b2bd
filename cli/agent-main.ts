#!/usr/bin/env node
/** The process of an agent that was installed alone: `node agent.mjs run` is `cli agent run`. */
import { basename } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { runLine } from './run-line.ts';
import { agentAlone } from './table/agent-alone.ts';

const [, path = '', ...args] = process.argv;
const file = basename(path);
// By whatever name it was put there: a script for Node, or an executable of its own.
const name = /\.[cm]?js$/.test(file) ? `node ${file}` : file;

void runLine(agentAlone(name), args[0] === '--version' ? ['version'] : args, manifest.version).then((code) => {
  process.exitCode = code;
});
