import { test } from 'vitest';
import { documentAt, shellBlocksOf } from '../support/documents.ts';
import { follow } from './run-docs.ts';
import { startNewcomer } from './docs-user.ts';

test(
  'the quick start of the reference leads from an empty machine to a robot that is online',
  { timeout: 300_000 },
  async () => {
    await using newcomer = await startNewcomer();
    const { reader, url, place } = newcomer;
    // The address is the default one there.
    const instead = { 'cli login': `cli login --base-url ${url}` };
    const leftOut = { 'npm link': 'changes the machine; the alias that the README offers was typed instead' };
    await follow(reader, shellBlocksOf(documentAt('spec/openapi.yaml')), { instead, leftOut }, place);
  },
);
